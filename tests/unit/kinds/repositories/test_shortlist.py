"""Batches become a shortlist: fusion, coarse rules, enrichment."""

from __future__ import annotations

from datetime import timedelta

import pytest
from goldpan.config import CoarseFilter
from goldpan.contracts import SourceStatus
from goldpan.engine.deadlines import Deadline
from goldpan.engine.payload import TASKS_BYTES
from goldpan.errors import SourcesFailed, Unavailable
from goldpan.kinds.repositories.coarse_filter import coarse_filter
from goldpan.kinds.repositories.fusion import fuse
from goldpan.kinds.repositories.models import Batch, Repository, Shortlist, StarRange, Translation
from goldpan.engine.dependencies import Dependencies
from goldpan.kinds.repositories.shortlist import shortlist
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import NOW, ListedSource, StillClock, batch, params, repository, request

WEIGHTS = {"stars": 1.0, "recency": 0.5, "expanded": 0.8}
A, B, C = (repository(f"example-org/{name}") for name in "abc")


def shortlisted(*batches: Batch, source: ListedSource | None = None, **fields: object) -> Shortlist:
    """Run the stage over batches."""
    clock = StillClock()
    dependencies = Dependencies(clock=clock, sources={"github": source or ListedSource()})
    translation = Translation(params=params(), tasks=())
    return shortlist(batches, translation, request(**fields), dependencies, Deadline.after(4, clock))


def test_a_strategy_has_one_vote() -> None:
    """A strategy that lists an item twice gives it no more than once."""
    once, twice = fuse([batch("stars", A, B)], WEIGHTS), fuse([batch("stars", A, B, A, B), batch("stars", B)], WEIGHTS)
    assert once[0].agreement == twice[0].agreement
    assert [len(candidate.found_by) for candidate in twice] == [1, 1]


def test_nothing_that_was_found_is_lost() -> None:
    """What the base search found is among the merged candidates, whatever else was found."""
    merged = fuse([batch("stars", A, B), batch("expanded", C, B)], WEIGHTS)
    assert {candidate.repository.full_name for candidate in merged} == {A.full_name, B.full_name, C.full_name}
    assert merged[0].repository.full_name == B.full_name


def test_records_of_one_repository_are_merged_field_by_field() -> None:
    """What one record does not know is filled from the other, also under a name of another case."""
    bare = Repository(full_name="Example-Org/A", topics=("motion",), license="MIT")
    merged = fuse([batch("stars", A), batch("recency", bare)], WEIGHTS)
    assert len(merged) == 1
    assert (merged[0].repository.license, merged[0].repository.stars) == ("MIT", 500)


@given(st.permutations([batch("stars", A, B), batch("recency", C), batch("expanded", B, C)]))
def test_the_order_of_batches_does_not_matter(batches: list[Batch]) -> None:
    """The same batches in another order give the same candidates in the same order."""
    assert fuse(batches, WEIGHTS) == fuse([batch("stars", A, B), batch("recency", C), batch("expanded", B, C)], WEIGHTS)


@pytest.mark.parametrize(
    ("facts", "rule"),
    [
        ({"stars": 49}, "stars"),
        ({"pushed_at": NOW - timedelta(days=380)}, "pushed"),
        ({"has_readme": False}, "readme"),
        ({"archived": True}, "archived"),
        ({"fork": True, "forks": 9, "stars": 60, "parent_stars": 121}, "trivial fork"),
        ({"fork": True, "forks": 10, "stars": 60, "parent_stars": 121}, None),
        ({"stars": None, "pushed_at": None, "has_readme": None, "archived": None}, None),
        ({"pushed_at": NOW - timedelta(days=380), "observed": {"pushed_at": "2025-09-01"}}, None),
        ({"created_at": NOW - timedelta(days=9000)}, None),
    ],
)
def test_a_rule_drops_what_is_known_to_break_it(facts: dict[str, object], rule: str | None) -> None:
    """Each rule names itself, unknown facts pass, and a push counts from the day on which it was seen."""
    assert coarse_filter(CoarseFilter(), None, NOW)(repository(**facts)) == rule


def test_null_switches_a_rule_off() -> None:
    """Without its rule the same repository stays."""
    off = CoarseFilter(min_stars=None, pushed_within_months=None, require_readme=None, exclude_archived=None)
    bad = repository(stars=1, pushed_at="2010-01-01T00:00:00Z", has_readme=False, archived=True)
    assert coarse_filter(off, None, NOW)(bad) is None


def test_new_repositories_survive_the_floor() -> None:
    """A question for new ones has its own range, which takes the place of the floor."""
    asked = StarRange(min=10, max=1000)
    assert coarse_filter(CoarseFilter(), asked, NOW)(repository(stars=12)) is None
    assert coarse_filter(CoarseFilter(), asked, NOW)(repository(stars=5000)) == "stars"


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


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 4000), st.integers(0, 3000), st.integers(1, 40))
def test_a_shortlist_stays_within_its_bytes(readme: int, entries: int, size: int) -> None:
    """However long READMEs, file lists and names are, the scoring tasks fit between two states."""
    large = [
        repository(f"example-org/r{n}", readme="ж" * readme, tree=("x" * 200,) * entries, topics=("t" * 50,) * 20)
        for n in range(40)
    ]
    config = {"shortlist_size": size, "readme_chars": 4000}
    chosen = shortlisted(batch("stars", *large), config=config)
    assert sum(len(task.model_dump_json().encode()) for task in chosen.tasks) <= TASKS_BYTES
