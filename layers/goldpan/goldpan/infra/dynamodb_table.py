"""A DynamoDB table as a store: calls that end in time, with Python values, and failures as `StoreFailed`."""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from itertools import chain
from typing import Any

import boto3
from boto3.dynamodb.types import Binary, TypeDeserializer, TypeSerializer
from botocore.client import BaseClient
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from goldpan.engine.deadlines import Clock, Deadline, WallClock
from goldpan.errors import StoreFailed, TimedOut
from goldpan.infra.table import Change, Comparison, ConditionFailed, Count, Item, Scalar, StoreThrottled, uncounted
from goldpan.infra.threads import run_with_deadline

SECONDS = 1.0
"""How long DynamoDB may take to connect, and to answer; it usually answers in 5 ms."""
ATTEMPTS = 2
THROTTLING = frozenset({"ProvisionedThroughputExceededException", "RequestLimitExceeded", "ThrottlingException"})
"""https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html"""
READ_BATCH, WRITE_BATCH = 100, 25
BATCH_SECONDS = 0.5
"""How long to repeat what DynamoDB leaves unprocessed of a batch."""
MAX_ITEM, OVERHEAD = 400 * 1024, 200
"""The maximum bytes of an item, and what it has in addition to its key and its value."""
Parameters = dict[str, Any]
"""Those of a call of boto3, which has no types."""


