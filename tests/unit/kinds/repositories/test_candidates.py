"""Merging the batches of all strategies, and the coarse rules."""

from collections.abc import Mapping
from datetime import date, timedelta
from itertools import permutations

import pytest
from goldpan.config import CoarseFilter
from goldpan.contracts import FoundBy
from goldpan.kinds.repositories.candidates import Candidate, broken_rules, fuse
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.preferred_range import preferred_candidates_first

from tests.support.factories import NOW, batch, repository

WEIGHTS = {"stars": 1.0, "recency": 0.5, "expanded": 0.8}
POOL = [repository(f"example-org/r{n}", stars=100 * n) for n in range(12)]
A, B = POOL[:2]


def names(candidates: tuple[Candidate, ...]) -> list[str]:
    """List the full names of candidates."""
    return [candidate.repository.full_name for candidate in candidates]


def test_the_agreement_is_that_of_reciprocal_rank_fusion() -> None:
    """The sum of weight / (60 + rank), as calculated by hand."""
    merged = fuse([batch("stars", B, A), batch("expanded", A)], WEIGHTS)
    assert names(merged) == [A.full_name, B.full_name]
    assert [candidate.agreement for candidate in merged] == pytest.approx([1 / 62 + 0.8 / 61, 1 / 61])


def test_a_strategy_has_one_vote_with_its_better_rank() -> None:
    """In one list or at two sources; equal votes go by stars, and what is only looked up by its name has no vote."""
    votes = (FoundBy(strategy="stars", rank=1),)
    at_two_sources = fuse([batch("stars", A, B), batch("stars", B, source="catalogue")], WEIGHTS)
    assert names(at_two_sources) == [B.full_name, A.full_name]
    assert [candidate.found_by for candidate in at_two_sources] == [votes, votes]
    first, _ = fuse([batch("stars", A, B, A)], WEIGHTS)
    assert (first.repository, first.found_by) == (A, votes)
    found = fuse([batch("stars", A), batch("named", B, A)], WEIGHTS)
    assert names(found) == [A.full_name, B.full_name]
    assert found[1].agreement == 0
    assert found[0].agreement == fuse([batch("stars", A)], WEIGHTS)[0].agreement


def test_the_order_of_the_batches_does_not_matter() -> None:
    """All repositories that any scout found are candidates once, with the same votes whichever scout ends first."""
    batches = [batch("stars", *POOL[:8]), batch("recency", *POOL[6:]), batch("expanded", *POOL[9:3:-1])]
    batches.append(batch("stars", *POOL[5:9], source="catalogue"))
    expected = fuse(batches, WEIGHTS)
    assert sorted(names(expected)) == sorted(item.full_name for item in POOL)
    for order in permutations(batches):
        merged = fuse(order, WEIGHTS)
        assert [(c.repository, c.found_by) for c in merged] == [(c.repository, c.found_by) for c in expected]
        assert [c.agreement for c in merged] == pytest.approx([c.agreement for c in expected])


def test_unknown_facts_are_filled_from_the_second_record() -> None:
    """What the first one knows is kept, also 0 or none, and each fact has its own day; letter case does not count."""
    first = Repository(full_name="A/B", stars=0, archived=False, topics=())
    second = Repository(full_name="a/b", stars=9, forks=2, topics=("y",), archived=True, description="text")
    (merged,) = fuse([batch("stars", first), batch("recency", second, source="catalogue")], WEIGHTS)
    kept = merged.repository
    assert (kept.full_name, kept.stars, kept.topics, kept.archived) == ("A/B", 0, (), False)
    assert (kept.forks, kept.description) == (2, "text")
    assert len(merged.found_by) == 2
    today = repository("a/b", stars=100, observed={"stars": "2026-08-01"})
    observed = dict.fromkeys(["stars", "latest_release_at"], "2020-02-01")
    old = repository("a/b", stars=90, latest_release_at=NOW, observed=observed)
    newest = fuse([batch("stars", today), batch("recency", old, source="catalogue")], WEIGHTS)[0].repository
    assert newest.observed == {"stars": date(2026, 8, 1), "latest_release_at": date(2020, 2, 1)}


