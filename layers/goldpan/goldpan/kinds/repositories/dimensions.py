"""The six dimensions of a repository, 0 to 10, from the signals that are known.

Each dimension is the weighted mean of its known signals; a missing signal leaves the mean, and a dimension without
signals is None. The form is that of the OSSF criticality score (github.com/ossf/criticality_score): counts on a
logarithmic scale, 1 at a cap. Ages count from the day on which the fact was observed. README.md, "How we score", has
the same table for people; a test holds the two together.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time

from goldpan.config import DimensionWeights
from goldpan.kinds.repositories.models import Dimension, Repository, Scores, Verdict

DAYS_A_YEAR = 365.25


@dataclass(frozen=True)
class Signal:
    """One fact of a dimension: its name, its share, and its value from 0 to 1, None where unknown."""

    name: str
    share: float
    scale: str
    value: Callable[[Repository, datetime], float | None]


def _count(field: str, cap: float) -> Callable[[Repository, datetime], float | None]:
    def value(repository: Repository, now: datetime) -> float | None:
        del now
        known = getattr(repository, field)
        return None if known is None else logarithmic(known, cap)

    return value


def logarithmic(value: float, cap: float) -> float:
    """Put a count on a logarithmic scale: 0 at 0, 1 at the cap and above."""
    return min(1.0, math.log1p(max(0.0, value)) / math.log1p(cap))


def recency(days: float, fresh: float, stale: float) -> float:
    """Put an age on a logarithmic scale: 1 until `fresh` days, 0 from `stale` days on."""
    if days <= fresh:
        return 1.0
    return max(0.0, 1 - math.log(days / fresh) / math.log(stale / fresh))


def observed_at(repository: Repository, field: str, now: datetime) -> datetime:
    """Tell when a fact was observed: the day that its source names, else now."""
    day = repository.observed.get(field)
    return now if day is None else min(now, datetime.combine(day, time(), tzinfo=UTC))


def days_since(repository: Repository, field: str, now: datetime) -> float | None:
    """Count the days from a moment to the day on which it was observed."""
    moment: datetime | None = getattr(repository, field)
    if moment is None:
        return None
    seen = observed_at(repository, field, now)
    return max(0.0, (seen - moment).total_seconds() / 86400)


def _age(repository: Repository, now: datetime) -> float | None:
    days = days_since(repository, "created_at", now)
    return None if days is None else logarithmic(days / DAYS_A_YEAR, 8)


def _since(field: str, fresh: float, stale: float) -> Callable[[Repository, datetime], float | None]:
    def value(repository: Repository, now: datetime) -> float | None:
        days = days_since(repository, field, now)
        return None if days is None else recency(days, fresh, stale)

    return value


def _pace(repository: Repository, now: datetime) -> float | None:
    days = days_since(repository, "created_at", now)
    settled = [n for n in (repository.closed_issues, repository.merged_pull_requests) if n is not None]
    if not days or not settled:
        return None
    return logarithmic(sum(settled) / max(1.0, days / DAYS_A_YEAR * 12), 100)


def _forks_to_stars(repository: Repository, now: datetime) -> float | None:
    del now
    if repository.forks is None or not repository.stars:
        return None
    return min(1.0, repository.forks / repository.stars / 0.2)


def _closed_share(repository: Repository, now: datetime) -> float | None:
    del now
    if repository.open_issues is None or repository.closed_issues is None:
        return None
    total = repository.open_issues + repository.closed_issues
    return repository.closed_issues / total if total else None


def _readme(parts: dict[str, float]) -> Callable[[Repository, datetime], float | None]:
    """Weigh what the structure of a README shows; a README known to be missing shows nothing at all: 0."""

    def value(repository: Repository, now: datetime) -> float | None:
        del now
        outline = repository.readme_outline
        if outline is None:
            return 0.0 if repository.has_readme is False else None
        shown = {
            "length": logarithmic(outline.characters, 8000),
            "headings": logarithmic(outline.headings, 15),
            "code": logarithmic(outline.code_blocks, 6),
            "links": logarithmic(outline.links, 30),
            "images": logarithmic(outline.images, 4),
            **dict.fromkeys(outline.sections, 1.0),
        }
        return sum(share * shown.get(part, 0.0) for part, share in parts.items())

    return value


SIGNALS: dict[Dimension, tuple[Signal, ...]] = {
    "maturity": (
        Signal("age", 0.3, "log, 1 at 8 years", _age),
        Signal("stars", 0.5, "log, 1 at 50,000", _count("stars", 50_000)),
        Signal("releases", 0.2, "log, 1 at 100", _count("releases", 100)),
    ),
    "activity": (
        Signal("last push", 0.4, "1 until 14 days, 0 from 730, log between", _since("pushed_at", 14, 730)),
        Signal("commits of 90 days", 0.4, "log, 1 at 300", _count("recent_commits", 300)),
        Signal("issues closed and pull requests merged a month", 0.2, "log, 1 at 100", _pace),
    ),
    "documentation": (
        Signal(
            "README structure",
            1.0,
            "length, headings, links, sections: API, examples, docs",
            _readme({"length": 0.25, "headings": 0.2, "links": 0.1, "api": 0.1, "examples": 0.15, "docs": 0.2}),
        ),
    ),
    "community": (
        Signal("contributors", 0.5, "log, 1 at 500", _count("contributors", 500)),
        Signal("forks to stars", 0.25, "1 at 1 fork for 5 stars", _forks_to_stars),
        Signal("watchers", 0.25, "log, 1 at 1,000", _count("watchers", 1000)),
    ),
    "ease_of_use": (
        Signal(
            "README structure",
            1.0,
            "sections: install, usage, examples; code blocks, images",
            _readme({"install": 0.25, "usage": 0.2, "examples": 0.15, "code": 0.3, "images": 0.1}),
        ),
    ),
    "maintenance": (
        Signal(
            "latest release", 0.6, "1 until 60 days, 0 from 1,095, log between", _since("latest_release_at", 60, 1095)
        ),
        Signal("share of issues closed", 0.4, "closed / all", _closed_share),
    ),
}


def score_dimensions(repository: Repository, verdict: Verdict, weights: DimensionWeights, now: datetime) -> Scores:
    """Score all six dimensions and their weighted mean; the language model's two stand where it gave them."""
    scores = {dimension: _dimension(dimension, repository, now) for dimension in SIGNALS}
    if verdict.documentation is not None:
        scores["documentation"] = verdict.documentation
    if verdict.ease_of_use is not None:
        scores["ease_of_use"] = verdict.ease_of_use
    return Scores(**scores, overall=overall(scores, weights))


def _dimension(dimension: Dimension, repository: Repository, now: datetime) -> float | None:
    known = [
        (signal.share, value) for signal in SIGNALS[dimension] if (value := signal.value(repository, now)) is not None
    ]
    if not known:
        return None
    return round(10 * sum(share * value for share, value in known) / sum(share for share, _ in known), 1)


def overall(scores: dict[Dimension, float | None], weights: DimensionWeights) -> float | None:
    """Take the weighted mean of the known dimensions; it never exceeds the largest of them."""
    known = [(getattr(weights, dimension), score) for dimension, score in scores.items() if score is not None]
    total = math.fsum(weight for weight, _ in known)
    if not total:
        return None
    mean = math.fsum(weight * score for weight, score in known) / total
    return min(round(mean, 2), max(score for _, score in known))