class DynamoDBTable:
    """A table whose calls raise `StoreFailed`; safe between threads, which boto3's `Table` is not."""

    def __init__(
        self, client: BaseClient, name: str, seconds: float, clock: Clock | None = None, count: Count = uncounted
    ) -> None:
        self._client, self._name, self._seconds = client, name, seconds
        self._clock, self._count = clock or WallClock(), count

    def get(self, pk: str) -> Item:
        """Read an item, as it is after all earlier writes; empty if there is none."""
        response = self._call("get_item", TableName=self._name, Key=_serialize({"pk": pk}), ConsistentRead=True)
        with self._failures():
            return _deserialize(response.get("Item", {}))

    def update(self, pk: str, change: Change) -> Item:
        """Change an item, and return all of it. Raises `ConditionFailed`."""
        key, expressions = _serialize({"pk": pk}), _expressions(change)
        response = self._call("update_item", TableName=self._name, Key=key, ReturnValues="ALL_NEW", **expressions)
        with self._failures():
            return _deserialize(response["Attributes"])

    def get_many(self, pks: Sequence[str], *, latest: bool = False) -> dict[str, Item]:
        """Read many items; what DynamoDB leaves unprocessed for too long is left out."""
        keys, found = [_serialize({"pk": pk}) for pk in dict.fromkeys(pks)], list[Item]()
        for start in range(0, len(keys), READ_BATCH):
            batch = {self._name: {"Keys": keys[start : start + READ_BATCH], "ConsistentRead": latest}}
            for response in self._processed("batch_get_item", batch, "UnprocessedKeys"):
                with self._failures():
                    found += map(_deserialize, response["Responses"].get(self._name, ()))
        return {str(item["pk"]): item for item in found}

    def put_many(self, items: Mapping[str, Item]) -> None:
        """Store many items, but for those that are too large for DynamoDB, and what it leaves unprocessed too long."""
        puts = list[Parameters]()
        for pk, item in items.items():
            if _size(pk, item) > MAX_ITEM:
                self._count("CacheEntryTooLarge")
            else:
                puts.append({"PutRequest": {"Item": _serialize({"pk": pk, **item})}})
        for start in range(0, len(puts), WRITE_BATCH):
            for _ in self._processed(
                "batch_write_item", {self._name: puts[start : start + WRITE_BATCH]}, "UnprocessedItems"
            ):
                pass

    def _processed(self, operation: str, batch: Parameters, unprocessed: str) -> Iterator[Parameters]:
        """Yield the responses to a batch and, after a pause, to what was left unprocessed of it."""
        deadline = Deadline.after(BATCH_SECONDS, self._clock)
        while batch:
            response = self._call(operation, RequestItems=batch)
            yield response
            batch = response.get(unprocessed) or {}
            if batch and not deadline.left:
                self._count("CacheBatchCut")
                return
            if batch:
                self._clock.wait(random.uniform(0.02, 0.1))  # noqa: S311 - spreads load, protects nothing

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Raise what goes wrong with a call, or with reading its response, as `StoreFailed`."""
        try:
            yield
        except (BotoCoreError, ClientError, TimedOut) as error:
            is_throttled = isinstance(error, ClientError) and error.response["Error"]["Code"] in THROTTLING
            kind = StoreThrottled if is_throttled else StoreFailed
            raise kind(f"{self._name} could not be used ({error})") from error
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise StoreFailed(f"{self._name} returned an unexpected response ({type(error).__name__})") from error

    def _call(self, operation: str, **request: object) -> Parameters:
        with self._failures():
            # botocore's own timeouts start again with every byte that arrives
            call, deadline = getattr(self._client, operation), Deadline.after(self._seconds, WallClock())
            try:
                response: Parameters = run_with_deadline(lambda: call(**request), deadline)
            except ClientError as error:
                if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
                    raise ConditionFailed(_deserialize(error.response.get("Item", {}))) from error
                raise
        return response


def open_tables(
    *names: str, count: Count = uncounted, seconds: float = SECONDS, **options: object
) -> tuple[DynamoDBTable, ...]:
    """Open tables, whose key is `pk`, over shared connections; `options` are those of `boto3.client`."""
    retries = {"mode": "standard", "total_max_attempts": ATTEMPTS}
    config = Config(connect_timeout=seconds, read_timeout=seconds, retries=retries)
    client = boto3.client("dynamodb", config=config, **options)
    return tuple(DynamoDBTable(client, name, ATTEMPTS * seconds, count=count) for name in names)


def _size(pk: str, item: Item) -> int:
    """Return about how many bytes an item has; only its text or its value is large."""
    value = item.get("value", item.get("text", ""))
    return len(pk) + len(value if isinstance(value, bytes) else str(value).encode()) + OVERHEAD


def _serialize(item: Item) -> Parameters:
    serializer = TypeSerializer()
    return {name: serializer.serialize(value) for name, value in item.items()}


def _deserialize(attributes: Item) -> Parameters:
    deserializer = TypeDeserializer()
    return {name: _python_value(deserializer.deserialize(value)) for name, value in attributes.items()}


def _python_value(value: object) -> object:
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else float(value)
    return bytes(value) if isinstance(value, Binary) else value


def _expressions(change: Change) -> Parameters:
    """Write a change as parameters of an update; a comparison that holds for 0 holds for a missing attribute too."""
    given, compared = {**change.assign, **change.add}, list(chain(*change.conditions))
    names = _placeholders("#n", [*given, *change.remove, *(each.name for each in compared)])
    values = _placeholders(":v", [*given.values(), *(each.value for each in compared)])

    def test(each: Comparison) -> str:
        written = f"{names[each.name]} {each.operator} {values[each.value]}"
        return f"{written} OR attribute_not_exists({names[each.name]})" if each.holds({}) else written

    clauses = {
        "SET": [f"{names[name]} = {values[value]}" for name, value in change.assign.items()],
        "ADD": [f"{names[name]} {values[value]}" for name, value in change.add.items()],
        "REMOVE": [names[name] for name in change.remove],
    }
    required = {
        "ConditionExpression": " AND ".join(f"({' OR '.join(map(test, each))})" for each in change.conditions),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    return {
        "UpdateExpression": " ".join(f"{clause} {', '.join(parts)}" for clause, parts in clauses.items() if parts),
        "ExpressionAttributeNames": {place: name for name, place in names.items()},
        "ExpressionAttributeValues": _serialize({place: value for value, place in values.items()}),
        **(required if change.conditions else {}),
    }


def _placeholders(prefix: str, given: Sequence[Scalar]) -> dict[Scalar, str]:
    return {each: f"{prefix}{place}" for place, each in enumerate(dict.fromkeys(given))}
