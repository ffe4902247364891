"""A strategy at a source becomes a batch, best first, with its status."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.kind import TaskFailure
from goldpan.errors import CredentialRejected, RateLimited, Refused, TimedOut, Unavailable
from goldpan.kinds.repositories.models import Batch, Repository
from goldpan.kinds.repositories.ports import Found
from goldpan.kinds.repositories.scout import failed_batch, scout
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import NOW, ListedSource, StillClock, repository, scout_task


@dataclass
class FixedSource:
    """A source that returns one result, or raises."""

    found: Found | Exception

    def search(self, _searches: Any, _deadline: Deadline) -> Found:
        """Return the result."""
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


def scouted(source: FixedSource | ListedSource | None, allowance: int = 70_000) -> Batch:
    """Run the stage."""
    clock = StillClock()
    dependencies = Dependencies(clock=clock, sources={"github": source} if source else {})
    return scout(scout_task(allowance=allowance), dependencies, Deadline.after(6, clock))


@pytest.mark.parametrize(
    ("source", "status", "detail"),
    [
        (ListedSource([repository()]), "ok", ""),
        (ListedSource([]), "empty", ""),
        (ListedSource([repository()], incomplete=True), "truncated",
         "the source answered before it had searched everything"),
        (ListedSource(failure=RateLimited("slow down", NOW)), "rate_limited", "slow down"),
        (ListedSource(failure=TimedOut("too late")), "timeout", "too late"),
        (ListedSource(failure=Unavailable("down")), "unavailable", "down"),
        (ListedSource(failure=Refused("no")), "unavailable", "no"),
        (None, "skipped", "github is not configured here"),
    ],
)  # fmt: skip
def test_each_outcome_has_its_own_status(source: ListedSource | None, status: str, detail: str) -> None:
    """A failed source never looks like an empty one, and the reason reaches the answer."""
    row = scouted(source).status
    assert (row.status, row.detail) == (status, detail)


def test_a_rate_limit_says_when_to_retry() -> None:
    """The time that the source named reaches the answer."""
    at = NOW + timedelta(minutes=3)
    assert scouted(ListedSource(failure=RateLimited("slow down", at))).status.retry_at == at


def test_the_texts_of_a_status_row_are_cut() -> None:
    """300 characters of the detail and 600 of the query."""
    found = Found((), available=0, queries=("q" * 700,), failures=("x" * 400,))
    row = scouted(FixedSource(found)).status
    assert (len(row.detail or ""), len(row.query or "")) == (300, 600)


def test_a_lost_task_becomes_a_status_row() -> None:
    """A deadline and a lost function differ."""
    rows = [failed_batch(scout_task(), TaskFailure(task_id="x", failure=why)).status for why in ("timeout", "lost")]
    assert [row.status for row in rows] == ["timeout", "unavailable"]


@pytest.mark.parametrize("found", [(repository(),), ()])
def test_one_failed_search_of_several_is_reported(found: tuple[Repository, ...]) -> None:
    """What the others found is kept; without a candidate it still does not look empty."""
    result = Found((found, ()), available=len(found), failures=("one search failed: 502",))
    row = scouted(FixedSource(result)).status
    assert (row.status, row.kept, row.detail) == ("truncated", len(found), "one search failed: 502")


def test_a_note_is_not_a_failure() -> None:
    """The row says what was really asked, and the source's own counts."""
    lists = ((repository("a/b"), repository("a/c")), (repository("A/B"),))
    found = Found(lists, available=812, queries=("react", "vue"), notes=("dropped: tool",), age_s=0)
    row = scouted(FixedSource(found)).status
    assert (row.status, row.query, row.detail) == ("ok", "react | vue", "dropped: tool")
    assert (row.available, row.fetched, row.kept, row.cached, row.age_s) == (812, 2, 2, True, 0)


def test_the_best_comes_first_and_once() -> None:
    """By relevance, not by stars; equal candidates keep the order of the source, the searches in turn."""
    popular = repository("popular-org/db", description="A database", stars=90_000)
    lists = [[popular, *(repository(f"org-{which}/motion{n}") for n in range(3))] for which in "ab"]
    found = [item.full_name for item in scouted(ListedSource(*lists)).candidates]
    assert found == [*(f"org-{which}/motion{n}" for n in range(3) for which in "ab"), "popular-org/db"]


def test_what_exceeds_the_allowance_is_the_least_relevant() -> None:
    """The batch says how many were left out; one that is too large does not empty it."""
    weak = [repository(f"other-org/r{n}", description="A database server" + " of size" * 30) for n in range(60)]
    large = repository("a/large", description="React animation library " * 500)
    cut = scouted(ListedSource([*weak, large, repository()]), 9_000)
    assert cut.candidates[0].full_name == "example-org/motion"
    assert len(cut.candidates) > 1
    assert cut.status.status == "truncated"
    assert cut.status.detail == f"{62 - len(cut.candidates)} of 62 candidates were cut to fit"


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.text(max_size=400), max_size=80),
    st.lists(st.text(st.characters(codec="utf-8"), max_size=50), max_size=10),
    st.integers(5_000, 80_000),
)
def test_a_batch_never_exceeds_its_allowance(descriptions: list[str], topics: list[str], allowance: int) -> None:
    """However many and large the candidates are."""
    found = [
        repository(f"example-org/r{n}", description=description, topics=tuple(topics))
        for n, description in enumerate(descriptions)
    ]
    cut = scouted(ListedSource(found), allowance)
    assert len(cut.model_dump_json(exclude_defaults=True).encode()) <= allowance
    assert cut.status.fetched == len(found)
    assert (cut.status.kept < len(found)) == (cut.status.status == "truncated")


def test_a_rejected_credential_ends_the_search() -> None:
    """It is the operator's to replace, not a status among others."""
    with pytest.raises(CredentialRejected, match="GITHUB_TOKEN"):
        scouted(FixedSource(CredentialRejected("GITHUB_TOKEN was rejected")))
