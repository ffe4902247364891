"""What the platform does to a function, which no pipeline has: the search goes on without it, or ends in its words."""

from __future__ import annotations

from typing import Any

import pytest
from goldpan.contracts import RankedRepository
from goldpan.engine.problem_details import OVERLOADED_SECONDS

from tests.e2e.comparison import Searched, Stack
from tests.e2e.fakes import Fakes, LeapingClock, Shelf, repositories
from tests.e2e.lambda_service import PlatformFailure

CUT, THROTTLED = "Sandbox.Timedout", "Lambda.TooManyRequestsException"
LOST = (
    "Runtime.ExitError",
    "Runtime.OutOfMemory",
    "Lambda.Unknown",
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.ClientExecutionTimeoutException",
    THROTTLED,
)
SNAPSHOT = ("Lambda.SnapStartNotReadyException", "Lambda.SnapStartTimeoutException", "Lambda.SnapStartException")
"""https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_Errors: a snapshot that is not restored."""
STAGES = {"translate": "query_translator", "shortlist": "screener", "rank": "screener", "assemble": "screener"}
OVERLOADED = {
    "type": "urn:goldpan:problem:overloaded",
    "title": "Too many searches at once",
    "status": 503,
    "detail": "more searches run at once than are allowed",
}


def scouting(error: str, strategy: str, source: str = "github", times: int | None = None) -> PlatformFailure:
    """Let one scout fail."""
    where = {"strategy": strategy, "source": source}
    return PlatformFailure("scout", error, times=times, when=lambda event: where.items() <= event["task"].items())


def scoring(error: str, number: int = 3, times: int | None = None) -> PlatformFailure:
    """Let the scoring of one repository fail."""
    name = f"example-org/motion-{number:02}"
    where = {"stage": "score"}
    return PlatformFailure("screener", error, "", where, times, lambda e: e["task"]["repository"]["full_name"] == name)


def statuses(searched: Searched) -> list[str]:
    """Give the status of each strategy, in the order of the answer."""
    return [row.status for row in searched.answer.sources]


def judged_by_rules(searched: Searched) -> list[str]:
    """Name the results that the model did not judge."""
    section = searched.answer.repositories
    results: tuple[RankedRepository, ...] = section.results if section else ()
    return sorted(result.name for result in results if result.basis == "rules")


def test_a_scout_that_is_cut(stack: Stack) -> None:
    """A scout that the platform cuts becomes a row like that of a source that hangs; the others are answered."""
    searched = stack.search(Fakes(), scouting(CUT, "recency"))
    assert statuses(searched) == ["ok", "timeout", "ok"]
    assert searched.calls["scout"] == 3


def test_scouts_that_are_lost(stack: Stack) -> None:
    """However the platform loses scouts, each becomes a row `unavailable`, and the others are answered."""
    shelves = {source: Shelf() for source in ("github", "arxiv", "catalogue")}
    places = [(strategy, source) for source in shelves for strategy in ("stars", "recency", "expanded")]
    failures = [scouting(error, *place) for error, place in zip(LOST, places, strict=False)]
    searched = stack.search(Fakes(shelves), *failures, sources=list(shelves))
    assert statuses(searched) == ["unavailable"] * 8 + ["ok"]
    assert searched.calls["scout"] == 9 + 5  # the service's own errors are met once more
    assert judged_by_rules(searched) == []


@pytest.mark.parametrize("error", SNAPSHOT)
def test_a_scout_whose_snapshot_fails(stack: Stack, error: str) -> None:
    """A scout whose snapshot cannot be restored becomes a row `unavailable`; the others are answered."""
    assert statuses(stack.search(Fakes(), scouting(error, "recency"))) == ["ok", "unavailable", "ok"]


def test_functions_that_cannot_read_their_secrets(stack: Stack) -> None:
    """Where too many functions read their secrets at once, a strategy and a verdict are lost, and the others stand."""
    searched = stack.search(Fakes(), scouting("Overloaded", "recency"), scoring("Overloaded"))
    assert statuses(searched) == ["ok", "unavailable", "ok"]
    assert judged_by_rules(searched) == ["motion-03"]


