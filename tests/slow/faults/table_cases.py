"""DynamoDB fails behind the functions: a search goes on without its tables, and the log says so."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager

import pytest
from goldpan.bootstrap import scout_ports
from goldpan.engine.deadlines import WallClock
from goldpan.infra.cache.port import compress
from goldpan.engine.deadlines import to_micros

from tests.slow.faults.case import Answered, Case
from tests.slow.faults.next_search import Then
from tests.slow.faults.world import Seen, World, close
from tests.support.loopback.dynamodb_fault import DynamoDBFault, LoopbackDynamoDB
from tests.support.loopback.fault import LoopbackFault
from tests.unit.aws.doors import door, event

TABLES = "DynamoDB, behind the functions"
NOBODY = "http://127.0.0.1:9"
NAMES = {"CACHE_TABLE": "cache", "BUDGET_TABLE": "budgets", "POPULARITY_TABLE": "popularity"}
AWS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "eu-central-1"}
ALL_THREE = (
    "^The cache failed; searches continue without it",
    "^The single-flight lock store failed",
    "^The rate limiter failed",
)
WITHOUT = "the whole answer, as without tables; the log says so once for the cache, the locks and the rate limits"
ANEW = "the whole answer, searched anew: what is there is as good as nothing"
PATIENT = {"max_seconds": 15}
"""Two seconds go by for each of the three, one after the other."""
MAX_CALLS = 30
MAX_ANSWERED_IN_PART = 400
"""What is left of a batch is asked for again, for a second and a half, every twentieth of a second."""


def _reached(
    *faults: LoopbackFault, address: str | None = None, most: int = MAX_CALLS
) -> Callable[[World], AbstractContextManager[object]]:
    """Point the functions at a DynamoDB with faults, or at an address; nothing of the world outside is reached."""

    @contextmanager
    def around(_: World) -> Iterator[None]:
        with ExitStack() as stack:
            environment = stack.enter_context(pytest.MonkeyPatch.context())
            table = stack.enter_context(LoopbackDynamoDB())
            table.inject(*faults)
            for name, value in {**AWS, "AWS_ENDPOINT_URL_DYNAMODB": address or table.url}.items():
                environment.setenv(name, value)
            yield
            assert len(table.requests) <= most

    return around


def _is_searched(_: World, seen: Seen) -> None:
    assert seen.body["cached"] is False


def _the_door_goes_on(world: World, seen: Seen) -> None:
    """Hold that the real door of scout answers as well, with the ports that it makes for itself."""
    _is_searched(world, seen)
    dependencies = scout_ports(world.environment())
    try:
        batch = door("scout", dependencies)(event("scout"))
    finally:
        close(dependencies)
    assert batch["status"]["status"] == "ok"
    assert batch["candidates"]


def _case(  # noqa: PLR0913 - each is one column of the same row
    name: str,
    done: str,
    gets: str,
    expect: Answered,
    around: Callable[[World], AbstractContextManager[object]],
    *,
    request: Mapping[str, object] | None = None,
    then: Then | None = _is_searched,
) -> Case:
    return Case(
        TABLES,
        name,
        done,
        gets,
        expect,
        (4, 6),
        token=False,
        deployed=True,
        environment=NAMES,
        around=around,
        request=request or {"max_seconds": 9},
        then=then,
    )


def _always(code: int, name: str) -> DynamoDBFault:
    return DynamoDBFault.error(code, name, times=None)


def _kept(text: bytes) -> dict[str, dict[str, object]]:
    """Write an item as our cache does, with this value."""
    now = to_micros(WallClock().now())
    until: dict[str, dict[str, object]] = {"fresh_until": {"N": str(now + 600_000_000)}, "stored_at": {"N": str(now)}}
    return {"value": {"B": b64encode(compress(text)).decode()}, **until}


FAILS = Answered(logs=ALL_THREE)
UNREACHABLE = [
    _case(
        "nobody listens", "the connection is refused", WITHOUT + "; so does the door of scout", FAILS,
        _reached(address=NOBODY), then=_the_door_goes_on,
    ),
    _case(
        "throttled", "every call is answered 400, ProvisionedThroughputExceededException", WITHOUT, FAILS,
        _reached(_always(400, "ProvisionedThroughputExceededException")),
    ),
    _case(
        "a table that is not there", "every call is answered 400, ResourceNotFoundException", WITHOUT, FAILS,
        _reached(_always(400, "ResourceNotFoundException")),
    ),
    _case(
        "no permission", "every call is answered 400, AccessDeniedException", WITHOUT, FAILS,
        _reached(_always(400, "AccessDeniedException")),
    ),
    _case(
        "500", "every call is answered 500, InternalServerError", WITHOUT, FAILS,
        _reached(_always(500, "InternalServerError")),
    ),
    _case(
        "a reset", "connections are reset before any byte", WITHOUT, FAILS, _reached(DynamoDBFault.reset(times=None)),
    ),
    _case(
        "a hang", "calls are accepted and never answered", WITHOUT, FAILS, _reached(DynamoDBFault.hang(times=None)),
        request=PATIENT,
    ),
    _case(
        "a slow drip", "true answers come one byte a second", WITHOUT, FAILS,
        _reached(DynamoDBFault.drip(every=1, times=None)), request=PATIENT,
    ),
    _case(
        "another content type", "every call is answered 200 with a page for people",
        "the whole answer; the log says so for what had to find something in that page",
        Answered(logs=("^The cache failed; searches continue without it", "^The rate limiter failed")),
        _reached(DynamoDBFault.wrong_content_type(times=None)),
    ),
]  # fmt: skip

HELD = [
    _case(
        "a table that holds nothing", "every call is answered, and nothing is found", ANEW, Answered(), _reached(),
    ),
    _case(
        "batches that stay undone", "every batch comes back undone, as a table does that has too much to do",
        "the whole answer; what could not be read or written in time is left out", Answered(),
        _reached(DynamoDBFault.undone(times=None), most=MAX_ANSWERED_IN_PART),
    ),
    _case(
        "garbage in the values", "every item holds bytes that nobody packed", ANEW, Answered(),
        _reached(DynamoDBFault.holding({"value": {"B": b64encode(b"garbage").decode()}}, times=None)),
    ),
    _case(
        "values of an older version", "every item holds an object with other fields", ANEW, Answered(),
        _reached(DynamoDBFault.holding(_kept(b'{"question": "React", "items": []}'), times=None)),
    ),
    _case(
        "values in another form", "every item holds a list", ANEW, Answered(),
        _reached(DynamoDBFault.holding(_kept(b"[1, 2, 3]"), times=None)),
    ),
    _case(
        "values of another type", "every attribute of every item is a text", ANEW, Answered(),
        _reached(
            DynamoDBFault.holding(
                {name: {"S": "garbage"} for name in ("value", "stored_at", "fresh_until", "blocked_until")}, times=None
            )
        ),
    ),
    _case(
        "numbers that are not whole", "every number of every item is a fraction",
        ANEW + "; the log says that the rate limits cannot be read", Answered(logs=("^The rate limiter failed",)),
        _reached(
            DynamoDBFault.holding(
                _kept(b"{}") | {name: {"N": "1.5"} for name in ("stored_at", "fresh_until", "blocked_until")}, times=None
            )
        ),
    ),
]  # fmt: skip

CASES = [*UNREACHABLE, *HELD]
