"""Merging the batches of all strategies, and the coarse rules."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import date, timedelta

import pytest
from goldpan.config import CoarseFilter
from goldpan.contracts import FoundBy, SourceStatus
from goldpan.kinds.repositories.candidates import Candidate, coarse_filter, fuse
from goldpan.kinds.repositories.models import Batch, Repository, StarRange, Strategy
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import NOW, repository

WEIGHTS = {"stars": 1.0, "recency": 0.5, "expanded": 0.8}
STRATEGIES: tuple[Strategy, ...] = ("stars", "recency", "expanded")
POOL = [repository(f"example-org/r{n}", stars=100 * n) for n in range(12)]
A, B = POOL[:2]


def batch(strategy: Strategy, *candidates: Repository, source: str = "github") -> Batch:
    """Make the batch of a strategy at a source."""
    status = SourceStatus(kind="repositories", strategy=strategy, source=source, status="ok", kept=len(candidates))
    return Batch(status=status, candidates=candidates)


BATCHES = st.lists(
    st.builds(
        lambda strategy, source, items: batch(strategy, *items, source=source),
        st.sampled_from(STRATEGIES),
        st.sampled_from(["github", "catalogue"]),
        st.lists(st.sampled_from(POOL), max_size=12),
    ),
    max_size=5,
)


def names(candidates: tuple[Candidate, ...]) -> list[str]:
    """List the full names of candidates."""
    return [candidate.repository.full_name for candidate in candidates]


def test_the_agreement_is_that_of_reciprocal_rank_fusion() -> None:
    """The sum of weight / (60 + rank), as a share of first ranks everywhere: the figures of a hand's calculation."""
    merged = fuse([batch("stars", B, A), batch("expanded", A)], WEIGHTS)
    assert names(merged) == [A.full_name, B.full_name]
    assert [candidate.agreement for candidate in merged] == pytest.approx([0.775596, 0.434783], abs=1e-6)
    everywhere = fuse([batch("stars", A), batch("recency", A), batch("expanded", A)], WEIGHTS)
    assert everywhere[0].agreement == pytest.approx(1)
    fortieth = [repository(f"a/r{n}") for n in range(40)]
    assert fuse([batch("stars", *fortieth)], WEIGHTS)[-1].agreement == pytest.approx(0.265217, abs=1e-6)


def test_a_strategy_has_one_vote_with_its_better_rank() -> None:
    """Whether it finds a repository twice in a list or at two sources."""
    votes = (FoundBy(strategy="stars", rank=1),)
    at_two_sources = fuse([batch("stars", A, B), batch("stars", B, source="catalogue")], WEIGHTS)
    assert [candidate.found_by for candidate in at_two_sources] == [votes, votes]
    assert len({candidate.agreement for candidate in at_two_sources}) == 1
    in_one_list = {item.repository.full_name: item.found_by for item in fuse([batch("stars", A, B, A)], WEIGHTS)}
    assert in_one_list == {A.full_name: votes, B.full_name: (FoundBy(strategy="stars", rank=2),)}


@settings(max_examples=100, deadline=None)
@given(BATCHES)
def test_no_repository_is_lost_or_made_up(batches: list[Batch]) -> None:
    """What any search found is among the candidates once, with an agreement of at most 1."""
    merged = fuse(batches, WEIGHTS)
    assert sorted(names(merged)) == sorted({item.full_name for batch in batches for item in batch.candidates})
    assert all(0 < candidate.agreement <= 1 + 1e-9 for candidate in merged)


@settings(max_examples=100, deadline=None)
@given(BATCHES, st.integers(0, 10))
def test_the_order_of_the_batches_does_not_matter(batches: list[Batch], seed: int) -> None:
    """Whichever scout is done first, the candidates, their order and their votes are the same."""
    shuffled = random.Random(seed).sample(batches, len(batches))
    one, other = fuse(batches, WEIGHTS), fuse(shuffled, WEIGHTS)
    assert [(c.repository, c.found_by) for c in one] == [(c.repository, c.found_by) for c in other]
    assert [c.agreement for c in one] == pytest.approx([c.agreement for c in other])


def test_ties_go_by_stars_then_by_name() -> None:
    """Where the votes are equal; the case of a name does not count."""
    items = [repository("z-org/a", stars=5), repository("A-org/b", stars=5), repository("m-org/c", stars=9)]
    items += [repository("a-org/unknown", stars=None), repository("b-org/d", stars=1)]
    merged = fuse([batch("stars", item) for item in items], WEIGHTS)
    assert names(merged) == ["m-org/c", "A-org/b", "z-org/a", "b-org/d", "a-org/unknown"]


def test_unknown_facts_are_filled_from_the_second_record() -> None:
    """What the first record knows is kept, even a 0; names that differ in case are one repository."""
    first = Repository(full_name="A/B", stars=0, topics=("x",), archived=False)
    second = Repository(full_name="a/b", stars=9, forks=2, topics=("y",), archived=True, description="text")
    (merged,) = fuse([batch("stars", first), batch("recency", second, source="catalogue")], WEIGHTS)
    kept = merged.repository
    assert (kept.full_name, kept.stars, kept.topics, kept.archived) == ("A/B", 0, ("x",), False)
    assert (kept.forks, kept.description) == (2, "text")
    assert (merged.source, len(merged.found_by)) == ("github", 2)


