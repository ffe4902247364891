"""The stars and the age that a word such as "lightweight" or "new" prefers: what is within them comes first."""

from collections.abc import Sequence
from datetime import date, timedelta

from goldpan.kinds.repositories.candidates import Candidate
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.dimensions import DAYS_A_YEAR
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.results import RankedRepository

MIN_SHARE = 0.25
"""The share of the best relevance below which the range is no reason to look at a candidate."""


def _is_within(item: Repository | RankedRepository, constraints: Constraints, today: date) -> bool:
    """Report whether the stars are known and in the range; what was created on an unknown day may be young enough."""
    low, high, years = constraints.min_stars, constraints.preferred_max_stars, constraints.preferred_max_age_years
    if high is None:
        return True
    if item.stars is None or not (low or 0) <= item.stars <= high:
        return False
    created = item.created_at
    return years is None or created is None or created.date() >= today - timedelta(days=DAYS_A_YEAR * years)


def preferred_candidates_first(ranked: Sequence[Candidate], constraints: Constraints, today: date) -> list[Candidate]:
    """Put the candidates within the range first, unless they are far less relevant than the best one."""
    least = MIN_SHARE * max((each.relevance for each in ranked), default=0.0)

    def follows(each: Candidate) -> bool:
        return each.relevance < least or not _is_within(each.repository, constraints, today)

    return sorted(ranked, key=follows)


def preferred_first(found: Sequence[RankedRepository], constraints: Constraints, today: date) -> list[RankedRepository]:
    """Put the results within the range first that surely meet the question, and what is not verified last."""
    return sorted(found, key=lambda item: (not _is_preferred(item, constraints, today), bool(item.unverified)))


def with_headings(
    results: Sequence[RankedRepository], constraints: Constraints, today: date
) -> tuple[RankedRepository, ...]:
    """Give the results after the preferred ones the heading of their group, which counts the preferred ones."""
    if constraints.preferred_max_stars is None:
        return tuple(results)
    preferred = [_is_preferred(item, constraints, today) for item in results]
    low, high, years = constraints.min_stars, constraints.preferred_max_stars, constraints.preferred_max_age_years
    age = f" and created in the last {years} years" if years else ""
    heading = f"{sum(preferred) or 'None'} with {low or 0:,} to {high:,} stars{age}; others that fit"
    beyond = {"beyond_range": True, "group": heading}
    pairs = zip(results, preferred, strict=True)
    return tuple(item if is_preferred else item.model_copy(update=beyond) for item, is_preferred in pairs)


def _is_preferred(item: RankedRepository, constraints: Constraints, today: date) -> bool:
    return not item.unverified and _is_within(item, constraints, today)