def test_what_is_in_the_preferred_range_is_first_unless_it_is_far_less_relevant() -> None:
    """Both bounds are in the range, and so is a quarter of the best relevance."""
    rows = {"a/big": (501, 0.8), "a/edge": (500, 0.7), "a/small": (10, 0.2), "a/tiny": (9, 0.6), "a/unfit": (10, 0.19)}
    found = [Candidate(repository(name, stars=stars), 1, (), relevance) for name, (stars, relevance) in rows.items()]
    ordered = preferred_candidates_first(found, Constraints(min_stars=10, preferred_max_stars=500), NOW.date())
    assert names((*ordered,)) == ["a/edge", "a/small", "a/big", "a/tiny", "a/unfit"]


OPEN = Constraints()
FORK: dict[str, object] = {"fork": True, "forks": 9, "stars": 60, "parent_stars": 121}


def broken_rule(facts: Mapping[str, object], asked: Constraints = OPEN, **rules: object) -> str | None:
    """Name the rule or constraint that drops a repository."""
    return next(broken_rules(repository(**facts), CoarseFilter.model_validate(rules), asked, NOW), None)


@pytest.mark.parametrize(
    ("facts", "asked", "rule"),
    [
        ({"stars": 49}, OPEN, "stars"),
        ({"pushed_at": NOW - timedelta(days=366)}, OPEN, "pushed"),
        ({"pushed_at": NOW - timedelta(days=365)}, OPEN, None),
        ({"has_readme": False}, OPEN, "readme"),
        ({"archived": True}, OPEN, "archived"),
        (FORK, OPEN, "trivial fork"),
        ({**FORK, "forks": 10}, OPEN, None),
        ({**FORK, "parent_stars": 120}, OPEN, None),
        ({**FORK, "parent_stars": None}, OPEN, None),
        ({**FORK, "fork": False}, OPEN, None),
        ({"stars": 49, "archived": True}, OPEN, "stars"),
        (dict.fromkeys(["stars", "forks", "pushed_at", "archived", "fork", "has_readme"]), OPEN, None),
        ({"stars": 10}, Constraints(min_stars=10, max_stars=1000), None),
        ({"stars": 1000}, Constraints(min_stars=10, max_stars=1000), None),
        ({"stars": 9}, Constraints(min_stars=10, max_stars=1000), "stars"),
        ({"stars": 1001}, Constraints(min_stars=10, max_stars=1000), "stars"),
        ({"stars": 90_000}, Constraints(min_stars=10, preferred_max_stars=500), None),
        ({"pushed_at": NOW - timedelta(days=900)}, Constraints(pushed_before=NOW.date()), None),
        ({"pushed_at": NOW - timedelta(days=90)}, Constraints(pushed_within_days=60), "pushed"),
        ({"description": "Parser in C++ and C#"}, Constraints(excluded_terms=("C",)), None),
    ],
)
def test_the_rules_have_their_bounds(facts: dict[str, object], asked: Constraints, rule: str | None) -> None:
    """Unknown facts break none; a question for new repositories finds them below 50 stars, both bounds included."""
    assert broken_rule(facts, asked) == rule


def test_ages_are_configured() -> None:
    """They count from the day of the observation: a repository is not stale because its record is old."""
    event, created = NOW - timedelta(days=31), {"created_at": NOW - timedelta(days=1827)}
    seen = {"pushed_at": event, "observed": {"pushed_at": event.date()}}
    pushed = (broken_rule(facts, pushed_within_months=1) for facts in ({"pushed_at": event}, seen))
    assert [*pushed, *(broken_rule(created, max_age_years=years) for years in (5, 6))] == ["pushed", None, "age", None]
