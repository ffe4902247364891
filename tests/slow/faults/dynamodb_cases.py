"""DynamoDB fails behind a function: the search continues without its tables, and the log reports it."""

import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

import pytest
from goldpan.engine.deadlines import WallClock, to_micros

from tests.slow.faults.case import ALWAYS, Answered, Case, World
from tests.slow.faults.judge import is_not_cached
from tests.slow.faults.sqlite_cases import AGAIN, ALL_STORES, WITHOUT
from tests.support.loopback.aws import DynamoDBFault, LoopbackDynamoDB

TABLES = {"CACHE_TABLE": "cache", "BUDGET_TABLE": "budgets", "POPULARITY_TABLE": "popularity"}
AWS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "eu-central-1"}
MAX_REQUESTS = 40
MAX_REPEATED = 400
"""Unprocessed parts of a batch are repeated for 1.5 s, each after some milliseconds."""


def _with(
    *faults: Any, url: str | None = None, most: int = MAX_REQUESTS
) -> Callable[[World], AbstractContextManager[None]]:
    """Point the functions to a DynamoDB with faults, or to a URL."""

    @contextmanager
    def around(_: World) -> Iterator[None]:
        with ExitStack() as stack:
            environment = stack.enter_context(pytest.MonkeyPatch.context())
            table = stack.enter_context(LoopbackDynamoDB())
            table.inject(*faults)
            for name, value in {**AWS, "AWS_ENDPOINT_URL_DYNAMODB": url or table.url}.items():
                environment.setenv(name, value)
            yield
            assert len(table.requests) <= most

    return around


def _case(fault: str, result: str, around: Any, expect: Answered | None = None, *, short: bool = False) -> Case:
    options: dict[str, Any] = {"token": False, "deployed": True, "environment": TABLES, "after": is_not_cached}
    upstream = "DynamoDB, behind the functions"
    return Case(upstream, fault, result, expect or Answered(), (4, 6), around=around, short=short, **options)


def _unusable(fault: str, *faults: Any, short: bool = False, **more: Any) -> Case:
    return _case(fault, WITHOUT, _with(*faults, **more), Answered(logs=ALL_STORES), short=short)


def _item(value: bytes) -> dict[str, dict[str, object]]:
    """Return an item as the cache writes it."""
    now = to_micros(WallClock().now())
    times: dict[str, dict[str, object]] = {"fresh_until": {"N": str(now + 600_000_000)}, "stored_at": {"N": str(now)}}
    return {"value": {"B": b64encode(zlib.compress(value)).decode()}, **times}


TIMES = ("stored_at", "fresh_until", "blocked_until")
CASES = [
    _unusable("refuses the connection", url="http://127.0.0.1:9", short=True),
    *(
        _unusable(f"answers {code} {name}", DynamoDBFault.error(code, name, **ALWAYS), short=name[0] == "P")
        for code, name in (
            (400, "ProvisionedThroughputExceededException"), (400, "ResourceNotFoundException"),
            (500, "InternalServerError"),
        )
    ),
    _unusable("hangs", DynamoDBFault.hang(**ALWAYS), short=True),
    _unusable("answers 200 with an HTML page", DynamoDBFault.wrong_content_type(**ALWAYS)),
    _case(
        "leaves every batch unprocessed", "the complete answer; nothing is cached",
        _with(DynamoDBFault.undone(**ALWAYS), most=MAX_REPEATED),
    ),
    _case(
        "every item holds an object of another version", AGAIN,
        _with(DynamoDBFault.holding(_item(b'{"question": "React", "items": []}'), **ALWAYS)),
    ),
    _case(
        "every number of every item is a fraction", AGAIN,
        _with(DynamoDBFault.holding(_item(b"{}") | {name: {"N": "1.5"} for name in TIMES}, times=None)),
    ),
]  # fmt: skip
