"""A DynamoDB table as a store: calls that end in time, with Python values, and failures as `StoreFailed`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import boto3
from boto3.dynamodb.conditions import ConditionBase, ConditionExpressionBuilder
from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from botocore.client import BaseClient
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.errors import CallFailed, StoreFailed, TimedOut
from goldpan.infra.threads import run_with_deadline

SECONDS = 1.0
"""How long DynamoDB may take to connect, and to answer; it usually answers in 5 ms."""
ATTEMPTS = 2
THROTTLING = frozenset({"ProvisionedThroughputExceededException", "RequestLimitExceeded", "ThrottlingException"})
"""https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html"""
Item = Mapping[str, Any]
"""Attributes as boto3's `TypeDeserializer` reads them: numbers as `Decimal`, bytes as its `Binary`."""
Parameters = dict[str, Any]
"""Those of a call of boto3, which has no types."""


class ConditionFailed(CallFailed):
    """The condition of a write did not hold; `item` is what the table holds instead, empty if it holds nothing."""

    def __init__(self, item: Item) -> None:
        super().__init__("the condition of a write did not hold")
        self.item = item


class StoreThrottled(StoreFailed):
    """DynamoDB refuses calls because too many come at once; a call that waits a moment may succeed."""


def open_tables(*names: str, seconds: float = SECONDS, **options: object) -> tuple[DynamoDBTable, ...]:
    """Open tables, whose key is `pk`, over connections that they share.

    A call is attempted twice, each time for at most `seconds`; `options` are those of `boto3.client`.
    """
    retries = {"mode": "standard", "total_max_attempts": ATTEMPTS}
    config = Config(connect_timeout=seconds, read_timeout=seconds, retries=retries)
    client = boto3.client("dynamodb", config=config, **options)
    return tuple(DynamoDBTable(client, name, ATTEMPTS * seconds) for name in names)


