"""Six dimensions and their mean: what is missing earns nothing and costs nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from goldpan.config import DimensionWeights
from goldpan.contracts import Dimension, Scores
from goldpan.kinds.repositories.dimensions import SIGNALS, overall, score_dimensions
from goldpan.kinds.repositories.models import ReadmeOutline, Repository, Verdict
from goldpan.kinds.repositories.readme import outline
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import NOW, repository

DIMENSIONS: tuple[Dimension, ...] = tuple(SIGNALS)
RULES = Verdict(full_name="x/y", relevance=0.5, reasoning="-", basis="rules")
COUNTS = st.none() | st.integers(0, 10_000_000)
DAYS = st.none() | st.integers(-5, 9000).map(lambda days: NOW - timedelta(days=days))
OUTLINES = st.none() | st.builds(
    ReadmeOutline,
    characters=st.integers(0, 100_000),
    headings=st.integers(0, 500),
    code_blocks=st.integers(0, 500),
    links=st.integers(0, 500),
    images=st.integers(0, 500),
    sections=st.lists(st.sampled_from(["install", "usage", "examples", "api", "docs"]), unique=True).map(tuple),
)
REPOSITORIES = st.builds(
    Repository,
    full_name=st.just("x/y"),
    has_readme=st.none() | st.booleans(),
    readme_outline=OUTLINES,
    **dict.fromkeys(["pushed_at", "created_at", "latest_release_at"], DAYS),
    **dict.fromkeys(
        ["stars", "forks", "releases", "open_issues", "closed_issues", "merged_pull_requests", "recent_commits",
         "watchers", "contributors"],
        COUNTS,
    ),
)  # fmt: skip


def scored(item: Repository, verdict: Verdict = RULES) -> Scores:
    """Score with the usual weights."""
    return score_dimensions(item, verdict, DimensionWeights(), NOW)


@settings(max_examples=150, deadline=None)
@given(REPOSITORIES)
def test_every_repository_has_scores_within_bounds(item: Repository) -> None:
    """Whatever is known, each score is null or from 0 to 10, and the mean exceeds none but the largest."""
    scores = scored(item)
    known = [score for name in DIMENSIONS if (score := getattr(scores, name)) is not None]
    assert all(0 <= score <= 10 for score in known)
    assert (scores.overall is None) == (not known)
    assert scores.overall is None or min(known) - 0.01 <= scores.overall <= max(known)


@pytest.mark.parametrize("score", [0.0, 0.01, 3.333, 8.34, 9.999, 10.0])
def test_equal_scores_have_an_equal_mean(score: float) -> None:
    """Six times 8.34 is 8.34: weights that sum to 1 do not saturate."""
    assert overall(dict.fromkeys(DIMENSIONS, score), DimensionWeights()) == pytest.approx(score, abs=0.005)


def test_weights_decide_the_mean() -> None:
    """A dimension with all the weight is the mean; one without weight alone leaves nothing to say."""
    scores: dict[Dimension, float | None] = {**dict.fromkeys(DIMENSIONS, 2.0), "activity": 9.0}
    only = DimensionWeights.model_validate({**dict.fromkeys(DIMENSIONS, 0), "activity": 1})
    assert overall(scores, only) == 9.0
    assert overall({**dict.fromkeys(DIMENSIONS), "maturity": 5.0}, only) is None


def test_a_missing_dimension_leaves_the_denominator() -> None:
    """An unknown dimension counts neither as 0 nor as 5: the mean is that of the others."""
    known: dict[Dimension, float | None] = {**dict.fromkeys(DIMENSIONS, 8.0), "community": None}
    assert overall(known, DimensionWeights()) == 8.0


def test_a_missing_signal_leaves_its_dimension() -> None:
    """With the age unknown, maturity is the mean of stars and releases."""
    full = scored(repository(stars=50_000, releases=100, created_at=NOW - timedelta(days=4000)))
    assert full.maturity == 10.0
    assert scored(repository(stars=50_000, releases=100)).maturity == 10.0
    assert scored(repository(stars=None, releases=100)).maturity == 10.0
    assert scored(repository(stars=None)).maturity is None


@settings(max_examples=80, deadline=None)
@given(OUTLINES.filter(bool))
def test_a_missing_readme_is_never_better_than_any(shown: ReadmeOutline) -> None:
    """A README that is known to be missing scores 0; even the worst one scores no less, and an unknown one is null."""
    missing, bad, unknown = (
        scored(repository(**facts))
        for facts in ({"has_readme": False}, {"has_readme": True, "readme_outline": shown}, {})
    )
    assert (missing.documentation, missing.ease_of_use) == (0, 0)
    assert (unknown.documentation, unknown.ease_of_use) == (None, None)
    assert bad.documentation is not None
    assert bad.ease_of_use is not None
    assert missing.overall is not None
    assert bad.overall is not None
    assert missing.overall <= bad.overall


def test_more_of_a_readme_is_better() -> None:
    """Sections, code and length raise documentation and ease of use."""
    thin = outline("# Motion\n")
    rich = outline(
        "# Motion\n" + "It animates. " * 300 + "\n## Install\n```\npip\n```\n## Usage\n```\ngo\n```\n## API\n## Docs\n"
    )
    less, more = (scored(repository(readme_outline=shown)) for shown in (thin, rich))
    assert less.documentation is not None
    assert more.documentation is not None
    assert less.documentation < more.documentation
    assert less.ease_of_use is not None
    assert more.ease_of_use is not None
    assert less.ease_of_use < more.ease_of_use


def test_the_models_two_scores_stand_before_the_rules() -> None:
    """Documentation and ease of use come from the language model where it gave them, even a 0; else from the README."""
    item = repository(readme_outline=outline("# Motion\n## Install\n"))
    verdict = RULES.model_copy(update={"documentation": 0.0})
    assert scored(item, verdict).documentation == 0.0
    assert scored(item, verdict).ease_of_use == scored(item).ease_of_use


def test_facts_count_from_the_day_on_which_they_were_seen() -> None:
    """A push that was fresh when it was recorded earns what a fresh push earns today."""
    pushed = NOW - timedelta(days=900)
    seen = {"pushed_at": (pushed + timedelta(days=5)).date()}
    assert scored(repository(pushed_at=pushed)).activity == 0
    assert scored(repository(pushed_at=pushed, observed=seen)).activity == 10


def test_the_shares_of_every_dimension_sum_to_one() -> None:
    """The signals of a dimension are shares of it."""
    assert {round(sum(signal.share for signal in signals), 9) for signals in SIGNALS.values()} == {1.0}
