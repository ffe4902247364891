"""Drop repositories by simple rules before scoring, the most expensive stage. An unknown fact breaks no rule."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from goldpan.config import CoarseFilter
from goldpan.kinds.repositories.dimensions import DAYS_A_YEAR, days_since
from goldpan.kinds.repositories.models import Repository, StarRange

MIN_FORKS, MIN_SHARE_OF_PARENT = 10, 0.5
"""A fork below both is trivial: forks of its own, and stars as a share of its parent's."""


def coarse_filter(
    rules: CoarseFilter, question_stars: StarRange | None, now: datetime
) -> Callable[[Repository], str | None]:
    """Return a function that names the first rule which a repository breaks, or returns None.

    The star range of the question, if it has one, takes the place of `rules.min_stars`.
    """
    stars = question_stars or StarRange(min=rules.min_stars)

    def broken_rule(repository: Repository) -> str | None:
        checks = (
            ("stars", _outside(repository.stars, stars)),
            ("pushed", _older(repository, "pushed_at", rules.pushed_within_months, now)),
            ("age", _older(repository, "created_at", rules.max_age_years and 12 * rules.max_age_years, now)),
            ("readme", bool(rules.require_readme) and repository.has_readme is False),
            ("archived", bool(rules.exclude_archived) and bool(repository.archived)),
            ("trivial fork", bool(rules.exclude_trivial_forks) and _trivial_fork(repository)),
        )
        return next((name for name, broken in checks if broken), None)

    return broken_rule


def _outside(stars: int | None, allowed: StarRange) -> bool:
    if stars is None:
        return False
    return (allowed.min is not None and stars < allowed.min) or (allowed.max is not None and stars > allowed.max)


def _older(repository: Repository, field: str, months: int | None, now: datetime) -> bool:
    days = days_since(repository, field, now)
    return months is not None and days is not None and days > months * DAYS_A_YEAR / 12


def _trivial_fork(repository: Repository) -> bool:
    if not repository.fork or repository.forks is None or repository.stars is None or repository.parent_stars is None:
        return False
    return repository.forks < MIN_FORKS and repository.stars < MIN_SHARE_OF_PARENT * repository.parent_stars
