"""Many who ask the same at once: one search, one answer, and nobody held up by an owner who fails, stops or dies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from goldpan.contracts import Answer, SearchRequest
from goldpan.engine.search import LOCK_TTL, MAX_WAIT_SHARE, PARTIAL_TTL, POLL_SECONDS
from goldpan.engine.deadlines import WallClock
from goldpan.engine.library import answered
from goldpan.errors import Cancelled, SourcesFailed, TimedOut

from tests.integration.conftest import KEY, MODEL, QUESTION, ROOMY, TOKEN, fresh_repositories, judged
from tests.slow.stampede_processes import stampede
from tests.slow.stampede_world import (
    REQUEST,
    Asker,
    GatedSource,
    SkippingClock,
    WatchedClock,
    alike,
    runtime_on,
    with_clock,
)
from tests.support.factories import QueuedModel
from tests.support.loopback import LoopbackGitHub, LoopbackLLM

SECONDS_A_CALL = 0.05


@pytest.fixture
def upstreams() -> Iterator[tuple[LoopbackGitHub, LoopbackLLM]]:
    """Serve GitHub and a model that take a moment for each call."""
    with (
        LoopbackGitHub(fresh_repositories(), limits=ROOMY, latency=lambda: SECONDS_A_CALL) as github,
        LoopbackLLM(judged, latency=lambda: SECONDS_A_CALL) as llm,
    ):
        yield github, llm


def environment(github: LoopbackGitHub, llm: LoopbackLLM, file: Path) -> dict[str, str]:
    """Set what a process needs."""
    of_github = {"GITHUB_API_URL": github.url, "GITHUB_TOKEN": TOKEN}
    of_model = {"LLM_API_KEY": KEY, "LLM_BASE_URL": llm.base_url, "LLM_MODEL": MODEL}
    return of_github | of_model | {"GOLDPAN_CACHE": str(file)}


@pytest.mark.enable_socket
@pytest.mark.parametrize(("processes", "threads"), [(1, 50), (5, 10)])
def test_fifty_at_once_cost_one_search(
    upstreams: tuple[LoopbackGitHub, LoopbackLLM], tmp_path: Path, processes: int, threads: int
) -> None:
    """Fifty threads, of one process or of five, ask upstream what one alone asks, and get one answer."""
    github, llm = upstreams
    stampede(environment(github, llm, tmp_path / "alone.sqlite"), QUESTION, 1, 1)
    alone = (len(github.requests), github.searches, len(llm.requests))
    asked = stampede(environment(github, llm, tmp_path / "together.sqlite"), QUESTION, processes, threads)
    spent = (len(github.requests), github.searches, len(llm.requests))
    answers = [one.answer for one in asked]
    assert spent == tuple(2 * count for count in alone)
    assert all(count > 0 for count in alone)
    assert sorted(answer.cached for answer in answers) == [False] + 49 * [True]
    assert alike(answers)
    assert answers[0].repositories


def test_who_comes_as_the_owner_ends_does_not_search_again(tmp_path: Path) -> None:
    """An answer that is kept between a look and the turn after it is given, not searched for once more."""
    source = GatedSource(is_open=True)
    runtime = runtime_on(tmp_path / "one.sqlite", source)
    late = runtime_on(tmp_path / "one.sqlite", source)
    first = Asker(runtime).told()
    searched = source.calls
    answers = late.dependencies.answers
    assert answers is not None
    looks = iter([None])
    kept = answers.fresh
    answers.fresh = lambda key: next(looks, kept(key))  # type: ignore[method-assign]  # the first look was too early
    told = Asker(late).told()
    assert (source.calls, told.cached, alike([first, told])) == (searched, True, True)


def test_the_next_one_searches_where_the_owner_fails(tmp_path: Path) -> None:
    """A search that fails is its owner's alone: of those who wait one searches next, and the others get its answer."""
    one_search = _calls_of_one_search(tmp_path)
    source = GatedSource(TimedOut("no answer"), only=one_search)
    owner = Asker(runtime_on(tmp_path / "one.sqlite", source))
    assert source.asked.wait(10)
    waiting = [Asker(runtime_on(tmp_path / "one.sqlite", source)) for _ in range(5)]
    source.gate.set()
    assert isinstance(owner.ended().error, SourcesFailed)
    answers = [asker.told() for asker in waiting]
    assert sorted(answer.cached for answer in answers) == [False, True, True, True, True]
    assert alike(answers)
    assert source.calls == 2 * one_search