def test_functions_that_are_throttled_once(stack: Stack) -> None:
    """What is throttled once is called once more, at whatever stage, and the answer is whole."""
    translating = PlatformFailure("query_translator", THROTTLED, where={"stage": "translate"}, times=1)
    failures = (translating, scouting(THROTTLED, "stars", times=1), scoring(THROTTLED, times=1))
    searched = stack.search(Fakes(), *failures)
    assert not searched.answer.warnings
    assert not searched.answer.errors
    assert (searched.calls["translate"], searched.calls["scout"], searched.calls["score"]) == (2, 4, 6)


def test_a_scout_that_is_throttled_until_its_time_is_over(stack: Stack) -> None:
    """A scout whose second call comes too late becomes a row; what the others found is answered all the same."""
    clock, met = LeapingClock(), list[str]()

    def first(event: dict[str, Any]) -> bool:
        met.append(event["task"]["strategy"])
        if met.count("expanded") == 2:
            clock.leap(15)
        return met.count("expanded") == 1 and met[-1] == "expanded"

    searched = stack.search(Fakes(clock=clock), PlatformFailure("scout", THROTTLED, when=first))
    assert statuses(searched) == ["ok", "ok", "timeout"]


def test_all_scouts_are_lost(stack: Stack) -> None:
    """Where every scout is lost, the search ends with status 503."""
    searched = stack.search(Fakes(), PlatformFailure("scout", "Runtime.ExitError"))
    assert searched.response.statusCode == 503
    assert searched.problem["detail"] == "github: unavailable (the function that asks this source did not answer)"


def test_verdicts_that_are_lost(stack: Stack) -> None:
    """However the platform loses verdicts, the rules judge; a warning counts them and an error says why."""
    fakes = Fakes({"github": Shelf(repositories(8))})
    searched = stack.search(fakes, *(scoring(error, number) for number, error in enumerate(LOST[1:])))
    assert judged_by_rules(searched) == [f"motion-{number:02}" for number in range(7)]
    assert searched.answer.warnings[0].startswith("7 of 8 repositories were ordered by rules")
    assert [error.error for error in searched.answer.errors] == ["the function that scores did not answer (7 times)"]


def test_a_verdict_that_is_cut(stack: Stack) -> None:
    """A verdict that the platform cuts is left to the rules, as one that is cut on one machine is."""
    searched = stack.search(Fakes(), scoring(CUT))
    assert judged_by_rules(searched) == ["motion-03"]
    assert [error.error for error in searched.answer.errors] == ["the time for scoring was up"]
    assert searched.calls["score"] == 5


def test_a_verdict_that_is_cut_was_paid_for(stack: Stack) -> None:
    """A verdict that the platform cuts counts as a call of the model, as one that is cut on one machine does."""
    assert stack.search(Fakes(), scoring(CUT)).answer.usage.llm_calls == 6


@pytest.mark.parametrize("error", SNAPSHOT)
def test_a_verdict_whose_snapshot_fails(stack: Stack, error: str) -> None:
    """A verdict whose function cannot be restored is left to the rules."""
    assert judged_by_rules(stack.search(Fakes(), scoring(error))) == ["motion-03"]


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("error", [CUT, "Runtime.ExitError"])
def test_a_stage_that_all_depends_on(stack: Stack, stage: str, error: str) -> None:
    """Where a stage without a stand-in is cut or lost, the search ends with status 504 or 500, and nothing inside."""
    searched = stack.search(Fakes(), PlatformFailure(STAGES[stage], error, where={"stage": stage}))
    cut = error == CUT and stage != "assemble"
    assert searched.response.statusCode == (504 if cut else 500)
    assert searched.problem["type"] == f"urn:goldpan:problem:{'out-of-time' if cut else 'defect'}"
    assert error not in searched.response.body
    assert searched.calls[stage] == 1


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_that_stays_throttled(stack: Stack, stage: str) -> None:
    """A stage that stays throttled is called no third time; the asker is told to come again in a few seconds."""
    searched = stack.search(Fakes(), PlatformFailure(STAGES[stage], THROTTLED, where={"stage": stage}))
    assert searched.problem == OVERLOADED
    assert searched.response.statusCode == 503
    assert searched.response.retryAfter == str(OVERLOADED_SECONDS)
    assert searched.calls[stage] == 2
