"""The rules that drop a repository before anyone pays to have it scored."""

from __future__ import annotations

from datetime import timedelta

import pytest
from goldpan.config import CoarseFilter
from goldpan.kinds.repositories.coarse_filter import coarse_filter
from goldpan.kinds.repositories.models import Repository, StarRange
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import NOW, repository

FORK: dict[str, object] = {"fork": True, "forks": 3, "stars": 60, "parent_stars": 9000}
BAD: dict[str, tuple[str, dict[str, object]]] = {
    "min_stars": ("stars", {"stars": 3}),
    "pushed_within_months": ("pushed", {"pushed_at": NOW - timedelta(days=400)}),
    "require_readme": ("readme", {"has_readme": False}),
    "exclude_archived": ("archived", {"archived": True}),
    "exclude_trivial_forks": ("trivial fork", FORK),
}


def dropped_by(item: Repository, asked: StarRange | None = None, **rules: object) -> str | None:
    """Name the rule that drops a repository."""
    return coarse_filter(CoarseFilter.model_validate(rules), asked, NOW)(item)


@pytest.mark.parametrize("name", BAD)
def test_each_rule_drops_by_name_and_can_be_switched_off(name: str) -> None:
    """A rule drops what breaks it and says which it was; null leaves it out, and only it."""
    rule, facts = BAD[name]
    item = repository(**facts)
    assert dropped_by(item) == rule
    assert dropped_by(item, **{name: None}) is None
    others = {other: None for other in BAD if other != name}
    assert dropped_by(item, **others) == rule


@settings(max_examples=60)
@given(st.sets(st.sampled_from(["stars", "forks", "pushed_at", "created_at", "archived", "fork", "has_readme"])))
def test_an_unknown_fact_drops_nobody(unknown: set[str]) -> None:
    """What is not known is held against no one, even with every rule on."""
    known: dict[str, object] = {
        "stars": 50, "forks": 12, "pushed_at": NOW, "created_at": NOW, "archived": False, "fork": False,
        "has_readme": True,
    }  # fmt: skip
    assert dropped_by(repository(**{**known, **dict.fromkeys(unknown)}), max_age_years=1) is None


@pytest.mark.parametrize(
    ("stars", "asked", "rule"),
    [
        (50, None, None),
        (49, None, "stars"),
        (12, StarRange(min=10, max=1000), None),
        (1000, StarRange(min=10, max=1000), None),
        (1001, StarRange(min=10, max=1000), "stars"),
        (9, StarRange(min=10, max=1000), "stars"),
        (999, StarRange(min=1000), "stars"),
        (0, StarRange(), None),
    ],
)
def test_the_questions_own_range_takes_the_place_of_the_floor(
    stars: int, asked: StarRange | None, rule: str | None
) -> None:
    """New repositories of 10 to 1000 stars survive the floor of 50; bounds belong to the range."""
    assert dropped_by(repository(stars=stars), asked) == rule


def test_a_push_counts_from_the_day_on_which_it_was_seen() -> None:
    """What was fresh when it was looked at is not stale because the record is old."""
    pushed = NOW - timedelta(days=800)
    assert dropped_by(repository(pushed_at=pushed)) == "pushed"
    seen = {"pushed_at": (pushed + timedelta(days=100)).date()}
    assert dropped_by(repository(pushed_at=pushed, observed=seen)) is None


@pytest.mark.parametrize(("months", "days", "rule"), [(1, 29, None), (1, 32, "pushed"), (24, 720, None)])
def test_the_months_are_those_configured(months: int, days: int, rule: str | None) -> None:
    """The limit of the last push is a setting."""
    item = repository(pushed_at=NOW - timedelta(days=days))
    assert dropped_by(item, pushed_within_months=months) == rule


def test_age_is_no_fault_unless_asked() -> None:
    """Mature repositories are welcome; whoever wants young ones alone sets the age."""
    old = repository(created_at=NOW - timedelta(days=5000))
    assert dropped_by(old) is None
    assert dropped_by(old, max_age_years=20) is None
    assert dropped_by(old, max_age_years=5) == "age"


@pytest.mark.parametrize(
    "facts",
    [{**FORK, "forks": 10}, {**FORK, "stars": 4500}, {**FORK, "parent_stars": None}, {**FORK, "fork": False}],
)
def test_a_fork_with_a_life_of_its_own_stays(facts: dict[str, object]) -> None:
    """Ten forks, half of the parent's stars, or an unknown parent save a fork."""
    assert dropped_by(repository(**facts)) is None
