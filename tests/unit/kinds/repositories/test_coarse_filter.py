"""The rules that drop a repository before scoring."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import pytest
from goldpan.config import CoarseFilter
from goldpan.kinds.repositories.coarse_filter import coarse_filter
from goldpan.kinds.repositories.models import StarRange
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import NOW, repository

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
