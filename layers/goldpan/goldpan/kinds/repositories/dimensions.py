"""Score a repository in six dimensions, 0 to 10 each.

A dimension is the weighted mean of its known signals; without a known signal it is None. As in the OSSF criticality
score (github.com/ossf/criticality_score), counts are on a logarithmic scale that reaches 1 at a cap. docs/scoring.md
has the same table; a test compares both.
"""

import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, time
from typing import NamedTuple

from goldpan.config import DimensionWeights
from goldpan.kinds.repositories.models import Dimension, Repository, Verdict
from goldpan.kinds.repositories.results import RadarPoint, Scores

DAYS_A_YEAR = 365.25
ARCHIVED_MAX = 1.0
READ_ONLY: tuple[Dimension, ...] = ("activity", "maintenance")
"""The dimensions in which an archived repository has `ARCHIVED_MAX` at most."""
JUDGED: tuple[Dimension, ...] = ("documentation", "ease_of_use")
"""The dimensions that a language model may score."""
Value = Callable[[Repository, datetime], float | None]
"""Computes the value of a signal, 0 to 1, at a time; None if it is unknown."""


class Signal(NamedTuple):
    """One fact that a dimension rests on."""

    name: str
    share: float
    """Its weight in the dimension; the shares of a dimension sum to 1."""
    value: Value


def _logarithmic(value: float | None, cap: float) -> float | None:
    """Map a count to a logarithmic scale: 0 at 0, 1 at the cap and above."""
    return None if value is None else min(1.0, math.log1p(max(0.0, value)) / math.log1p(cap))


def _recency(days: float | None, fresh: float, stale: float) -> float | None:
    """Map an age to a logarithmic scale: 1 until `fresh` days, 0 from `stale` days."""
    if days is None or days <= fresh:
        return None if days is None else 1.0
    return max(0.0, 1 - math.log(days / fresh) / math.log(stale / fresh))


def days_since(repository: Repository, field: str, now: datetime) -> float | None:
    """Return the days from an event such as the last push to its observation; None if it is unknown.

    Ages do not count from now: an old record does not mean that the repository has been idle since.
    """
    event: datetime | None = getattr(repository, field)
    if event is None:
        return None
    day = repository.observed.get(field)
    observed = now if day is None else min(now, datetime.combine(day, time(), tzinfo=UTC))
    return max(0.0, (observed - event).total_seconds() / 86400)


def may_be_idle(repository: Repository, now: datetime) -> bool:
    """Report whether the last known push is over a year ago, and was recent when it was observed."""
    days = days_since(repository, "pushed_at", now)
    pushed = repository.pushed_at
    return pushed is not None and days is not None and days < DAYS_A_YEAR < (now - pushed).days


def _years(repository: Repository, now: datetime) -> float | None:
    days = days_since(repository, "created_at", now)
    return None if days is None else days / DAYS_A_YEAR


def _pace(repository: Repository, now: datetime) -> float | None:
    """Rate the issues closed and pull requests merged a month, over the age of the repository: 1 from a hundred on."""
    years = _years(repository, now)
    counts = [n for n in (repository.closed_issues, repository.merged_pull_requests) if n is not None]
    return _logarithmic(sum(counts) / max(1.0, years * 12), 100) if years and counts else None


def _forks_to_stars(repository: Repository, _: datetime) -> float | None:
    if repository.forks is None or not repository.stars:
        return None
    return min(1.0, repository.forks / repository.stars / 0.2)


def _closed_share(repository: Repository, _: datetime) -> float | None:
    if repository.open_issues is None or repository.closed_issues is None:
        return None
    total = repository.open_issues + repository.closed_issues
    return repository.closed_issues / total if total else None


def _readme(repository: Repository, shares: Mapping[str, float]) -> float | None:
    """Rate the structure of a README by the shares of its parts; 0 if the README is known to be missing."""
    outline = repository.readme_outline
    if outline is None:
        return 0.0 if repository.has_readme is False else None
    values = {part: _logarithmic(getattr(outline, part), cap) or 0.0 for part, cap in README_CAPS.items()}
    values |= dict.fromkeys(outline.sections, 1.0)
    return sum(share * values.get(part, 0.0) for part, share in shares.items())


