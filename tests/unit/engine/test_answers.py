"""The results of all kinds become the answer, or the terminal error is raised."""

from datetime import UTC, datetime
from itertools import combinations
from typing import get_args

import pytest
from goldpan.contracts import ExecutionTime, Interpretation, SourceStatus, StageError, Status, Usage
from goldpan.engine.answer_cache import is_complete
from goldpan.engine.answers import assemble, find_links, named, page_of_kind
from goldpan.engine.interpretation import UNKNOWN_ID
from goldpan.engine.stage_values import KindFailure, KindResult, Named
from goldpan.errors import GoldpanError, SourcesFailed
from goldpan.kind_table import KINDS
from goldpan.kinds.answer import Answer
from goldpan.kinds.repositories.results import RepositorySection
from goldpan.known import Known, Preview

from tests.support import toy_kind
from tests.support.factories import NOW, ListedSource, QueuedModel, repository, request
from tests.support.factories import answer as run_search

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
PART = Interpretation(id="term:parser", kind="term", text="parsers", value="parser")
BY_PRECEDENCE = [
    "InvalidRequest", "CredentialRejected", "Misconfigured", "Defect",
    "SourcesFailed", "SourcesLimited", "Overloaded", "OutOfTime",
]  # fmt: skip


def failure(name: str) -> KindFailure:
    """Make a kind that failed."""
    return KindFailure(kind="papers", error=name, message="arxiv: unavailable (down)")


def raised_by(*outcomes: KindResult | KindFailure) -> str:
    """Name the terminal error of the kinds."""
    with pytest.raises(GoldpanError, match=r"arxiv: unavailable \(down\)$") as raised:
        assembled(*outcomes)
    return type(raised.value).__name__


def assembled(*outcomes: KindResult | KindFailure) -> Answer:
    """Assemble the kinds."""
    return assemble(request(), outcomes, ExecutionTime(total=6), NOW)


def test_a_result_becomes_the_answer() -> None:
    """Its section, rows, errors, warnings and usage; equal warnings of two kinds stand once, and usages are added."""
    answer = assembled(FOUND)
    assert (answer.repositories, answer.sources, answer.errors) == (SECTION, (ROW,), FOUND.errors)
    assert (answer.warnings, answer.usage, answer.execution_time_ms.total) == (("By rules.",), FOUND.usage, 6)
    paged = page_of_kind(FOUND.model_copy(update={"named": (REPOSITORY,) * 30}), request(offset=10))
    assert len(paged.named) == 10
    assert (answer.query, answer.mode, answer.answered_at) == (request().query, "balanced", NOW)
    usage = Usage(llm_calls=1, cost_usd=0.2)
    other = KindResult(kind="gadgets", section=SECTION, warnings=("By rules.", "Another."), usage=usage)
    both = assembled(FOUND, other)
    read = [each.model_copy(update={"interpretation": (PART,)}) for each in (FOUND, other)]
    assert assembled(*read).interpretation == (PART,)
    assert (both.warnings, both.usage.llm_calls, both.usage.cost_usd) == (("By rules.", "Another."), 3, 0.3)
    ignored = tuple(map(UNKNOWN_ID.format, ("term:foo", "constraint:by-lecun")))
    noted = [FOUND.model_copy(update={"warnings": warnings}) for warnings in (ignored, ignored[:1])]
    assert assembled(*noted).warnings == ignored[:1], "what one of the kinds has is known"


@pytest.mark.parametrize("name", BY_PRECEDENCE[3:])
def test_a_failure_beside_a_result_is_reported(name: str) -> None:
    """The other kind is answered, with a warning, an error and rows about the missing one; alone it ends the search."""
    down = ROW.model_copy(update={"kind": "papers", "source": "arxiv", "status": "unavailable"})
    failed = failure(name).model_copy(update={"known": Known(sources=(down,))})
    for answer in (assembled(FOUND, failed), assembled(failed, FOUND)):
        assert (answer.repositories, {*answer.sources}) == (SECTION, {ROW, down})
        assert answer.warnings[-1] == "No papers in this answer: arxiv: unavailable (down)."
        assert answer.errors[-1] == StageError(stage="papers", error="arxiv: unavailable (down)", timestamp=NOW)
    long = failure(name).model_copy(update={"message": "x" * 5000})
    assert assembled(FOUND, long).errors[-1].error == "x" * 300
    assert raised_by(failure(name)) == name