def test_a_day_of_observation_goes_with_its_fact() -> None:
    """A fact of today does not take on the day of an old record, and a fact of that record keeps it."""
    today = repository("a/b", stars=100, observed={"stars": "2026-08-01"})
    old = repository(
        "a/b",
        stars=90,
        latest_release_at=NOW - timedelta(days=2500),
        observed={"stars": "2020-02-01", "latest_release_at": "2020-02-01"},
    )
    merged = fuse([batch("stars", today), batch("recency", old, source="catalogue")], WEIGHTS)[0].repository
    assert merged.observed == {"stars": date(2026, 8, 1), "latest_release_at": date(2020, 2, 1)}


FORK: dict[str, object] = {"fork": True, "forks": 9, "stars": 60, "parent_stars": 121}
RULES = ("min_stars", "pushed_within_months", "require_readme", "exclude_archived", "exclude_trivial_forks")


def broken_rule(facts: Mapping[str, object], question_stars: StarRange | None = None, **rules: object) -> str | None:
    """Name the rule that drops a repository."""
    return coarse_filter(CoarseFilter.model_validate(rules), question_stars, NOW)(repository(**facts))


@pytest.mark.parametrize(
    ("facts", "rule"),
    [
        ({"stars": 49}, "stars"),
        ({"stars": 50}, None),
        ({"pushed_at": NOW - timedelta(days=366)}, "pushed"),
        ({"pushed_at": NOW - timedelta(days=365)}, None),
        ({"has_readme": False}, "readme"),
        ({"archived": True}, "archived"),
        (FORK, "trivial fork"),
        ({**FORK, "forks": 10}, None),
        ({**FORK, "parent_stars": 120}, None),
        ({**FORK, "parent_stars": None}, None),
        ({**FORK, "forks": None}, None),
        ({**FORK, "fork": False}, None),
        ({"created_at": NOW - timedelta(days=9000)}, None),
        ({"stars": 49, "archived": True}, "stars"),
    ],
)
def test_the_default_rules_have_their_bounds(facts: dict[str, object], rule: str | None) -> None:
    """50 stars, a push within 12 months, a README, not archived, no fork with under 10 forks and half the stars."""
    assert broken_rule(facts) == rule


@pytest.mark.parametrize(
    ("name", "rule", "facts"),
    [
        ("min_stars", "stars", {"stars": 3}),
        ("pushed_within_months", "pushed", {"pushed_at": NOW - timedelta(days=400)}),
        ("require_readme", "readme", {"has_readme": False}),
        ("exclude_archived", "archived", {"archived": True}),
        ("exclude_trivial_forks", "trivial fork", FORK),
    ],
)
def test_null_switches_one_rule_off(name: str, rule: str, facts: dict[str, object]) -> None:
    """Without its rule the same repository passes; without all others it is still dropped."""
    assert broken_rule(facts, **{name: None}) is None
    assert broken_rule(facts, **{other: None for other in RULES if other != name}) == rule


@settings(max_examples=60)
@given(st.sets(st.sampled_from(["stars", "forks", "pushed_at", "created_at", "archived", "fork", "has_readme"])))
def test_an_unknown_fact_breaks_no_rule(unknown: set[str]) -> None:
    """Even with every rule on."""
    known: dict[str, object] = {
        "stars": 50, "forks": 12, "pushed_at": NOW, "created_at": NOW, "archived": False, "fork": False,
        "has_readme": True,
    }  # fmt: skip
    assert broken_rule({**known, **dict.fromkeys(unknown)}, max_age_years=1) is None


@pytest.mark.parametrize(
    ("stars", "question", "rule"),
    [
        (10, StarRange(min=10, max=1000), None),
        (1000, StarRange(min=10, max=1000), None),
        (9, StarRange(min=10, max=1000), "stars"),
        (1001, StarRange(min=10, max=1000), "stars"),
        (999, StarRange(min=1000), "stars"),
        (0, StarRange(), None),
    ],
)
def test_the_range_of_the_question_replaces_the_minimum(stars: int, question: StarRange, rule: str | None) -> None:
    """A question for new repositories finds them below 50 stars; both bounds belong to the range."""
    assert broken_rule({"stars": stars}, question) == rule


def test_a_push_counts_from_the_day_of_its_observation() -> None:
    """A repository is not stale because its record is old."""
    pushed = NOW - timedelta(days=800)
    assert broken_rule({"pushed_at": pushed}) == "pushed"
    assert broken_rule({"pushed_at": pushed, "observed": {"pushed_at": (pushed + timedelta(days=100)).date()}}) is None


def test_months_and_years_are_configured() -> None:
    """The last push within so many months, the creation within so many years."""
    pushed, created = {"pushed_at": NOW - timedelta(days=31)}, {"created_at": NOW - timedelta(days=1827)}
    assert broken_rule(pushed, pushed_within_months=1) == "pushed"
    assert broken_rule(pushed, pushed_within_months=2) is None
    assert broken_rule(created, max_age_years=5) == "age"
    assert broken_rule(created, max_age_years=6) is None
