"""The results of all kinds become the answer, or the terminal error is raised."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import permutations

import pytest
from goldpan.contracts import Answer, ExecutionTime, SourceStatus, StageError, Usage
from goldpan.engine.assemble import assemble
from goldpan.engine.kind import KindFailure, KindResult
from goldpan.errors import CredentialRejected, Defect, GoldpanError, SourcesLimited
from goldpan.kinds.repositories.models import RepositorySection

from tests.support.factories import NOW, request

SECTION = RepositorySection(total_candidates=3, shortlisted=2, results=())
ROW = SourceStatus(kind="repositories", strategy="stars", source="github", status="ok")
FOUND = KindResult(
    kind="repositories",
    section=SECTION,
    sources=(ROW,),
    errors=(StageError(stage="score", error="late", timestamp=NOW),),
    warnings=("By rules.",),
    usage=Usage(llm_calls=2, input_tokens=10, output_tokens=1, cost_usd=0.1),
)
BY_PRECEDENCE = [
    "InvalidRequest", "CredentialRejected", "Misconfigured", "States.Timeout",
    "SourcesFailed", "SourcesLimited", "Overloaded", "OutOfTime",
]  # fmt: skip
TEMPORARY = BY_PRECEDENCE[4:]


def failure(name: str) -> KindFailure:
    """Make a kind that failed."""
    return KindFailure(kind="papers", error=name, message="arxiv: unavailable (down)")


def assembled(*outcomes: KindResult | KindFailure) -> Answer:
    """Assemble the kinds."""
    return assemble(request(), outcomes, ExecutionTime(total=6), NOW)


def test_a_result_becomes_the_answer() -> None:
    """All that a kind returns is in the answer: its section, rows, errors, warnings and usage."""
    answer = assembled(FOUND)
    assert (answer.repositories, answer.sources, answer.errors) == (SECTION, (ROW,), FOUND.errors)
    assert (answer.warnings, answer.usage, answer.execution_time_ms.total) == (("By rules.",), FOUND.usage, 6)
    assert (answer.query, answer.mode, answer.answered_at) == (request().query, "balanced", NOW)


@pytest.mark.parametrize("name", TEMPORARY)
def test_a_temporary_failure_beside_a_result_is_reported(name: str) -> None:
    """The other kind is answered, with one warning and one error about the missing kind; alone it ends the search."""
    both: list[KindResult | KindFailure] = [FOUND, failure(name)]
    for outcomes in permutations(both):
        answer = assembled(*outcomes)
        assert answer.repositories == SECTION
        assert answer.warnings[-1] == "No papers in this answer: arxiv: unavailable (down)."
        assert answer.errors[-1] == StageError(stage="papers", error="arxiv: unavailable (down)", timestamp=NOW)
    with pytest.raises(GoldpanError) as raised:
        assembled(failure(name))
    assert type(raised.value).__name__ == name


@pytest.mark.parametrize("name", BY_PRECEDENCE[:4])
def test_a_permanent_failure_always_ends_the_search(name: str) -> None:
    """What the caller or the operator must correct, or a defect, is never hidden behind another kind's answer."""
    with pytest.raises(GoldpanError) as raised:
        assembled(FOUND, failure(name))
    assert type(raised.value).__name__ == ("Defect" if name == "States.Timeout" else name)


def test_precedence_decides_between_two_failures() -> None:
    """The caller's error comes first, then the operator's, then what is temporary, whatever the order of the kinds."""
    for first, second in permutations(range(len(BY_PRECEDENCE)), 2):
        with pytest.raises(GoldpanError) as raised:
            assembled(failure(BY_PRECEDENCE[first]), failure(BY_PRECEDENCE[second]))
        expected = BY_PRECEDENCE[min(first, second)]
        assert type(raised.value).__name__ == ("Defect" if expected == "States.Timeout" else expected)


def test_the_retry_time_of_a_limit_survives() -> None:
    """A rate limit of a kind is a rate limit of the search, with its time."""
    message = "github: rate_limited (slow); try again at 2026-08-22T13:00:00Z"
    with pytest.raises(SourcesLimited, match="rate_limited") as limited:
        assembled(KindFailure(kind="repositories", error="SourcesLimited", message=message))
    assert limited.value.retry_at == datetime(2026, 8, 22, 13, tzinfo=UTC)


def test_the_same_warning_is_given_once() -> None:
    """Two kinds with the same warning give it once; their usages are added."""
    other = KindResult(kind="gadgets", warnings=("By rules.", "Another."), usage=Usage(llm_calls=1, cost_usd=0.2))
    answer = assembled(FOUND, other)
    assert answer.warnings == ("By rules.", "Another.")
    assert (answer.usage.llm_calls, answer.usage.cost_usd) == (3, 0.3)


def test_the_error_classes_keep_their_message() -> None:
    """The message of the kind is the message of the search."""
    with pytest.raises(CredentialRejected, match=r"^arxiv: unavailable \(down\)$"):
        assembled(failure("CredentialRejected"))
    with pytest.raises(Defect, match=r"^KeyError: arxiv"):
        assembled(failure("KeyError"))
