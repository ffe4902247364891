"""What the strategies found is merged: one vote a strategy, nothing lost, each fact from whoever knows it."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from goldpan.contracts import FoundBy, Source, SourceStatus, Strategy
from goldpan.kinds.repositories.caveats import caveats
from goldpan.kinds.repositories.dimensions import days_since
from goldpan.kinds.repositories.fusion import RRF_CONSTANT, Candidate, fuse
from goldpan.kinds.repositories.models import Batch, Repository
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import NOW, repository

WEIGHTS = {"stars": 1.0, "recency": 0.5, "expanded": 0.8}
STRATEGIES: tuple[Strategy, ...] = ("stars", "recency", "expanded")
SOURCES: tuple[Source, ...] = ("github", "catalogue")
POOL = [repository(f"example-org/r{n}", stars=100 * n) for n in range(12)]


def found(strategy: Strategy, *candidates: Repository, source: Source = "github") -> Batch:
    """Make the batch of a strategy at a source."""
    status = SourceStatus(kind="repositories", strategy=strategy, source=source, status="ok", kept=len(candidates))
    return Batch(status=status, candidates=candidates)


BATCHES = st.lists(
    st.builds(
        lambda strategy, source, items: found(strategy, *items, source=source),
        st.sampled_from(STRATEGIES),
        st.sampled_from(SOURCES),
        st.lists(st.sampled_from(POOL), max_size=12),
    ),
    max_size=5,
)


def names(candidates: tuple[Candidate, ...]) -> list[str]:
    """List the candidates."""
    return [candidate.repository.full_name for candidate in candidates]


def test_two_sources_of_one_strategy_are_one_vote() -> None:
    """A strategy that finds an item at two sources votes once, with the better rank."""
    a, b = POOL[:2]
    merged = fuse([found("stars", a, b), found("stars", b, source="catalogue")], WEIGHTS)
    assert {candidate.found_by for candidate in merged} == {(FoundBy(strategy="stars", rank=1),)}
    assert len({candidate.agreement for candidate in merged}) == 1


def test_a_repeated_item_votes_with_its_better_rank() -> None:
    """Listing an item again adds nothing, and costs it nothing."""
    a, b = POOL[:2]
    again = fuse([found("stars", a, b, a)], WEIGHTS)
    assert {item.repository.full_name: item.found_by for item in again} == {
        a.full_name: (FoundBy(strategy="stars", rank=1),),
        b.full_name: (FoundBy(strategy="stars", rank=2),),
    }


def test_the_agreement_is_the_documented_sum() -> None:
    """Reciprocal ranks, weighted by strategy, as a share of what first places everywhere would give."""
    a, b = POOL[:2]
    merged = fuse([found("stars", b, a), found("expanded", a)], WEIGHTS)
    both = (1.0 / (RRF_CONSTANT + 2) + 0.8 / (RRF_CONSTANT + 1)) / (2.3 / (RRF_CONSTANT + 1))
    assert names(merged)[0] == a.full_name
    assert merged[0].agreement == pytest.approx(both)


@settings(max_examples=100, deadline=None)
@given(BATCHES)
def test_nothing_is_lost_and_nothing_is_made_up(batches: list[Batch]) -> None:
    """What any search found, the base above all, is among the merged candidates once, with an agreement in 0-1."""
    merged = fuse(batches, WEIGHTS)
    assert sorted(names(merged)) == sorted({item.full_name for batch in batches for item in batch.candidates})
    assert all(0 <= candidate.agreement <= 1 + 1e-9 for candidate in merged)


@settings(max_examples=100, deadline=None)
@given(BATCHES, st.integers(0, 10))
def test_the_order_of_batches_decides_nothing(batches: list[Batch], seed: int) -> None:
    """Whichever scout is done first, the candidates, their order and their votes are the same."""
    shuffled = random.Random(seed).sample(batches, len(batches))
    one, other = fuse(batches, WEIGHTS), fuse(shuffled, WEIGHTS)
    assert [(c.repository, c.found_by) for c in one] == [(c.repository, c.found_by) for c in other]
    assert [c.agreement for c in one] == pytest.approx([c.agreement for c in other])


def test_ties_go_by_stars_then_by_name() -> None:
    """Where the votes are equal the more starred comes first, then the alphabet."""
    items = [repository("z-org/a", stars=5), repository("A-org/b", stars=5), repository("m-org/c", stars=9)]
    merged = fuse([found("stars", item) for item in items], WEIGHTS)
    assert names(merged) == ["m-org/c", "A-org/b", "z-org/a"]


def test_known_facts_are_kept_and_unknown_ones_are_filled() -> None:
    """A fact that the first record tells stands, even if it is 0; what it does not know comes from the other."""
    first = Repository(full_name="A/B", stars=0, topics=("x",), archived=False)
    other = Repository(full_name="a/b", stars=9, forks=2, topics=("y",), archived=True, description="text")
    merged = fuse([found("stars", first), found("recency", other)], WEIGHTS)[0].repository
    assert (merged.full_name, merged.stars, merged.topics, merged.archived) == ("A/B", 0, ("x",), False)
    assert (merged.forks, merged.description) == (2, "text")


def test_a_day_of_observation_goes_with_its_fact() -> None:
    """Facts of today that are merged with an old record's are not taken for facts of that record's day."""
    today = repository("a/b", stars=100, pushed_at=NOW - timedelta(days=20))
    old = repository(
        "a/b",
        stars=90,
        pushed_at=NOW - timedelta(days=2400),
        latest_release_at=NOW - timedelta(days=2500),
        observed={"stars": "2020-02-01", "pushed_at": "2020-02-01", "latest_release_at": "2020-02-01"},
    )
    merged = fuse([found("stars", today), found("recency", old, source="catalogue")], WEIGHTS)[0].repository
    assert days_since(merged, "pushed_at", NOW) == 20
    assert set(merged.observed) == {"latest_release_at"}
    assert not [caveat for caveat in caveats(merged, NOW) if "counted on" in caveat]
