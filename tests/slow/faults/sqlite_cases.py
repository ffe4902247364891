"""The SQLite file of one machine, with its cache, rate limits and single-flight locks, is unusable or wrong."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from goldpan.engine.deadlines import WallClock, to_micros
from goldpan.local import entry_points as library

from tests.slow.faults.case import CONFIG, Answered, Case, World
from tests.slow.faults.judge import is_not_cached
from tests.support.loopback import Fault, LLMFault

FILE = "{folder}/state/goldpan.sqlite"
ALL_STORES = ("^The cache failed; searches continue without it", "^The lock store failed", "^The rate limiter failed")
WITHOUT = "the complete answer; the log has one warning for the cache, the locks and the rate limits each"
UNCHANGED = WITHOUT + "; the file stays unchanged"
AGAIN = "the complete answer, of a new search"
LOCK_SECONDS = 29.0
NOTHING_CACHED = "DELETE FROM items WHERE value IS NOT NULL"


def _path(world: World) -> Path:
    path = Path(FILE.format(folder=world.folder))
    path.parent.mkdir(exist_ok=True)
    return path


def _in_place(make: Callable[[Path], object]) -> Callable[[World], AbstractContextManager[None]]:
    """Put something else in the place of the file; it must stay unchanged."""

    @contextmanager
    def around(world: World) -> Iterator[None]:
        path = _path(world)
        make(path)
        before = path.read_bytes() if path.is_file() else None
        yield
        assert (path.read_bytes() if path.is_file() else None) == before

    return around


def _foreign_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE addresses (name TEXT)")
        connection.commit()


def _fill(world: World) -> Path:
    """Run a search without faults, as another process did before."""
    world.github.clear_faults()
    world.llm.clear_faults()
    path = _path(world)
    with world.new_runtime() as runtime:
        assert library.search(world.request(), runtime=runtime).repositories
    world.github.inject(*world.case.github)
    world.llm.inject(*world.case.model or ())
    return path


def _changed(*statements: str, **values: Any) -> Callable[[World], AbstractContextManager[None]]:
    """Fill the file, then change it; a value that is a function is called at that time."""

    @contextmanager
    def around(world: World) -> Iterator[None]:
        with closing(sqlite3.connect(_fill(world))) as connection:
            for statement in statements:
                parameters = {name: value() if callable(value) else value for name, value in values.items()}
                assert connection.execute(statement, parameters).rowcount, statement
            connection.commit()
        yield

    return around


@contextmanager
def _overwritten(world: World) -> Iterator[None]:
    path = _fill(world)
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))
    yield


@contextmanager
def _locked(world: World) -> Iterator[None]:
    with closing(sqlite3.connect(_fill(world), isolation_level=None)) as connection:
        connection.execute(NOTHING_CACHED)
        connection.execute("BEGIN IMMEDIATE")
        yield


def _case(fault: str, result: str, around: Any, expect: Answered | None = None, **more: Any) -> Case:
    stores, environment = "The stores of one machine (SQLite)", {"GOLDPAN_CACHE": FILE}
    options = {"calls": (5, 5), "after": is_not_cached, **more}
    return Case(stores, fault, result, expect or Answered(), environment=environment, around=around, **options)


def _unusable(fault: str, around: Any, result: str = WITHOUT, **more: Any) -> Case:
    return _case(fault, result, around, Answered(logs=ALL_STORES), **more)


VALUES = "UPDATE items SET value = :value WHERE value IS NOT NULL"
TWO_HOURS = 7_200_000_000
LOCK = "json_object('owner', 'an owner', 'until', :until, 'process', 'another container'), NULL, :until / 1000000"
LOCKED = (
    f"INSERT OR REPLACE INTO items SELECT 'lock#' || pk, {LOCK} FROM items WHERE pk LIKE 'answer:%'",
    NOTHING_CACHED,
)
CASES = [
    _unusable("GOLDPAN_CACHE is a folder", _in_place(Path.mkdir), short=True),
    _unusable("the file is the database of another program", _in_place(_foreign_database), UNCHANGED, short=True),
    _unusable("all but the first page is overwritten", _overwritten, short=True),
    _unusable("another program holds a write lock", _locked),
    _case("every value is random bytes", AGAIN, _changed(VALUES, value=b"\xff garbage"), short=True),
    _case(
        "GitHub is blocked until the year 2099 by a wrong clock", AGAIN + ": no block lasts longer than 25 hours",
        _changed(
            NOTHING_CACHED, "UPDATE items SET item = json_set(item, '$.blocked_until', :until)",
            until=to_micros(datetime(2099, 1, 1, tzinfo=UTC)),
        ),
    ),
    _case(
        "a process of another container died while it held the lock, and the model hangs",
        "an answer by rules, in the remaining time",
        _changed(*LOCKED, until=lambda: to_micros(WallClock().now()) + int(LOCK_SECONDS * 1_000_000)),
        Answered(warnings=(r"(\d+) of \1 repositories were ordered by rules",), errors={"score": "in time"}),
        request={"max_seconds": 8, "config": CONFIG | {"llm_timeout_seconds": 20}},
        model=(LLMFault.hang(contains="You judge", times=None),),
    ),
    _case(
        "GitHub answers 502, and older results are cached", "the answer from these results, with their age",
        _changed(
            "DELETE FROM items WHERE pk LIKE 'answer:%'",
            "UPDATE items SET item = json_set(item, '$.stored_at', item ->> 'stored_at' - :hours,"
            " '$.fresh_until', item ->> 'fresh_until' - :hours) WHERE value IS NOT NULL",
            hours=TWO_HOURS,
        ),
        Answered(
            details={"*": "served from the cache because the source failed: GitHub answered 502"},
            errors={"shortlist": r"no \w+ facts for \d+ repositor(y|ies): GitHub answered 502"},
        ),
        calls=(5, 10), github=(Fault.status(502, times=None),), short=True,
    ),
]  # fmt: skip
