"""What an answer says of what was left out, and of facts that no current source confirmed."""

from typing import Any

import pytest
from goldpan.config import CoarseFilter
from goldpan.contracts import FoundBy, SourceStatus
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.models import Shortlist
from goldpan.kinds.repositories.notices import broken_text, dropped_by_rules, not_confirmed

from tests.unit.kinds.repositories.test_rank import ROWS, task

OPEN, RULES = Constraints(), CoarseFilter(max_age_years=5)


@pytest.mark.parametrize(
    ("rule", "constraints", "said"),
    [
        ("stars", OPEN, "with fewer than 50 stars"),
        ("stars", Constraints(min_stars=100, max_stars=9000), "with fewer than 100 or more than 9,000 stars"),
        ("stars", Constraints(max_stars=900), "with more than 900 stars"),
        ("pushed", OPEN, "without a push in 12 months"),
        ("pushed", Constraints(pushed_within_days=60), "last pushed outside the time asked for"),
        ("age", OPEN, "more than 5 years old"),
        ("archived", OPEN, "archived"),
        ("archived", Constraints(archived=True), "not archived"),
        ("archived", Constraints(archived=False), "archived"),
        ("language", Constraints(languages=("Rust", "Go")), "not in Rust or Go"),
        ("excluded language", Constraints(excluded_languages=("Java",)), "in Java"),
        ("not topic game", OPEN, "that are game"),
        ("not jQuery", OPEN, "that are jQuery"),
        ("topic cli", OPEN, "without the topic cli"),
    ],
)
def test_a_rule_is_said_with_its_limits(rule: str, constraints: Constraints, said: str) -> None:
    """Those of the question where it limits the same fact, else those of the rule."""
    assert broken_text(rule, constraints, RULES) == said


def test_the_rules_that_dropped_the_most_are_said() -> None:
    """Six at most, with the ways to widen them that help."""
    dropped = {f"topic {letter}": 1 + place for place, letter in enumerate("abcdefg")}
    shortlisted = Shortlist(tasks=(), total_candidates=40, dropped=dropped)
    (said,) = dropped_by_rules(shortlisted, 4, OPEN, RULES)
    assert said.startswith("Left out: 7 without the topic g, 6 without the topic f, ")
    assert said.endswith(", 2 without the topic b; fewer constraints (ignore) or filters widen.")
    assert dropped_by_rules(shortlisted, 5, OPEN, RULES) == ()
    gone = shortlisted.model_copy(update={"dropped": {"copy": 1}})
    assert dropped_by_rules(gone, 0, OPEN, RULES) == ("Left out: 1 copied from another result.",)
    few = shortlisted.model_copy(update={"dropped": {"license": 1, "stars": 2}})
    (said,) = dropped_by_rules(few, 0, OPEN, RULES)
    assert said == (
        "Left out: 2 with fewer than 50 stars, 1 under another licence; config.coarse_filter widens;"
        " fewer constraints (ignore) or filters widen."
    )


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (ROWS, ("The facts of 2 results are the catalogue's, the oldest of 2026-02-01: github did not confirm them.",)),
        (ROWS[1:], ()),  # its notice says so of all
    ],
)
def test_the_oldest_day_of_what_is_not_confirmed_is_said(rows: tuple[SourceStatus, ...], said: tuple[str, ...]) -> None:
    """What a current source has found, too, has the facts of today."""

    def shown(strategies: str, **observed: str) -> Any:
        by = tuple(FoundBy(strategy=strategy, rank=1) for strategy in strategies.split())
        return task(observed=observed).model_copy(update={"found_by": by})

    tasks = [
        shown("known", stars="2026-08-01", pushed_at="2026-02-01"), shown("known", stars="2026-07-01"), shown("known"),
        shown("stars known", stars="2020-01-01"),
    ]  # fmt: skip
    assert not_confirmed(tasks, rows) == said
