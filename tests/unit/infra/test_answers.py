"""Whole answers: remembered as long as they are worth it, and found once for all who ask at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from goldpan.contracts import (
    Answer,
    Basis,
    RankedRepository,
    RepositorySection,
    Scores,
    SearchRequest,
    SourceStatus,
    StageError,
    Status,
    Usage,
)
from goldpan.engine.answer_cache import LOCK_TTL, MAX_BYTES, PARTIAL_TTL, Answers, whole
from goldpan.engine.deadlines import WallClock
from goldpan.errors import Cancelled, SourcesFailed
from goldpan.infra.cache.port import TTL, ProcessCache
from goldpan.infra.locks.port import ProcessLocks

from tests.unit.infra.fakes import START, FakeClock

REQUEST = SearchRequest(query="React animation library")
KEY = "answer:1"


def row(status: Status = "ok", age_s: int | None = None) -> SourceStatus:
    """Make the row of a strategy."""
    return SourceStatus(kind="repositories", strategy="stars", source="github", status=status, age_s=age_s)


def result(basis: Basis = "llm", reasoning: str = "It fits.") -> RankedRepository:
    """Make a result."""
    return RankedRepository(
        repo="example-org/motion",
        name="motion",
        description=None,
        url="https://github.com/example-org/motion",
        stars=500,
        language=None,
        relevance=0.9,
        scores=Scores(),
        radar_chart_data=(),
        reasoning=reasoning,
        basis=basis,
        found_by=(),
    )


def answer(*results: RankedRepository, rows: tuple[SourceStatus, ...] = (row(),), calls: int = 1) -> Answer:
    """Make an answer."""
    section = RepositorySection(total_candidates=1, shortlisted=1, results=results or (result(),))
    usage = Usage(llm_calls=calls)
    return Answer(
        query=REQUEST.query, mode="balanced", repositories=section, sources=rows, usage=usage, answered_at=START
    )


def failing(failure: BaseException) -> Callable[[], Answer]:
    """Make a search that ends otherwise."""

    def find() -> Answer:
        raise failure

    return find


class Desk:
    """Answers on one clock, and what they lie on."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.cache, self.flights = ProcessCache(self.clock), ProcessLocks(self.clock)
        self.answers = Answers(self.cache, self.flights, self.clock)
        self.searches = 0

    def ask(self, told: Answer | None = None, *, refresh: bool = False) -> Answer:
        """Ask for the answer, and count where it has to be searched for."""

        def find() -> Answer:
            self.searches += 1
            return (told or answer()).model_copy(update={"answered_at": self.clock.now()})

        return self.answers.found(KEY, REQUEST, find, self.clock, refresh=refresh)


@pytest.fixture
def desk() -> Desk:
    """Give a desk."""
    return Desk()


def test_a_repeated_question_is_searched_once_a_quarter_of_an_hour(desk: Desk) -> None:
    """The same answer comes again, marked as cached, until its quarter of an hour is over; reading renews nothing."""
    first = desk.ask()
    assert not first.cached
    for _ in range(14):
        desk.clock.wait(60)
        assert desk.ask() == first.model_copy(update={"cached": True})
    desk.clock.wait(60)
    assert not desk.ask().cached
    assert desk.searches == 2


def test_refresh_searches_anew_and_remembers_that(desk: Desk) -> None:
    """Who wants it anew gets it anew; who asks after that gets the newer one."""
    desk.ask()
    desk.clock.wait(60)
    anew = desk.ask(refresh=True)
    assert (anew.cached, desk.searches) == (False, 2)
    assert desk.ask().answered_at == anew.answered_at


PARTIAL = {
    "a limited source": answer(rows=(row(), row("rate_limited"))),
    "a source that hangs": answer(rows=(row("timeout"), row())),
    "a source that is down": answer(rows=(row("unavailable"), row())),
    "a source that is not there": answer(rows=(row("skipped"), row())),
    "what is stale": answer(rows=(row(age_s=3601),)),
    "an error": answer().model_copy(update={"errors": (StageError(stage="shortlist", error="e", timestamp=START),)}),
    "a model that judged nothing": answer(result("rules"), calls=3),
}
WHOLE = {
    "all well": answer(rows=(row(), row("empty"), row("truncated"))),
    "remembered source data": answer(rows=(row(age_s=3600),)),
    "no model": answer(result("rules"), calls=0),
    "a model that judged some": answer(result(), result("rules")),
    "nothing found": answer().model_copy(update={"repositories": None}),
}


