"""A strategy at a source becomes a batch with its status."""

from __future__ import annotations

from datetime import timedelta

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, RateLimited, Refused, TimedOut, Unavailable
from goldpan.kinds.repositories.models import Batch
from goldpan.engine.dependencies import Dependencies
from goldpan.kinds.repositories.scout import scout
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import NOW, ListedSource, StillClock, repository, scout_task


def scouted(source: ListedSource | None, allowance: int = 70_000) -> Batch:
    """Run the stage."""
    clock = StillClock()
    dependencies = Dependencies(clock=clock, sources={"github": source} if source else {})
    return scout(scout_task(allowance=allowance), dependencies, Deadline.after(6, clock))


@pytest.mark.parametrize(
    ("source", "status"),
    [
        (ListedSource([repository()]), "ok"),
        (ListedSource([]), "empty"),
        (ListedSource([repository()], incomplete=True), "truncated"),
        (ListedSource(failure=RateLimited("slow down", NOW + timedelta(minutes=1))), "rate_limited"),
        (ListedSource(failure=TimedOut("too late")), "timeout"),
        (ListedSource(failure=Unavailable("down")), "unavailable"),
        (ListedSource(failure=Refused("no")), "unavailable"),
        (None, "skipped"),
    ],
)
def test_a_failed_an_empty_and_a_limited_source_differ(source: ListedSource | None, status: str) -> None:
    """Each way to end has its own status."""
    assert scouted(source).status.status == status


@pytest.mark.parametrize("failure", [Unavailable("nobody is there"), TimedOut("nobody is there")])
def test_a_failure_says_why(failure: CallFailed) -> None:
    """The reason reaches the answer."""
    assert scouted(ListedSource(failure=failure)).status.detail == "nobody is there"


def test_a_limit_says_when_to_come_back() -> None:
    """The time that the source named reaches the answer."""
    at = NOW + timedelta(minutes=3)
    assert scouted(ListedSource(failure=RateLimited("slow down", at))).status.retry_at == at


def test_the_best_comes_first_and_once() -> None:
    """What fits the question stands before what is famous, and what two searches found stands once."""
    famous = repository("famous-org/db", description="A database", stars=90_000)
    found = scouted(ListedSource([famous, repository()], [repository(), famous]))
    assert [item.full_name for item in found.candidates] == ["example-org/motion", "famous-org/db"]
    assert (found.status.fetched, found.status.kept) == (2, 2)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.text(max_size=400), max_size=80),
    st.lists(st.text(st.characters(codec="utf-8"), max_size=50), max_size=10),
    st.integers(5_000, 80_000),
)
def test_a_batch_never_exceeds_its_bytes(descriptions: list[str], topics: list[str], allowance: int) -> None:
    """However many and large the candidates are, the batch is cut to its allowance and says so."""
    found = [
        repository(f"example-org/r{n}", description=description, topics=tuple(topics))
        for n, description in enumerate(descriptions)
    ]
    cut = scouted(ListedSource(found), allowance)
    assert len(cut.model_dump_json(exclude_defaults=True).encode()) <= allowance
    assert cut.status.fetched == len(found)
    assert (cut.status.kept < len(found)) == (cut.status.status == "truncated")


def test_one_candidate_too_large_does_not_empty_the_batch() -> None:
    """What does not fit is left out, and what fits stays."""
    large = repository("a/large", topics=("t" * 50,) * 500)
    cut = scouted(ListedSource([large, repository()]), allowance=8_000)
    assert [item.full_name for item in cut.candidates] == ["example-org/motion"]
    assert cut.status.status == "truncated"