@pytest.mark.parametrize("name", BY_PRECEDENCE[:3])
def test_a_permanent_failure_always_ends_the_search(name: str) -> None:
    """The caller's or the operator's error is never hidden behind another kind's answer; it has what is known.

    What was found for a question that the caller must correct is nothing that was asked for.
    """
    assert raised_by(FOUND, failure(name)) == name
    found = {"papers": (Preview(title="Deep Graphs"),)}
    known = Known(interpretation=(PART,), sources=(ROW,), candidates=found)
    read = FOUND.model_copy(update={"interpretation": (PART,)})
    failed = failure(name).model_copy(update={"known": known})
    with pytest.raises(GoldpanError) as raised:
        assembled(read, failed)
    kept = {} if name == "InvalidRequest" else found
    assert raised.value.known == Known(interpretation=(PART,), sources=(ROW, ROW), candidates=kept)


def test_precedence_decides_between_two_failures() -> None:
    """The caller's error comes first, then the operator's, then what is temporary, whatever the order of the kinds."""
    for first, second in combinations(BY_PRECEDENCE, 2):
        assert raised_by(failure(first), failure(second)) == raised_by(failure(second), failure(first)) == first
    later = {"kind": "repositories", "message": "github: limited; try again at 2026-08-22T20:00:00Z"}
    with pytest.raises(SourcesFailed, match=r"^arxiv: unavailable \(down\); github: limited; try again at") as raised:
        assembled(failure("SourcesLimited").model_copy(update=later), failure("SourcesFailed"))
    assert raised.value.retry_at == datetime(2026, 8, 22, 20, tzinfo=UTC)
    earlier = {"message": "arxiv: limited; try again at 2026-08-22T19:00:00Z"}
    with pytest.raises(SourcesFailed) as raised:
        assembled(*(failure("SourcesLimited").model_copy(update=each) for each in (earlier, later)))
    assert raised.value.retry_at == datetime(2026, 8, 22, 19, tzinfo=UTC)


def test_an_answer_is_complete_if_asking_again_would_find_no_more() -> None:
    """A source without its key stays without it; one that failed, or whose cached facts are old, may answer then."""
    rows = {status: ROW.model_copy(update={"status": status}) for status in get_args(Status)}
    found = FOUND.model_copy(update={"errors": (), "usage": Usage()})
    made = {name: assembled(found.model_copy(update={"sources": (row,)})) for name, row in rows.items()}
    assert {name for name, answer in made.items() if is_complete(answer)} == {"ok", "empty", "truncated", "skipped"}
    assert is_complete(assembled(FOUND.model_copy(update={"errors": ()}))), "there was nothing that a model could score"
    by_rules = run_search(ListedSource([repository()]))
    asked_in_vain = by_rules.model_copy(update={"usage": Usage(llm_calls=1)})
    by_model = run_search(ListedSource([repository()]), QueuedModel())
    assert [is_complete(each) for each in (by_rules, asked_in_vain, by_model)] == [True, False, True]
    for age_s, complete in ((None, True), (3599, True), (3601, False)):
        row = ROW.model_copy(update={"age_s": age_s, "cached": age_s is not None})
        assert is_complete(assembled(found.model_copy(update={"sources": (row,)}))) is complete


def result(kind: str, *entries: Named) -> KindResult:
    """Make what a kind contributes."""
    return KindResult(kind=kind, section=SECTION, named=entries)


REPOSITORY = named("a/b", ["github:a/b"], {"arxiv:1706.03762": "its README names arXiv:1706.03762"})
PAPER = named("doi:10.1/x", ["doi:10.1/x", "arxiv:1706.03762"], {"github:a/b": "its abstract names github.com/a/b"})


def test_each_side_may_name_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """One link a pair, with the evidence of both, whichever comes first; none to what is not shown."""
    monkeypatch.setitem(KINDS, toy_kind.NAME, toy_kind.MODULE)
    both = find_links([result("repositories", REPOSITORY), result("papers", PAPER)])
    assert [(link.repository, link.paper) for link in both] == [("a/b", "doi:10.1/x")]
    assert both[0].evidence == "its README names arXiv:1706.03762; its abstract names github.com/a/b"
    twice = named("a/b", [], dict.fromkeys(PAPER.identities, "its README"))
    assert find_links([result("repositories", twice), result("papers", PAPER)])[0].evidence == "its README"
    alone = find_links([result("papers", PAPER), result("repositories", named("a/b", ["github:a/b"], {}))])
    assert [link.evidence for link in alone] == ["its abstract names github.com/a/b"]
    assert find_links([result("repositories", REPOSITORY), result("papers")]) == ()
    assert find_links([result("toys", REPOSITORY), result("papers", PAPER)]) == ()


def test_a_hostile_result_carries_little() -> None:
    """Long evidence is truncated, a long identity is none, and five of each are enough."""
    many = named("a/b", ["x" * 5000], {f"doi:10.1/{n}": "y" * 5000 for n in range(50)})
    assert many.identities == ()
    assert len(many.model_dump_json()) < 2000