def _calls_of_one_search(folder: Path) -> int:
    source = GatedSource(is_open=True)
    Asker(runtime_on(folder / "alone.sqlite", source)).told()
    return source.calls


def test_an_owner_that_is_given_up_lets_the_next_one_search(tmp_path: Path) -> None:
    """A search that its asker gave up takes its mark away, and one who waits searches."""
    source = GatedSource(is_open=True)
    runtime = runtime_on(tmp_path / "one.sqlite", source)
    clock, patient = WallClock(), WatchedClock()
    heirs: list[Asker] = []

    def given_up(_left: SearchRequest) -> Answer:
        heirs.append(Asker(with_clock(runtime, patient)))
        assert patient.waiting.wait(10)
        clock.cancel()
        clock.wait(1)
        raise AssertionError("a search that was given up went on")

    with pytest.raises(Cancelled):
        answered(REQUEST, with_clock(runtime, clock), given_up)
    assert not heirs[0].told().cached
    assert source.calls


def test_who_waits_and_is_given_up_waits_no_longer(tmp_path: Path) -> None:
    """Giving up one who waits ends its wait, and leaves the owner and its mark alone."""
    one_search, source, clock = _calls_of_one_search(tmp_path), GatedSource(), SkippingClock()
    runtime = runtime_on(tmp_path / "one.sqlite", source)
    owner = Asker(runtime)
    assert source.asked.wait(10)
    clock.cancel()
    assert isinstance(Asker(with_clock(runtime, clock)).ended().error, Cancelled)
    source.gate.set()
    assert (owner.told().cached, source.calls) == (False, one_search)


@pytest.mark.parametrize("seconds", [5, 25])
def test_who_has_little_time_answers_itself(tmp_path: Path, seconds: int) -> None:
    """Where the owner is slow, one who waits searches itself after half of its time, in what is left of it."""
    slow, quick, file = GatedSource(), GatedSource(is_open=True), tmp_path / "one.sqlite"
    request = REQUEST.model_copy(update={"max_seconds": seconds})
    owner = Asker(runtime_on(file, slow), request)
    assert slow.asked.wait(10)
    clock, model = SkippingClock(), QueuedModel()
    told = Asker(runtime_on(file, quick, clock, model), request).told()
    assert not told.cached
    assert max(model.seconds) <= (1 - MAX_WAIT_SHARE) * seconds + 1
    assert MAX_WAIT_SHARE * seconds - POLL_SECONDS <= clock.waited <= MAX_WAIT_SHARE * seconds + POLL_SECONDS
    assert quick.calls
    slow.gate.set()
    owner.ended()


def test_nobody_waits_on_a_dead_owner_longer_than_its_mark_lives(tmp_path: Path) -> None:
    """A mark that nobody takes away holds the next one up until its life is over, and no longer."""
    dead, alive, file = GatedSource(), GatedSource(is_open=True), tmp_path / "one.sqlite"
    owner = Asker(runtime_on(file, dead))
    assert dead.asked.wait(10)
    clock = SkippingClock(ahead=LOCK_TTL.total_seconds() - 5)
    told = Asker(runtime_on(file, alive, clock)).told()
    assert not told.cached
    assert 0 < clock.waited <= 5 + POLL_SECONDS
    dead.gate.set()
    owner.ended()


def test_a_partial_answer_is_shared_and_then_gone(tmp_path: Path) -> None:
    """An answer to which a part is missing serves all who wait for it, and nobody ten seconds later."""
    one_search, file = _calls_of_one_search(tmp_path), tmp_path / "one.sqlite"
    source = GatedSource(TimedOut("no answer"), only=1)
    owner = Asker(runtime_on(file, source))
    assert source.asked.wait(10)
    clocks = [WatchedClock() for _ in range(5)]
    waiting = [Asker(runtime_on(file, source, clock)) for clock in clocks]
    assert all(clock.waiting.wait(10) for clock in clocks)
    source.gate.set()
    answers = [asker.told() for asker in (owner, *waiting)]
    assert [row.status for row in answers[0].sources].count("timeout") == 1
    assert [answer.cached for answer in answers] == [False] + 5 * [True]
    assert (alike(answers), source.calls) == (True, one_search)
    life = PARTIAL_TTL.total_seconds()
    assert Asker(runtime_on(file, source, SkippingClock(ahead=life / 2))).told().cached
    later = Asker(runtime_on(file, source, SkippingClock(ahead=life))).told()
    assert (later.cached, source.calls) == (False, 2 * one_search)
    assert {row.status for row in later.sources} == {"ok"}
