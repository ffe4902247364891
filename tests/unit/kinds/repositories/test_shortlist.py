"""Shortlist: all batches become the scoring tasks, best first."""

from __future__ import annotations

from datetime import timedelta

import pytest
from goldpan.contracts import SourceStatus
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import InvalidRequest, SourcesFailed, SourcesLimited, Unavailable
from goldpan.kinds.repositories.models import Batch, Shortlist, Translation
from goldpan.kinds.repositories.shortlist import shortlist

from tests.support.factories import NOW, ListedSource, StillClock, batch, params, repository, request

A, B, C = (repository(f"example-org/{name}") for name in "abc")


def shortlisted(*batches: Batch, source: ListedSource | None = None, **fields: object) -> Shortlist:
    """Run the stage over batches."""
    clock = StillClock()
    dependencies = Dependencies(clock=clock, sources={"github": source or ListedSource()})
    translation = Translation(params=params(), tasks=())
    return shortlist(batches, translation, request(**fields), dependencies, Deadline.after(4, clock))


def test_relevance_decides_who_is_scored() -> None:
    """Famous and off the subject does not push out what is apt."""
    famous = [repository(f"famous-org/db-{n}", description="A database server", stars=90_000) for n in range(40)]
    chosen = shortlisted(batch("stars", *famous, A))
    assert chosen.tasks[0].repository.full_name == A.full_name
    assert len(chosen.tasks) == 25


def test_what_cannot_be_enriched_stays_and_is_reported() -> None:
    """A source that fails on the further facts costs nothing that was already known."""
    chosen = shortlisted(batch("stars", A, B), source=ListedSource(failure=Unavailable("down")))
    assert len(chosen.tasks) == 2
    assert [error.stage for error in chosen.errors] == ["shortlist"]


def test_all_sources_failed_is_no_empty_answer() -> None:
    """Where every strategy failed the search ends, with the reasons and the earliest time to come back."""
    rows = [
        SourceStatus(kind="repositories", strategy="stars", source="github", status="rate_limited", retry_at=at)
        for at in (NOW + timedelta(minutes=2), NOW + timedelta(minutes=1))
    ]
    with pytest.raises(SourcesFailed, match="rate_limited") as failed:
        shortlisted(*(Batch(status=row) for row in rows))
    assert failed.value.retry_at == NOW + timedelta(minutes=1)


def test_an_empty_source_is_an_answer() -> None:
    """Nothing found is not a failure."""
    assert shortlisted(batch("stars")).tasks == ()


def test_agreement_of_strategies_is_a_tenth_of_the_relevance() -> None:
    """A candidate that every strategy ranks first has 0.9 x its match + 0.1; one vote of three weighs less."""
    every = shortlisted(*(batch(name, A) for name in ("stars", "recency", "expanded"))).tasks[0].relevance
    one = shortlisted(batch("stars", A)).tasks[0].relevance
    match = (every - 0.1) / 0.9
    assert one == pytest.approx(0.9 * match + 0.1 / 2.3, abs=0.0002)


def test_rules_count_what_they_drop() -> None:
    """What each coarse rule dropped is counted by its name."""
    few, old = repository("a/few", stars=3), repository("a/old", archived=True)
    assert shortlisted(batch("stars", A, few, old)).dropped == {"stars": 1, "archived": 1}


def test_only_the_first_tasks_may_cost_a_call() -> None:
    """The calls that translate left are spent on the best candidates."""
    clock = StillClock()
    dependencies = Dependencies(clock=clock, sources={"github": ListedSource()})
    translation = Translation(params=params(), tasks=(), scoring_calls=2)
    tasks = shortlist([batch("stars", A, B, C)], translation, request(), dependencies, Deadline.after(4, clock)).tasks
    assert [task.ask_llm for task in tasks] == [True, True, False]


def test_sources_that_are_not_configured_are_refused() -> None:
    """Trying again would not help, so the caller is told to name others."""
    row = SourceStatus(kind="repositories", strategy="stars", source="catalogue", status="skipped")
    with pytest.raises(InvalidRequest, match=r"^sources: catalogue cannot be queried here; leave sources out"):
        shortlisted(Batch(status=row))


def test_a_rate_limit_of_every_source_is_an_error_of_its_own() -> None:
    """The caller can wait until the earliest retry time."""
    row = SourceStatus(kind="repositories", strategy="stars", source="github", status="rate_limited", retry_at=NOW)
    with pytest.raises(SourcesLimited, match="github: rate_limited"):
        shortlisted(Batch(status=row))
