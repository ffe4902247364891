"""The outcomes of all kinds become the answer, or what ended them is raised."""

from __future__ import annotations

from itertools import permutations

import pytest
from goldpan.contracts import Answer, ExecutionTime, KindFailure, KindResult, SourceStatus, StageError, Usage
from goldpan.kinds.repositories.models import RepositorySection
from goldpan.engine.assemble import assemble
from goldpan.errors import (
    CredentialRejected,
    Defect,
    GoldpanError,
    InvalidRequest,
    Misconfigured,
    OutOfTime,
    SourcesFailed,
    SourcesLimited,
    TerminalError,
)

from tests.support.factories import NOW, request

SECTION = RepositorySection(total_candidates=3, shortlisted=2, results=())
ROW = SourceStatus(kind="repositories", strategy="stars", source="github", status="ok")
FOUND = KindResult(
    repositories=SECTION,
    sources=(ROW,),
    errors=(StageError(stage="score", error="late", timestamp=NOW),),
    warnings=("By rules.",),
    usage=Usage(llm_calls=2, input_tokens=10, output_tokens=1, cost_usd=0.1),
)
TIMES = ExecutionTime(query_translator=1, scout=2, screener=3, total=6)
PASSING: list[type[TerminalError]] = [SourcesFailed, SourcesLimited, OutOfTime]
TO_BE_MENDED: list[type[TerminalError]] = [InvalidRequest, Misconfigured, CredentialRejected]
ENDINGS = [cls.__name__ for cls in (*PASSING, *TO_BE_MENDED)] + ["States.Timeout"]


def failure(name: str, message: str = "github: unavailable (down)", kind: str = "papers") -> KindFailure:
    """Make a kind that failed."""
    return KindFailure(kind=kind, error=name, message=message)


def assembled(*lines: KindResult | KindFailure) -> Answer:
    """Bring the kinds together."""
    return assemble(request(), lines, TIMES, NOW)


def _ended(*lines: KindResult | KindFailure) -> type[GoldpanError]:
    with pytest.raises(GoldpanError) as raised:
        assembled(*lines)
    return type(raised.value)


def test_an_outcome_is_the_answer() -> None:
    """All that a kind brings reaches the answer: its section, rows, errors, warnings and costs."""
    answer = assembled(FOUND)
    assert (answer.repositories, answer.sources, answer.errors) == (SECTION, (ROW,), FOUND.errors)
    assert (answer.warnings, answer.usage, answer.execution_time_ms) == (("By rules.",), FOUND.usage, TIMES)
    assert (answer.query, answer.mode, answer.answered_at) == (request().query, "balanced", NOW)


@pytest.mark.parametrize("ending", PASSING)
@pytest.mark.parametrize("first", [True, False])
def test_a_kind_that_failed_beside_one_that_answered_is_told(ending: type[TerminalError], *, first: bool) -> None:
    """The other kind is answered all the same, with one warning and one error that say why this one is missing."""
    failed = failure(ending.__name__)
    answer = assembled(*((failed, FOUND) if first else (FOUND, failed)))
    assert answer.repositories == SECTION
    assert answer.warnings[-1] == "No papers in this answer: github: unavailable (down)."
    assert answer.errors[-1] == StageError(stage="papers", error="github: unavailable (down)", timestamp=NOW)
    assert answer.usage == FOUND.usage


@pytest.mark.parametrize("ending", PASSING)
def test_where_every_kind_failed_the_search_ends(ending: type[TerminalError]) -> None:
    """There is no empty answer: what ended the kind ends the search."""
    assert _ended(failure(ending.__name__)) is ending
    assert _ended(failure(ending.__name__), failure(ending.__name__, kind="repositories")) is ending


def test_the_time_to_come_back_survives() -> None:
    """A limit told by a kind is a limit of the search, with its time."""
    with pytest.raises(SourcesLimited, match="rate_limited") as limited:
        assembled(failure("SourcesLimited", "github: rate_limited (slow); try again at 2026-08-22T13:00:00Z"))
    assert limited.value.retry_at is not None
    assert limited.value.retry_at.isoformat() == "2026-08-22T13:00:00+00:00"


@pytest.mark.parametrize("ending", TO_BE_MENDED)
@pytest.mark.parametrize("first", [True, False])
def test_what_has_to_be_mended_always_ends_the_search(ending: type[TerminalError], *, first: bool) -> None:
    """A bad request, a wrong setting or a rejected credential is never hidden behind the answer of another kind."""
    failed = failure(ending.__name__)
    assert _ended(*((failed, FOUND) if first else (FOUND, failed))) is ending


@pytest.mark.parametrize("name", ["KeyError", "Lambda.Unknown", "Unavailable", "nothing"])
def test_a_defect_always_ends_the_search(name: str) -> None:
    """What broke as nobody foresaw is not told as a missing kind."""
    assert _ended(FOUND, failure(name)) is Defect


@pytest.mark.parametrize("pair", list(permutations(ENDINGS, 2)), ids=" then ".join)
def test_the_order_of_the_kinds_does_not_decide_what_ended_the_search(pair: tuple[str, str]) -> None:
    """Two kinds that failed differently end the search the same way, whichever was asked for first."""
    one, other = (failure(name) for name in pair)
    assert _ended(one, other) is _ended(other, one)


@pytest.mark.parametrize("mended", TO_BE_MENDED)
@pytest.mark.parametrize("passing", PASSING)
def test_what_has_to_be_mended_is_told_before_what_passes(
    mended: type[TerminalError], passing: type[TerminalError]
) -> None:
    """Trying again later would not help, so the search does not say so."""
    assert _ended(failure(passing.__name__), failure(mended.__name__)) is mended


def test_the_same_warning_is_told_once() -> None:
    """Two kinds that have the same to say, such as that there is no model, say it once; their costs add up."""
    other = KindResult(warnings=("By rules.", "Another."), usage=Usage(llm_calls=1, cost_usd=0.2))
    answer = assembled(FOUND, other)
    assert answer.warnings == ("By rules.", "Another.")
    assert (answer.usage.llm_calls, answer.usage.cost_usd) == (3, 0.3)


def test_without_any_kind_there_is_an_empty_answer() -> None:
    """Nothing failed, so nothing is raised."""
    assert assembled().repositories is None