class DynamoDBTable:
    """A table whose calls raise `StoreFailed`; safe between threads, which boto3's `Table` is not.

    A call ends after `seconds` in any case: botocore's own timeouts start again with every byte that arrives.
    """

    def __init__(self, client: BaseClient, name: str, seconds: float = ATTEMPTS * SECONDS) -> None:
        self._client, self._name, self._seconds = client, name, seconds

    def get(self, pk: str) -> Item:
        """Read an item, as it is after all earlier writes; empty if there is none."""
        response = self._call("get_item", TableName=self._name, Key=_serialize({"pk": pk}), ConsistentRead=True)
        with self.failures():
            return _deserialize(response.get("Item", {}))

    def put(self, item: Item, condition: ConditionBase) -> None:
        """Write an item. Raises `ConditionFailed`."""
        self._call("put_item", TableName=self._name, Item=_serialize(item), **_condition(condition))

    def delete(self, pk: str, condition: ConditionBase) -> None:
        """Delete an item. Raises `ConditionFailed`."""
        self._call("delete_item", TableName=self._name, Key=_serialize({"pk": pk}), **_condition(condition))

    def update(
        self,
        pk: str,
        condition: ConditionBase | None = None,
        *,
        assign: Mapping[str, object],
        add: Mapping[str, int] | None = None,
        remove: Sequence[str] = (),
    ) -> Item | None:
        """Change attributes of an item, which need not exist, and return all of it; a missing number counts as 0.

        Raises `ConditionFailed`. Returns None if the response has no item.
        """
        change = _update_expression(assign, add or {}, remove)
        if condition is not None:
            required = _condition(condition)
            for name in ("ExpressionAttributeNames", "ExpressionAttributeValues"):
                change[name] |= required.pop(name, {})
            change |= {**required, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
        key = _serialize({"pk": pk})
        response = self._call("update_item", TableName=self._name, Key=key, ReturnValues="ALL_NEW", **change)
        with self.failures():
            return _deserialize(response["Attributes"]) if "Attributes" in response else None

    def get_batch(self, pks: Sequence[str]) -> tuple[list[Item], list[str]]:
        """Read at most 100 items; returns those that exist, and the keys that DynamoDB left unprocessed."""
        keys = [_serialize({"pk": pk}) for pk in pks]
        response = self._call("batch_get_item", RequestItems={self._name: {"Keys": keys}})
        with self.failures():
            items: list[Item] = [_deserialize(item) for item in response["Responses"].get(self._name, ())]
            unprocessed = (response.get("UnprocessedKeys") or {}).get(self._name, {"Keys": ()})
            return items, [_deserialize(key)["pk"] for key in unprocessed["Keys"]]

    def put_batch(self, items: Sequence[Item]) -> list[Item]:
        """Write at most 25 items; returns those that DynamoDB left unprocessed."""
        puts = [{"PutRequest": {"Item": _serialize(item)}} for item in items]
        response = self._call("batch_write_item", RequestItems={self._name: puts})
        with self.failures():
            unprocessed = (response.get("UnprocessedItems") or {}).get(self._name, ())
            return [_deserialize(put["PutRequest"]["Item"]) for put in unprocessed]

    @contextmanager
    def failures(self) -> Iterator[None]:
        """Raise what goes wrong with a call, or with reading its response, as `StoreFailed`."""
        try:
            yield
        except (BotoCoreError, ClientError, TimedOut) as error:
            kind = StoreThrottled if _is_throttled(error) else StoreFailed
            raise kind(f"{self._name} could not be used ({error})") from error
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise StoreFailed(f"{self._name} returned an unexpected response ({type(error).__name__})") from error

    def close(self) -> None:
        """Close the connections of this table and of those opened with it."""
        self._client.close()

    def _call(self, operation: str, **request: object) -> Parameters:
        with self.failures():
            call, deadline = getattr(self._client, operation), Deadline.after(self._seconds, WallClock())
            try:
                response: Parameters = run_with_deadline(lambda: call(**request), deadline)
            except ClientError as error:
                if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
                    raise ConditionFailed(_deserialize(error.response.get("Item", {}))) from error
                raise
        return response


def _is_throttled(error: Exception) -> bool:
    return isinstance(error, ClientError) and error.response["Error"]["Code"] in THROTTLING


def read_integer(item: Item, name: str) -> int:
    """Read a whole number; 0 if there is no number of that name. Raises `ValueError` for a fraction."""
    value = item.get(name)
    if not isinstance(value, Decimal):
        return 0
    if value != int(value):
        message = f"{name} is {value}, not a whole number"
        raise ValueError(message)
    return int(value)


def _serialize(item: Item) -> Parameters:
    serializer = TypeSerializer()
    return {name: serializer.serialize(value) for name, value in item.items()}


def _deserialize(attributes: Item) -> Parameters:
    deserializer = TypeDeserializer()
    return {name: deserializer.deserialize(value) for name, value in attributes.items()}


def _condition(condition: ConditionBase) -> Parameters:
    built = ConditionExpressionBuilder().build_expression(condition)
    parameters = {
        "ConditionExpression": built.condition_expression,
        "ExpressionAttributeNames": built.attribute_name_placeholders,
        "ExpressionAttributeValues": _serialize(built.attribute_value_placeholders),
    }
    return {name: value for name, value in parameters.items() if value}  # DynamoDB refuses empty ones


def _update_expression(assign: Mapping[str, object], add: Mapping[str, int], remove: Sequence[str]) -> Parameters:
    """Write changes as parameters; no attribute may be in two of the three."""
    given = {**assign, **add}
    names = {name: f"#u{place}" for place, name in enumerate([*given, *remove])}
    values = {name: f":u{place}" for place, name in enumerate(given)}
    clauses = {
        "SET": [f"{names[name]} = {values[name]}" for name in assign],
        "ADD": [f"{names[name]} {values[name]}" for name in add],
        "REMOVE": [names[name] for name in remove],
    }
    return {
        "UpdateExpression": " ".join(f"{clause} {', '.join(parts)}" for clause, parts in clauses.items() if parts),
        "ExpressionAttributeNames": {placeholder: name for name, placeholder in names.items()},
        "ExpressionAttributeValues": _serialize({placeholder: given[name] for name, placeholder in values.items()}),
    }
