"""Six dimensions and their mean: a missing signal counts neither for nor against a repository."""

from datetime import datetime, timedelta
from typing import Any, get_args

import pytest
from goldpan.config import DimensionWeights
from goldpan.kinds.repositories.dimensions import days_since, overall, score_dimensions
from goldpan.kinds.repositories.models import Dimension, ReadmeOutline, Verdict
from goldpan.kinds.repositories.results import Scores

from tests.support.factories import NOW, repository

DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)
RULES = Verdict(full_name="x/y", relevance=0.5, reasoning="-", basis="rules")


def ago(days: float) -> datetime:
    """Return the time a number of days before now."""
    return NOW - timedelta(days=days)


def readme(**shown: Any) -> dict[str, Any]:
    """Make the facts of a repository from what its README shows."""
    counts = {"characters": 0, "headings": 0, "code_blocks": 0, "links": 0, "images": 0}
    return {"readme_outline": ReadmeOutline.model_validate({**counts, **shown})}


def scored(verdict: Verdict = RULES, **facts: Any) -> Scores:
    """Score a repository of which only these facts are known."""
    return score_dimensions(repository(**{"stars": None, **facts}), verdict, DimensionWeights(), NOW)


@pytest.mark.parametrize(
    ("dimension", "facts", "expected"),
    [
        ("maturity", {"stars": 500, "created_at": ago(731), "releases": 50}, 6.1),
        ("activity", {"pushed_at": ago(100)}, 5.0),
        ("activity", {"pushed_at": ago(9000)}, 0.0),
        ("activity", {"pushed_at": ago(100), "recent_commits": 2, "created_at": ago(731), "closed_issues": 240}, 3.8),
        ("activity", {"created_at": ago(3), "merged_pull_requests": 9}, 5.0),  # the first month counts as one
        ("community", {"contributors": 20, "stars": 1000, "forks": 500, "watchers": 2}, 5.3),
        ("maintenance", {"latest_release_at": ago(300), "open_issues": 10, "closed_issues": 30}, 5.7),
        ("maintenance", {"open_issues": 0, "closed_issues": 0}, None),
        ("community", {"stars": 0, "forks": 3}, None),
        ("activity", {"recent_commits": 300, "archived": True}, 1.0),
        ("documentation", readme(characters=800, headings=3, links=5, sections=("docs", "api")), 6.4),
        ("ease_of_use", readme(code_blocks=2, images=4, sections=("install", "usage", "examples")), 8.7),
    ],
)
def test_each_dimension_is_the_documented_mean(dimension: str, facts: dict[str, Any], expected: float | None) -> None:
    """The table of "How we score" in the README gives these scores."""
    assert getattr(scored(**facts), dimension) == expected


def test_the_overall_score_is_the_weighted_mean_of_what_is_known() -> None:
    """Maturity and activity weigh 0.2 by default, the others 0.15; rounding never lifts the mean above the largest."""
    weights = DimensionWeights()
    assert overall({"maturity": 9.0, "activity": 9.0, "community": 5.0}, weights) == 7.91
    assert overall({**dict.fromkeys(DIMENSIONS, 8.346), "community": None}, weights) == 8.346
    assert overall(dict.fromkeys(DIMENSIONS), weights) is None
    only = DimensionWeights.model_validate({**dict.fromkeys(DIMENSIONS, 0), "activity": 1})
    assert overall({**dict.fromkeys(DIMENSIONS), "maturity": 5.0}, only) is None


def test_what_is_unknown_has_no_score_and_what_is_missing_zero() -> None:
    """As an empty README does; what a language model gave takes the place of what the README shows, even a 0."""
    assert scored(stars=50_000).maturity == scored(stars=50_000, releases=100).maturity == 10.0
    assert scored().model_dump() == dict.fromkeys([*DIMENSIONS, "overall"])
    missing, empty, unknown = scored(has_readme=False), scored(has_readme=True, **readme()), scored(has_readme=True)
    assert (missing.documentation, missing.ease_of_use) == (empty.documentation, empty.ease_of_use) == (0, 0)
    assert (unknown.documentation, unknown.ease_of_use) == (None, None)
    judged = scored(RULES.model_copy(update={"documentation": 0.0}), **readme(sections=("install", "docs")))
    assert (judged.documentation, judged.ease_of_use) == (0.0, 2.5)


def test_an_age_counts_from_the_day_of_observation() -> None:
    """A push that was fresh when it was recorded counts as fresh for a year; an observation is never in the future."""
    aged = [scored(pushed_at=ago(days), observed={"pushed_at": ago(days - 10).date()}) for days in (360, 400)]
    assert [each.activity for each in aged] == [10, None]
    assert scored(pushed_at=ago(800), observed={"pushed_at": ago(100).date()}).activity == 0.1
    future = repository(pushed_at=ago(30), observed={"pushed_at": (NOW + timedelta(days=9)).date()})
    assert days_since(future, "pushed_at", NOW) == 30
    assert days_since(repository(pushed_at=ago(-30)), "pushed_at", NOW) == 0
