"""Failures of the platform, which a pipeline does not have: the search continues without the lost part, or ends."""

from typing import Any

import pytest
from goldpan.errors import CredentialRejected

from tests.e2e.comparison import Searched, Stack
from tests.support.handlers import HANDLERS, PlatformFailure
from tests.support.search_fakes import Fakes, JudgingModel

CUT, THROTTLED = "Sandbox.Timedout", "Lambda.TooManyRequestsException"
LOST = ("Runtime.ExitError", "Lambda.Unknown", "Overloaded", THROTTLED)
"""A function that ended, one that is not known, SSM's throttling, and Lambda's, which is met three times."""
STAGES = [stage for stage in HANDLERS if stage not in {"scout", "score"}]


def scouting(error: str, strategy: str) -> PlatformFailure:
    """Let the scout of one strategy fail."""
    return PlatformFailure("scout", error, when=lambda event: event["task"]["strategy"] == strategy)


def scoring(error: str, number: int = 3) -> PlatformFailure:
    """Let the scoring of one repository fail."""
    name = f"example-org/motion-{number:02}"
    return PlatformFailure("screener", error, when=lambda event: event.get("task", {}).get("id") == name)


def scored_by_rules(searched: Searched) -> list[str]:
    """Return the names of the results that the model did not judge."""
    return sorted(name for name, result in searched.results.items() if result.basis == "rules")


@pytest.mark.parametrize("error", [CUT, "States.Timeout"])
def test_tasks_that_are_cut(stack: Stack, error: str) -> None:
    """A strategy is a row `timeout`; a candidate is scored by the rules, and the call of the model is counted."""
    searched = stack.search(Fakes(), scouting(error, "recency"), scoring(error))
    assert searched.statuses == {"stars": "ok", "recency": "timeout", "expanded": "ok"}
    assert scored_by_rules(searched) == ["motion-03"]
    assert [row.error for row in searched.answer.errors] == ["the time for scoring was up"]
    assert searched.answer.usage.llm_calls == 6
    assert (searched.calls["scout"], searched.calls["score"]) == (3, 5)


@pytest.mark.parametrize("first", range(0, len(LOST), 2))
def test_scouts_that_are_lost(stack: Stack, first: int) -> None:
    """However the platform loses scouts, their strategies are rows `unavailable`, and the other has results."""
    searched = stack.search(Fakes(), scouting(LOST[first], "recency"), scouting(LOST[first + 1], "expanded"))
    assert searched.statuses == {"stars": "ok", "recency": "unavailable", "expanded": "unavailable"}
    assert len(searched.results) == 5


def test_verdicts_that_are_lost(stack: Stack) -> None:
    """However the platform loses verdicts, the rules score; a warning counts them and an error says why."""
    failures = [scoring(error, number) for number, error in enumerate(LOST)]
    searched = stack.search(Fakes(), *failures)
    assert scored_by_rules(searched) == [f"motion-{number:02}" for number in range(4)]
    assert searched.answer.warnings[0].startswith("4 of 5 repositories were ordered by rules")
    assert [row.error for row in searched.answer.errors] == [
        "the scoring failed unexpectedly; the log has the cause (4 times)"
    ]
    assert searched.calls["score"] == 5 + 2


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("error", [CUT, "States.Timeout", "Runtime.ExitError"])
def test_a_stage_that_everything_depends_on(stack: Stack, stage: str, error: str) -> None:
    """If it is cut the search ends with status 504, if it is lost with 500; nothing internal is in the body."""
    searched = stack.search(Fakes(), PlatformFailure(HANDLERS[stage], error, where={"stage": stage}))
    cut = error != "Runtime.ExitError"
    unreported = stage == "assemble" or (stage == "begin" and not cut)
    assert searched.execution.status == ("FAILED" if unreported else "SUCCEEDED")
    assert searched.response.statusCode == (504 if cut else 500)
    assert searched.problem["type"] == f"urn:goldpan:problem:{'out-of-time' if cut else 'defect'}"
    assert error not in searched.response.body
    assert searched.calls[stage] == 1


@pytest.mark.parametrize(
    ("stage", "error", "calls"),
    [
        *((stage, THROTTLED, 3) for stage in STAGES),
        *((stage, "Lambda.SnapStartNotReadyException", 3) for stage in STAGES),
        ("translate", "Lambda.ServiceException", 3),
        *((stage, "Overloaded", 1) for stage in ("begin", "shortlist")),
    ],
)
def test_a_stage_that_cannot_be_started(stack: Stack, stage: str, error: str, calls: int) -> None:
    """Lambda or SSM is throttled, or no snapshot is ready: the client is to come back in five seconds."""
    searched = stack.search(Fakes(), PlatformFailure(HANDLERS[stage], error, where={"stage": stage}))
    assert searched.problem["type"] == "urn:goldpan:problem:overloaded"
    assert (searched.response.statusCode, searched.response.retryAfter) == (503, "5")
    assert searched.calls[stage] == calls


def test_a_failure_that_cannot_be_described_keeps_its_name(stack: Stack) -> None:
    """What describes it is throttled; the client still learns which credential is wrong."""
    model = JudgingModel(judge=lambda _: CredentialRejected("LLM_API_KEY: rejected"))
    searched = stack.search(Fakes(llm=model), PlatformFailure("screener", THROTTLED, {"stage": "fail"}))
    assert (searched.problem["status"], searched.problem["detail"]) == (500, "LLM_API_KEY: rejected")


SINGLE: dict[str, tuple[str, int, dict[str, Any]]] = {
    "library": ("scout", 500, {"path": "/library/search", "request": {"query": "x"}, "projects": "*"}),
    "analyze": ("screener", 400, {"path": "", "request": {"repo": "a/b"}, "projects": "*"}),
}
"""The function, the status and the input of requests that are one call each; the fakes cannot answer them."""


@pytest.mark.parametrize("stage", SINGLE)
def test_a_request_beside_a_search(stack: Stack, stage: str) -> None:
    """It reaches its function through the machine: repeated if Lambda is throttled, then with 503, cut with 504."""
    function, status, value = SINGLE[stage]
    for error, times, calls, expected in ((THROTTLED, 1, 2, status), (THROTTLED, None, 3, 503), (CUT, None, 1, 504)):
        searched = stack.execute(Fakes(), {"stage": stage, **value}, PlatformFailure(function, error, times=times))
        assert (searched.response.statusCode, searched.calls) == (expected, {stage: calls})
        assert (searched.execution.status == "FAILED") == (expected != status)