README_CAPS = {"characters": 8000, "headings": 15, "code_blocks": 6, "links": 30, "images": 4}
DOCUMENTATION = {"characters": 0.25, "headings": 0.2, "links": 0.1, "api": 0.1, "examples": 0.15, "docs": 0.2}
EASE_OF_USE = {"install": 0.25, "usage": 0.2, "examples": 0.15, "code_blocks": 0.3, "images": 0.1}
SIGNALS: dict[Dimension, tuple[Signal, ...]] = {
    "maturity": (
        Signal("age", 0.3, lambda known, now: _logarithmic(_years(known, now), 8)),
        Signal("stars", 0.5, lambda known, _: _logarithmic(known.stars, 50_000)),
        Signal("releases", 0.2, lambda known, _: _logarithmic(known.releases, 100)),
    ),
    "activity": (
        Signal("last push", 0.4, lambda known, now: _recency(days_since(known, "pushed_at", now), 14, 730)),
        Signal("commits of 90 days", 0.4, lambda known, _: _logarithmic(known.recent_commits, 300)),
        Signal("issues closed and pull requests merged a month", 0.2, _pace),
    ),
    "documentation": (Signal("README structure", 1.0, lambda known, _: _readme(known, DOCUMENTATION)),),
    "community": (
        Signal("contributors", 0.5, lambda known, _: _logarithmic(known.contributors, 500)),
        Signal("forks to stars", 0.25, _forks_to_stars),
        Signal("watchers", 0.25, lambda known, _: _logarithmic(known.watchers, 1000)),
    ),
    "ease_of_use": (Signal("README structure", 1.0, lambda known, _: _readme(known, EASE_OF_USE)),),
    "maintenance": (
        Signal(
            "latest release", 0.6, lambda known, now: _recency(days_since(known, "latest_release_at", now), 60, 1095)
        ),
        Signal("share of issues closed", 0.4, _closed_share),
    ),
}


def score_dimensions(
    repository: Repository, verdict: Verdict | None, weights: DimensionWeights, now: datetime
) -> Scores:
    """Score all six dimensions and their weighted mean.

    What was active at the time of an old observation may be idle since: its activity is unknown. An archived repository
    is read-only. Documentation and ease of use are the language model's, if the verdict has them.
    """
    scores = {dimension: _dimension(dimension, repository, now) for dimension in SIGNALS}
    if repository.archived:
        scores |= {name: min(score, ARCHIVED_MAX) for name in READ_ONLY if (score := scores[name]) is not None}
    if may_be_idle(repository, now):
        scores["activity"] = None
    scores |= {name: score for name in JUDGED if (score := getattr(verdict, name, None)) is not None}
    return Scores(**scores, overall=overall(scores, weights))


def _dimension(dimension: Dimension, repository: Repository, now: datetime) -> float | None:
    values = ((signal.share, signal.value(repository, now)) for signal in SIGNALS[dimension])
    known = [(share, value) for share, value in values if value is not None]
    if not known:
        return None
    return round(10 * sum(share * value for share, value in known) / sum(share for share, _ in known), 1)


def radar_chart(scores: Scores) -> tuple[RadarPoint, ...]:
    """Return the dimensions as the axes of a chart."""
    return tuple(RadarPoint(dimension=name, score=getattr(scores, name)) for name in SIGNALS)


def overall(scores: dict[Dimension, float | None], weights: DimensionWeights) -> float | None:
    """Return the weighted mean of the known dimensions, never above the largest; None if no weight is left."""
    known = [(getattr(weights, dimension), score) for dimension, score in scores.items() if score is not None]
    total = math.fsum(weight for weight, _ in known)
    if not total:
        return None
    mean = math.fsum(weight * score for weight, score in known) / total
    return min(round(mean, 2), max(score for _, score in known))
