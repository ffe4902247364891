"""Batches become a shortlist: merged, filtered, enriched, the most relevant first."""

from __future__ import annotations

from datetime import timedelta

import pytest
from goldpan.contracts import SourceStatus
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import InvalidRequest, SourcesFailed, SourcesLimited, Unavailable
from goldpan.kinds.repositories.models import Batch, Shortlist, Translation
from goldpan.kinds.repositories.shortlist import shortlist
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import NOW, ListedSource, StillClock, batch, params, repository, request

NO_MINIMUM = {"coarse_filter": {"min_stars": None}}
A, B = (repository(f"example-org/{name}") for name in "ab")


def shortlisted(
    *batches: Batch,
    source: ListedSource | None = None,
    calls: int = 0,
    question: str = "React animation library",
    **fields: object,
) -> Shortlist:
    """Run the stage over batches."""
    clock = StillClock()
    dependencies = Dependencies(clock=clock, sources={"github": source or ListedSource()})
    translation = Translation(params=params(question), tasks=(), scoring_calls=calls)
    return shortlist(batches, translation, request(**fields), dependencies, Deadline.after(4, clock))


def failed(status: str, **fields: object) -> Batch:
    """Make the batch of a source that failed."""
    row = {"kind": "repositories", "strategy": "stars", "source": "github", "status": status, "detail": "x", **fields}
    return Batch(status=SourceStatus.model_validate(row))


def test_a_tenth_of_the_relevance_is_the_agreement_of_the_strategies() -> None:
    """0.9 x a full match + 0.1 x the first rank of one strategy, whose weight is 1 of 2.3; and of two strategies."""
    (task,) = shortlisted(batch("stars", A)).tasks
    assert task.relevance == 0.9435
    (task,) = shortlisted(batch("stars", A), batch("expanded", A)).tasks
    assert task.relevance == 0.9783
    assert task.evidence[0] == "“animation” in the description"


def test_relevance_decides_what_is_scored() -> None:
    """Popular repositories about something else do not displace it; the 25 best are kept, the first few scored."""
    popular = [repository(f"popular-org/db-{n}", description="A database server", stars=90_000) for n in range(40)]
    chosen = shortlisted(batch("stars", *popular, A), calls=2)
    assert chosen.tasks[0].repository.full_name == A.full_name
    assert (len(chosen.tasks), chosen.total_candidates) == (25, 41)
    assert [task.ask_llm for task in chosen.tasks] == [True, True] + [False] * 23


def test_ties_go_by_stars_then_by_name() -> None:
    """Whatever the case of the name."""
    items = [repository(name, stars=stars) for name, stars in (("z/m", 60), ("A/m", 60), ("m/m", 70), ("a/x", None))]
    chosen = shortlisted(
        *(batch("stars", item) for item in items), batch("stars", repository("n/one", stars=1)), config=NO_MINIMUM
    )
    assert [task.repository.full_name for task in chosen.tasks] == ["m/m", "A/m", "z/m", "n/one", "a/x"]


def test_dropped_repositories_are_counted_by_rule() -> None:
    """Also those that only the enrichment shows to break a rule."""

    class Enriching(ListedSource):
        def enrich(self, repositories, deadline):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
            shown = [item.model_copy(update={"has_readme": item == A}) for item in repositories]
            return super().enrich(shown, deadline)

    chosen = shortlisted(batch("stars", A, B, repository("a/few", stars=3)), source=Enriching())
    assert [task.repository.full_name for task in chosen.tasks] == [A.full_name]
    assert chosen.dropped == {"stars": 1, "readme": 1}


def test_a_task_has_at_most_eight_reasons() -> None:
    """The state machine carries no more."""
    question = "react animation parser router table chart form button menu tooltip"
    (task,) = shortlisted(batch("stars", repository(description=question)), question=question).tasks
    assert len(task.evidence) == 8


def test_a_name_that_is_too_long_is_left_out() -> None:
    """And counted in a warning."""
    chosen = shortlisted(batch("stars", A, repository("a/" + "x" * 200_000)))
    assert [task.repository for task in chosen.tasks] == [A]
    assert chosen.warnings == ("1 candidates were left out: their names alone were too long to carry.",)


def test_a_failed_enrichment_is_reported() -> None:
    """It costs nothing that was already known."""
    chosen = shortlisted(batch("stars", A, B), source=ListedSource(failure=Unavailable("down")))
    assert len(chosen.tasks) == 2
    assert [(row.stage, row.error) for row in chosen.errors] == [("shortlist", "github: no further facts (down)")]


def test_without_any_source_the_search_ends() -> None:
    """With the reasons and the earliest time to retry; an unconfigured source is the request's mistake."""
    later, sooner = NOW + timedelta(minutes=2), NOW + timedelta(minutes=1)
    with pytest.raises(SourcesLimited, match="github: rate_limited") as limited:
        shortlisted(failed("rate_limited", retry_at=later), failed("rate_limited", retry_at=sooner))
    assert limited.value.retry_at == sooner
    with pytest.raises(SourcesFailed, match="github: timeout") as all_failed:
        shortlisted(failed("rate_limited", retry_at=later), failed("timeout"))
    assert all_failed.type is SourcesFailed
    with pytest.raises(InvalidRequest, match="github"):
        shortlisted(failed("skipped"))


def test_an_empty_source_is_not_a_failure() -> None:
    """Nothing found is an answer."""
    assert shortlisted(batch("stars"), failed("timeout")).tasks == ()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 4000), st.integers(0, 3000), st.integers(1, 40))
def test_a_shortlist_stays_within_its_bytes(readme: int, entries: int, size: int) -> None:
    """However long READMEs, file lists and names are, the tasks take at most half of a state's 256 KiB."""
    large = [
        repository(f"example-org/r{n}", readme="ж" * readme, tree=("x" * 200,) * entries, topics=("t" * 50,) * 20)
        for n in range(40)
    ]
    config = {"shortlist_size": size, "readme_chars": 4000}
    chosen = shortlisted(batch("stars", *large), config=config)
    assert sum(len(task.model_dump_json().encode()) for task in chosen.tasks) <= 128 * 1024
