"""The file in which one machine keeps its cache, its rate budgets and its flights is not what it should be."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from goldpan.engine import library
from goldpan.engine.search import LOCK_TTL
from goldpan.engine.deadlines import WallClock
from goldpan.infra.cache.port import compress
from goldpan.engine.deadlines import to_micros

from tests.slow.faults.case import Answered, Case, every
from tests.slow.faults.next_search import Then
from tests.slow.faults.world import CONFIG, Seen, World
from tests.support.loopback import Fault, LLMFault
from tests.support.loopback.fault import LoopbackFault

STORES = "The stores of one machine (SQLite)"
FILE = "{folder}/state/goldpan.sqlite"
Around = Callable[[World], AbstractContextManager[object]]
ALL_THREE = (
    "^The cache failed; searches continue without it",
    "^The single-flight lock store failed",
    "^The rate limiter failed",
)
WITHOUT = "the whole answer, as without a file; the log says so once for the cache, the locks and the rate limits"
ANEW = "the whole answer, searched anew: what is there is as good as nothing"


def _path(world: World) -> Path:
    path = Path(FILE.format(folder=world.folder))
    path.parent.mkdir(exist_ok=True)
    return path


def _in_its_place(make: Callable[[Path], object]) -> Around:
    """Put something else where the file should be, and hold that it stays as it is."""

    @contextmanager
    def around(world: World) -> Iterator[None]:
        path = _path(world)
        make(path)
        before = path.read_bytes() if path.is_file() else None
        yield
        assert (path.read_bytes() if path.is_file() else None) == before

    return around


def _another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE addresses (name TEXT)")
        connection.commit()


@contextmanager
def _through_a_file(world: World) -> Iterator[None]:
    (world.folder / "state").write_text("a file where a folder should be")
    yield


def _micros(year: int) -> int:
    return to_micros(datetime(year, 1, 1, tzinfo=UTC))


def _soon() -> int:
    return to_micros(WallClock().now() + LOCK_TTL)


def _searched_before(*statements: str, **values: object) -> Around:
    """Let a search fill the file, then change it; a value that is a function is asked then."""

    @contextmanager
    def around(world: World) -> Iterator[None]:
        path = _path(world)
        _fill(world)
        with closing(sqlite3.connect(path)) as connection:
            for statement in statements:
                told = {name: value() if callable(value) else value for name, value in values.items()}
                assert connection.execute(statement, told).rowcount, statement
            connection.commit()
        yield

    return around


def _fill(world: World) -> None:
    """Search as another process did before, while all was well."""
    runtime = world.fresh_runtime()
    world.github.clear_faults()
    world.llm.clear_faults()
    try:
        assert library.search(world.request(), runtime=runtime).repositories
    finally:
        runtime.close()
    world.github.inject(*world.case.github)
    world.llm.inject(*world.case.model or ())


@contextmanager
def _held(world: World) -> Iterator[None]:
    """Hold the file as a program does that hangs in the middle of a write."""
    path = _path(world)
    _fill(world)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DELETE FROM cache")
        connection.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def _damaged(world: World) -> Iterator[None]:
    path = _path(world)
    _fill(world)
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    yield


def _is_not_remembered(_: World, seen: Seen) -> None:
    assert seen.body["cached"] is False


def _case(  # noqa: PLR0913 - each is one column of the same row
    name: str,
    done: str,
    gets: str,
    expect: Answered,
    around: Around,
    *,
    calls: tuple[int, int] = (5, 5),
    github: tuple[LoopbackFault, ...] = (),
    model: tuple[LoopbackFault, ...] | None = None,
    request: Mapping[str, object] | None = None,
    then: Then | None = _is_not_remembered,
) -> Case:
    return Case(
        STORES,
        name,
        done,
        gets,
        expect,
        calls,
        github=github,
        model=model,
        request=request or {},
        environment={"GOLDPAN_CACHE": FILE},
        around=around,
        then=then,
    )


UNUSABLE = [
    _case(
        "a folder in its place", "GOLDPAN_CACHE names a folder", WITHOUT, Answered(logs=ALL_THREE),
        _in_its_place(Path.mkdir),
    ),
    _case(
        "a path through a file", "GOLDPAN_CACHE names a path on which a file stands where a folder should", WITHOUT,
        Answered(logs=ALL_THREE), _through_a_file,
    ),
    _case(
        "a file of another program", "GOLDPAN_CACHE names another program's SQLite file",
        WITHOUT + "; that file stays as it is", Answered(logs=ALL_THREE), _in_its_place(_another_program),
    ),
    _case(
        "a file that is no database", "GOLDPAN_CACHE names a text file", WITHOUT + "; that file stays as it is",
        Answered(logs=ALL_THREE), _in_its_place(lambda path: path.write_text("dear diary\n" * 200)),
    ),
    _case(
        "a damaged file", "all but the first page is overwritten", WITHOUT, Answered(logs=ALL_THREE), _damaged,
    ),
    _case(
        "a file that is held for longer than a search", "another program hangs in the middle of a write", WITHOUT,
        Answered(logs=ALL_THREE), _held,
    ),
]  # fmt: skip

GARBAGE = "UPDATE cache SET value = :value"
VALUES = [
    _case(
        "garbage in the values", "every value in the file is overwritten with garbage", ANEW, Answered(),
        _searched_before(GARBAGE, value=b"\xff garbage"),
    ),
    _case(
        "text where JSON belongs", "every value in the file is another text, packed as ours are", ANEW, Answered(),
        _searched_before(GARBAGE, value=compress(b"no json")),
    ),
    _case(
        "values of an older version", "every value in the file is an object with other fields", ANEW, Answered(),
        _searched_before(GARBAGE, value=compress(b'{"question": "React", "items": [{"repo": "o/r"}]}')),
    ),
    _case(
        "values in another form", "every value in the file is a list", ANEW, Answered(),
        _searched_before(GARBAGE, value=compress(b"[1, 2, 3]")),
    ),
    _case(
        "times that are no times", "every time in the file is overwritten with text", ANEW, Answered(),
        _searched_before("UPDATE cache SET stored_at = 'noon', fresh_until = 'midnight'"),
    ),
    _case(
        "garbage in the budgets", "every count of what was spent is overwritten with text", ANEW, Answered(),
        _searched_before("DELETE FROM cache", "UPDATE spent SET cost = 'many'"),
    ),
    _case(
        "tables of another version", "the file is marked with another version of its format",
        "the whole answer, searched anew: the file is emptied and used", Answered(),
        _searched_before("PRAGMA user_version = 7"),
    ),
    _case(
        "a closure that a wrong clock wrote", "the file says that GitHub wants to be left alone until the year 2099",
        "the whole answer: no source closes for longer than an hour and five minutes", Answered(),
        _searched_before(
            "DELETE FROM cache", "INSERT INTO blocked SELECT DISTINCT key, :until FROM spent", until=_micros(2099)
        ),
    ),
]  # fmt: skip

DIED = (
    "INSERT INTO locks SELECT key, 'of a process that died', :until FROM cache WHERE key LIKE 'answer:%'",
    "DELETE FROM cache",
)
MARKS = [
    _case(
        "the mark of a search that died", "the file says that another process is finding this answer",
        "the whole answer: another is waited for through half of the seconds, then searched", Answered(),
        _searched_before(*DIED, until=_soon),
    ),
    _case(
        "the mark of a search that died, and a model that hangs",
        "the file says that another process is finding this answer; judgements are never answered",
        "an answer by rules in the seconds that were allowed: what was waited for is spent",
        Answered(
            rows=every("ok"), warns=(r"(\d+) of \1 repositories were ordered by rules",), errors={"score": "in time"}
        ),
        _searched_before(*DIED, until=_soon), request={"config": CONFIG | {"llm_timeout_seconds": 20}},
        model=(LLMFault.hang(contains="You judge", times=None),),
    ),
]  # fmt: skip

STALE = [
    _case(
        "GitHub fails, and older answers of it are there", "every call is answered 502; the same was found hours ago",
        "an answer from what was found then; each row tells its age and why",
        Answered(
            rows=every("ok"),
            details={"*": "cached 120 minutes ago, served because the source failed: GitHub answered 502"},
            errors={"shortlist": r"no \w+ facts for \d+ repositories: GitHub answered 502"},
        ),
        _searched_before(
            "DELETE FROM cache WHERE key LIKE 'answer:%'",
            "UPDATE cache SET stored_at = stored_at - 7200000000, fresh_until = fresh_until - 7200000000",
        ),
        calls=(5, 10),
        github=(Fault.status(502, times=None),),
    ),
]  # fmt: skip

CASES = [*UNUSABLE, *VALUES, *MARKS, *STALE]
