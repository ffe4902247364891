"""Processes that die in the middle of a search or a write: the next one on the same file is none the worse."""

from __future__ import annotations

import signal
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest
from goldpan.contracts import Answer, ExecutionTime, Usage
from goldpan.engine.search import LOCK_TTL, MAX_WAIT_SHARE, POLL_SECONDS
from goldpan.engine.deadlines import WallClock
from goldpan.engine.events import Stage
from goldpan.infra.cache.sqlite import SqliteCache
from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.kinds.repositories.sources.github.limits import RATE_LIMITS
from goldpan.kinds.repositories.sources.github.queries import search_cost

from tests.integration.conftest import KEY, MODEL, QUESTION, ROOMY, TOKEN, fresh_repositories, judged
from tests.slow.death_processes import (
    BUDGET,
    KEYS,
    LIFE,
    LIMITS,
    MOST,
    WINDOW,
    die_after,
    die_within_a_write,
    died,
    make_until_killed,
    search_afterwards,
    take_all_and_die,
    value_of,
    write_until_killed,
)
from tests.slow.stampede_world import SkippingClock
from tests.support.loopback import LoopbackGitHub, LoopbackLLM

STAGES: tuple[Stage, ...] = get_args(Stage)
BEGUN_WITH = 4096 * 9
"""About the bytes of a file whose tables are made."""


@dataclass(frozen=True)
class Upstreams:
    """GitHub, the model, and the answer that nobody disturbed."""

    github: LoopbackGitHub
    llm: LoopbackLLM
    undisturbed: Answer

    def environment(self, file: Path) -> dict[str, str]:
        """Set what a process needs."""
        return _environment(self.github, self.llm, file)


def _environment(github: LoopbackGitHub, llm: LoopbackLLM, file: Path) -> dict[str, str]:
    of_github = {"GITHUB_API_URL": github.url, "GITHUB_TOKEN": TOKEN}
    of_model = {"LLM_API_KEY": KEY, "LLM_BASE_URL": llm.base_url, "LLM_MODEL": MODEL}
    return of_github | of_model | {"GOLDPAN_CACHE": str(file)}


@pytest.fixture(scope="module")
def upstreams(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Upstreams]:
    """Serve GitHub and a model, and ask them once."""
    file = tmp_path_factory.mktemp("undisturbed") / "goldpan.sqlite"
    with LoopbackGitHub(fresh_repositories(), limits=ROOMY) as github, LoopbackLLM(judged) as llm:
        answer, waited = search_afterwards(_environment(github, llm, file), QUESTION, 0)
        assert (answer.cached, waited) == (False, 0)
        yield Upstreams(github, llm, answer)


def lasting(answer: Answer) -> Answer:
    """Leave out what two sound searches may differ in: when, how long, how dear, and from whose memory."""
    rows = tuple(row.model_copy(update={"cached": False, "age_s": None}) for row in answer.sources)
    moment = datetime.min.replace(tzinfo=UTC)
    fleeting = {"execution_time_ms": ExecutionTime(), "usage": Usage(), "answered_at": moment, "cached": False}
    return answer.model_copy(update={**fleeting, "sources": rows})


@pytest.mark.enable_socket
@pytest.mark.parametrize("stage", STAGES)
def test_the_next_search_is_none_the_worse(upstreams: Upstreams, tmp_path: Path, stage: Stage) -> None:
    """Killed after any stage, a search leaves nothing half done: the next one gives the answer, and gains by it."""
    environment = upstreams.environment(tmp_path / "goldpan.sqlite")
    assert died(die_after, stage, environment, QUESTION) == signal.SIGKILL
    searched = upstreams.github.searches
    answer, waited = search_afterwards(environment, QUESTION, LOCK_TTL.total_seconds())
    assert lasting(answer) == lasting(upstreams.undisturbed)
    assert (answer.cached, waited) == (False, 0)
    assert (upstreams.github.searches == searched) == (stage != "translate")
    told, _ = search_afterwards(environment, QUESTION, LOCK_TTL.total_seconds())
    assert told == answer.model_copy(update={"cached": True})


@pytest.mark.enable_socket
def test_who_comes_at_once_waits_for_the_dead_half_of_its_time(upstreams: Upstreams, tmp_path: Path) -> None:
    """The mark of the dead holds the next one up for half of its own time at most, and it answers then."""
    environment = upstreams.environment(tmp_path / "goldpan.sqlite")
    assert died(die_after, "score", environment, QUESTION) == signal.SIGKILL
    answer, waited = search_afterwards(environment, QUESTION, 0)
    half = MAX_WAIT_SHARE * 25
    assert half - 2 <= waited <= half + POLL_SECONDS
    assert lasting(answer) == lasting(upstreams.undisturbed)