@pytest.mark.parametrize("name", PARTIAL)
def test_a_partial_answer_is_for_those_who_wait_now(desk: Desk, name: str) -> None:
    """An answer to which a part is missing serves for seconds alone."""
    assert not whole(PARTIAL[name])
    desk.ask(PARTIAL[name])
    desk.clock.wait(PARTIAL_TTL.total_seconds() - 1)
    assert desk.ask(PARTIAL[name]).cached
    desk.clock.wait(1)
    assert not desk.ask(PARTIAL[name]).cached


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_answer_is_remembered(desk: Desk, name: str) -> None:
    """An answer whose parts all did their work serves for its whole life."""
    assert whole(WHOLE[name])
    desk.ask(WHOLE[name])
    desk.clock.wait(TTL["answer"].total_seconds() - 1)
    assert desk.ask(WHOLE[name]).cached


def test_an_answer_that_no_state_could_carry_is_not_kept(desk: Desk) -> None:
    """An answer over the bound is given and not remembered."""
    large = answer(result(reasoning="x" * MAX_BYTES))
    assert desk.ask(large).repositories == large.repositories
    assert not desk.ask(large).cached


@pytest.mark.parametrize("kept", [b"", b"null", b"{}", b"\xff", b'{"query": "React"}', b"[1]"])
def test_what_is_no_answer_is_not_given(desk: Desk, kept: bytes) -> None:
    """Garbage under the key, or the form of another version, is as nothing."""
    desk.cache.write({KEY: kept}, TTL["answer"])
    assert not desk.ask().cached


@pytest.mark.parametrize("failure", [SourcesFailed("all are down"), Cancelled("given up"), KeyboardInterrupt()])
def test_what_ends_a_search_is_never_remembered(desk: Desk, failure: BaseException) -> None:
    """A search that ended otherwise leaves neither an answer nor a mark: the next one searches at once."""
    with pytest.raises(type(failure)):
        desk.answers.found(KEY, REQUEST, failing(failure), desk.clock)
    assert not desk.ask().cached
    assert not desk.clock.waits


def test_the_mark_of_the_dead_expires(desk: Desk) -> None:
    """One who died leaves a mark that nobody waits on for longer than its life, nor than half of the own time."""
    assert desk.answers.turn(KEY, "the dead", REQUEST, START) == "search"
    desk.clock.wait(LOCK_TTL.total_seconds() - 3)
    begun = desk.clock.now()
    assert not desk.ask().cached
    assert timedelta(seconds=2.9) <= desk.clock.now() - begun <= timedelta(seconds=3.1)


@pytest.mark.parametrize(("max_seconds", "longest"), [(5, 2.5), (25, 12.5)])
def test_nobody_waits_for_more_than_half_of_its_time(desk: Desk, max_seconds: int, longest: float) -> None:
    """Who has waited for half of its own time searches itself, and leaves the other's mark alone."""
    desk.answers.turn(KEY, "another", REQUEST, START)
    request = REQUEST.model_copy(update={"max_seconds": max_seconds})
    assert not desk.answers.found(KEY, request, answer, desk.clock).cached
    assert longest <= (desk.clock.now() - START).total_seconds() <= longest + 0.2
    assert not desk.flights.begin(KEY, LOCK_TTL, "a third")


def test_who_asks_anew_takes_what_another_finds_meanwhile(desk: Desk) -> None:
    """A refresh waits for a search that runs, and takes its answer only where that is newer than itself."""
    desk.ask()
    desk.clock.wait(5)
    desk.answers.turn(KEY, "another", REQUEST, desk.clock.now())
    newer = answer().model_copy(update={"answered_at": START + timedelta(seconds=6)})
    waits = list[float]()

    class Meanwhile(FakeClock):
        """Something happens while one waits."""

        def wait(self, seconds: float) -> None:
            """Wait, and let it happen."""
            desk.clock.wait(seconds)
            waits.append(seconds)
            if len(waits) == 3:
                desk.answers.keep(KEY, newer)

        def now(self) -> datetime:
            """Tell the time, which is the same for all."""
            return desk.clock.now()

    told = desk.answers.found(KEY, REQUEST, failing(AssertionError("searched")), Meanwhile(), refresh=True)
    assert told == newer.model_copy(update={"cached": True})


def test_fifty_at_once_cost_one_search() -> None:
    """Fifty threads that ask the same at once get one answer, which one of them finds."""
    clock, searches, together = WallClock(), list[int](), threading.Barrier(50)
    answers = Answers(ProcessCache(clock), ProcessLocks(clock), clock)

    def find() -> Answer:
        searches.append(1)
        clock.wait(0.3)
        return answer().model_copy(update={"answered_at": clock.now()})

    told: list[Answer] = []

    def ask() -> None:
        together.wait()
        told.append(answers.found(KEY, REQUEST, find, clock))

    threads = [threading.Thread(target=ask) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(told), len(searches)) == (50, 1)
    assert sorted(each.cached for each in told) == [False] + 49 * [True]
