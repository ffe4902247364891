"""Hold a repository to the constraints of a question, in whose place the filters of a request come."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import partial
from operator import ge, le

from goldpan.kinds.checks import Check, Verdicts, summarize
from goldpan.kinds.repositories.constraints import Constraints, Filters
from goldpan.kinds.repositories.identity import relation_to
from goldpan.kinds.repositories.licenses import is_known_license, matches_license, resolve_license
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.repository_text import text_of
from goldpan.kinds.repositories.vocabulary import github_language, vocabulary


def merge_filters(constraints: Constraints, filters: Filters) -> Constraints:
    """Put the request's filters in the place of what the question says about the same fact."""
    replaced: dict[str, object] = {}
    if filters.language:
        replaced["languages"] = (github_language(filters.language),)
    if filters.license:
        replaced["licenses"] = resolve_license(filters.license)
    if filters.min_stars is not None or filters.max_stars is not None:
        low = constraints.min_stars if filters.min_stars is None else filters.min_stars
        high = constraints.max_stars if filters.max_stars is None else filters.max_stars
        if low is not None and high is not None and low > high:  # the question's own contradicts them
            low, high = filters.min_stars, filters.max_stars
        replaced |= {"min_stars": low, "max_stars": high, "preferred_max_stars": None, "preferred_max_age_years": None}
    if filters.pushed_since:
        replaced |= {"pushed_after": filters.pushed_since, "pushed_before": None, "pushed_within_days": None}
    if filters.created_since:
        replaced |= {"created_after": filters.created_since, "created_before": None}
    for name, added in (("topics", filters.topics), ("excluded_terms", filters.exclude)):
        replaced[name] = tuple(dict.fromkeys((*getattr(constraints, name), *added)))
    return constraints.model_copy(update=replaced)


RANGES = (
    ("min_stars", "stars", "stars", ge),
    ("max_stars", "stars", "stars", le),
    ("created_after", "created", "created_at", ge),
    ("created_before", "created", "created_at", le),
    ("pushed_before", "pushed", "pushed_at", le),
)
"""Constraints that compare a fact with a limit, each with the name of its rule; all are inclusive."""


def check(repository: Repository, constraints: Constraints, today: date) -> Check:
    """Compare a repository with the constraints."""
    relations = {name: relation_to(repository, name) for name in constraints.excluded_terms}
    return summarize(_verdicts(repository, constraints, today), relations)


def _set_verdicts(
    fact: str, matches: Callable[[tuple[str, ...]], bool] | None, wanted: tuple[str, ...], excluded: tuple[str, ...]
) -> Verdicts:
    """Compare a fact with what it must be and what it must not be; `matches` is None if it is unknown."""
    if wanted:
        yield fact, matches and matches(wanted)
    if excluded:
        yield f"excluded {fact}", matches and not matches(excluded)


def _verdicts(repository: Repository, constraints: Constraints, today: date) -> Verdicts:
    language, topics = (repository.language or "").casefold(), {topic.casefold() for topic in repository.topics or ()}
    is_language = (lambda names: language in map(str.casefold, names)) if language else None
    yield from _set_verdicts("language", is_language, constraints.languages, constraints.excluded_languages)
    if constraints.platforms:
        yield "platform", _fits_platform(repository, constraints.platforms)
    is_license = partial(matches_license, repository.license) if is_known_license(repository.license) else None
    yield from _set_verdicts("license", is_license, constraints.licenses, constraints.excluded_licenses)
    for name, rule, fact, is_met in RANGES:
        limit, value = getattr(constraints, name), getattr(repository, fact)
        if limit is not None:
            value = value.date() if isinstance(value, datetime) else value
            yield rule, None if value is None else is_met(value, limit)
    yield from _push_verdicts(repository, constraints, today)
    for rule, wanted, named in (("topic", True, constraints.topics), ("not topic", False, constraints.excluded_topics)):
        for topic in named:
            yield f"{rule} {topic}", None if repository.topics is None else (topic.casefold() in topics) is wanted


def _fits_platform(repository: Repository, names: tuple[str, ...]) -> bool | None:
    """Report whether the language is compatible with a platform, or the text names it; None if the language is unknown.

    A library for Python may be written in C++, as long as it says that it is for Python. Of an unknown language only
    its own name tells: what is for iOS need not be in Swift, and "go" may be a verb.
    """
    platforms = [vocabulary().platforms[name] for name in names if name in vocabulary().platforms]
    if not platforms or any(repository.language in platform.compatible_languages for platform in platforms):
        return True
    text = text_of(repository)
    is_unknown = repository.language is None
    platform_names = (one.distinctive_names if is_unknown and one.language_filter else one.words for one in platforms)
    if any(map(text.contains_any, platform_names)):
        return True
    return None if is_unknown else False


def _push_verdicts(repository: Repository, constraints: Constraints, today: date) -> Verdicts:
    pushed = repository.pushed_at and repository.pushed_at.date()
    seen = min(today, repository.observed.get("pushed_at", today))
    if constraints.pushed_after:
        yield "pushed", _pushed_since(pushed, constraints.pushed_after, seen, today)
    if constraints.pushed_within_days is not None:
        days = timedelta(days=constraints.pushed_within_days)
        met = _pushed_since(pushed, today - days, seen, today)
        yield "pushed", None if met is False and pushed and pushed >= seen - days else met
    if constraints.archived is not None:
        yield "archived", None if repository.archived is None else repository.archived == constraints.archived


def _pushed_since(pushed: date | None, limit: date, seen: date, today: date) -> bool | None:
    """Compare the last known push; a fact observed before the limit cannot tell whether a push followed."""
    if pushed is None:
        return None
    return True if pushed >= limit else None if seen < min(today, limit) else False