@pytest.mark.enable_socket
def test_what_the_dead_spent_stands_for_its_window(upstreams: Upstreams, tmp_path: Path) -> None:
    """What a killed search asked of GitHub is spent, as much as GitHub saw, until the window has passed."""
    path = tmp_path / "goldpan.sqlite"
    before = len(upstreams.github.requests)
    assert died(die_after, "scout", upstreams.environment(path), QUESTION) == signal.SIGKILL
    asked = [request.body["variables"] for request in upstreams.github.requests[before:]]
    file, clock = SqliteFile(path), SkippingClock()
    with file.transaction() as connection:
        ((key, spent),) = connection.execute("SELECT key, sum(cost) FROM spent WHERE window = '60s' GROUP BY key")
    assert spent == sum(search_cost(len(variables)) for variables in asked) > 0
    budget = SqliteRateLimiter(file, clock, RATE_LIMITS)
    assert budget.acquire(key, 2000 - spent).granted
    turn = budget.acquire(key, spent)
    assert not turn.granted
    wait = (turn.at - clock.now()).total_seconds()
    assert 0 < wait <= 60 + 2 + 1
    clock.wait(wait)
    assert budget.acquire(key, spent).granted
    file.close()


def test_turns_of_the_dead_come_back_when_their_window_has_passed(tmp_path: Path) -> None:
    """Who took all and died blocks the others for its window, its part and the margin, and then all is there again."""
    path = tmp_path / "goldpan.sqlite"
    assert died(take_all_and_die, path) == signal.SIGKILL
    file, clock = SqliteFile(path), SkippingClock()
    budget = SqliteRateLimiter(file, clock, LIMITS)
    turn = budget.acquire(BUDGET, MOST)
    wait = (turn.at - clock.now()).total_seconds()
    assert not turn.granted
    assert 0 < wait <= WINDOW + WINDOW / 30 + WINDOW / 10
    clock.wait(wait)
    assert budget.acquire(BUDGET, MOST).granted
    assert not budget.acquire(BUDGET).granted
    file.close()


def sound(path: Path) -> int:
    """Tell the generation that is read after a death; both keys are of it, and the file is sound and writable."""
    file = SqliteFile(path)
    cache = SqliteCache(file, WallClock())
    read = cache.read(KEYS)
    generations = {int(entry.value[:8]) for entry in read.values()}
    assert len(generations) <= 1
    generation = generations.pop() if generations else -1
    assert {key: entry.value for key, entry in read.items()} == (
        dict.fromkeys(KEYS, value_of(generation)) if generation >= 0 else {}
    )
    cache.write(dict.fromkeys(KEYS, b"after"), LIFE)
    assert {entry.value for entry in cache.read(KEYS).values()} == {b"after"}
    with file.transaction() as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    file.close()
    return generation


@pytest.mark.parametrize("checkpoint_pages", [0, 1])
def test_a_write_that_is_cut_anywhere_never_was(tmp_path: Path, checkpoint_pages: int) -> None:
    """Killed within a write to the log or to the file itself, a writer leaves both values of one generation."""
    generations = []
    for cut in range(12):
        path = tmp_path / f"{cut}.sqlite"
        assert died(write_until_killed, path, BEGUN_WITH + 3333 * cut, checkpoint_pages) == signal.SIGXFSZ
        generations.append(sound(path))
    assert max(generations) > 0


@pytest.mark.parametrize("largest", [0, 1, 100, 3000, 4096, 5000, 12_288, 16_000, 30_000, 32_768, 36_000, 40_000])
def test_a_file_that_was_being_made_is_made_by_the_next(tmp_path: Path, largest: int) -> None:
    """Killed while it makes the file, a process leaves one that the next one makes good."""
    path = tmp_path / "state" / "goldpan.sqlite"
    assert died(make_until_killed, path, largest) == signal.SIGXFSZ
    assert sound(path) == -1


@pytest.mark.parametrize("steps", [1, 5, 10, 20, 30])
def test_a_writing_that_is_cut_between_two_rows_never_was(tmp_path: Path, steps: int) -> None:
    """Killed within the transaction that writes both keys, a writer leaves both as they were."""
    path = tmp_path / "goldpan.sqlite"
    assert died(die_within_a_write, path, steps) == signal.SIGKILL
    assert sound(path) == 0


def test_the_files_beside_it_are_no_leftovers(tmp_path: Path) -> None:
    """What a dead writer leaves beside the file is read into it by the next one, and is gone when that one closes."""
    path = tmp_path / "goldpan.sqlite"
    assert died(die_within_a_write, path, 10) == signal.SIGKILL
    assert Path(f"{path}-wal").stat().st_size > 0
    sound(path)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    reader = sqlite3.connect(path)
    assert reader.execute("SELECT count(*) FROM cache").fetchone() == (2,)
    reader.close()
