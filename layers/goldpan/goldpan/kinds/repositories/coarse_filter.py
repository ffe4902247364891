"""The coarse rules: what drops a repository before anyone pays to have it scored. Unknown facts pass."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from goldpan.config import CoarseFilter
from goldpan.kinds.repositories.dimensions import DAYS_A_YEAR, days_since
from goldpan.kinds.repositories.models import Repository, StarRange

FEW_FORKS, PARENT_SHARE = 10, 0.5


def coarse_filter(rules: CoarseFilter, asked: StarRange | None, now: datetime) -> Callable[[Repository], str | None]:
    """Make the test that names the rule which drops a repository, or None where it stays.

    `asked` is the star range of the question itself: it takes the place of `min_stars`.
    """
    stars = asked or StarRange(min=rules.min_stars)

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


def _outside(stars: int | None, wanted: StarRange) -> bool:
    if stars is None:
        return False
    return (wanted.min is not None and stars < wanted.min) or (wanted.max is not None and stars > wanted.max)


def _older(repository: Repository, field: str, months: int | None, now: datetime) -> bool:
    days = days_since(repository, field, now)
    return months is not None and days is not None and days > months * DAYS_A_YEAR / 12


def _trivial_fork(repository: Repository) -> bool:
    if not repository.fork or repository.forks is None or repository.stars is None or repository.parent_stars is None:
        return False
    return repository.forks < FEW_FORKS and repository.stars < PARENT_SHARE * repository.parent_stars
