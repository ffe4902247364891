"""Grows a catalogue from GitHub itself: searches that are split until GitHub gives all that each of them finds."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import partial

from goldpan.kinds.repositories.models import Repository, RepositorySearch, StarRange
from goldpan.kinds.repositories.ports import render
from goldpan.kinds.repositories.sources.catalogue.changes import Changes
from goldpan.kinds.repositories.sources.catalogue.pace import Pace
from goldpan.kinds.repositories.sources.github.settings import MAX_RESULTS
from goldpan.kinds.repositories.sources.github.source import GitHub

FIRST_DAY = date(2007, 10, 1)
"""No repository of GitHub is older."""
SMALL = 100
"""Results that one page holds: a search that GitHub ended early, and that found no more, is not split."""


def first_searches(min_stars: int, languages: Sequence[str], topics: Sequence[str]) -> list[RepositorySearch]:
    """Return a search for each pair of a language and a topic, or for everything with at least this number of stars."""
    made = RepositorySearch(words=(), stars=StarRange(min=min_stars), sort="stars")
    return [
        made.model_copy(update={"language": language, "topics": (topic,) if topic else ()})
        for language in languages or (None,)
        for topic in topics or (None,)
    ]


def crawl(changes: Changes, source: GitHub, pace: Pace, most: int) -> None:
    """Run the searches that are left until the catalogue has `most` repositories; raises what `Pace.call` does."""
    while len(changes) < most and (search := changes.next_search()):
        unreachable = _run(changes, source, search, pace, most)
        if unreachable:
            reason = "too many have the same stars and first day"
            pace.say(f"{unreachable:,} repositories of {render(search)} are out of reach: {reason}")


def _run(changes: Changes, source: GitHub, search: RepositorySearch, pace: Pace, most: int) -> int:
    """Run a search page by page, or split it; returns how many of its repositories it cannot reach."""
    after, today, available = None, pace.clock.now().date(), 0
    while len(changes) < most and (after or not available):
        page = pace.call(partial(source.page, search, after))
        is_cut = page.available > MAX_RESULTS or (page.incomplete and page.available > SMALL)
        parts = (_by_stars(search, page.lists[0]) or _by_day(search, today)) if after is None and is_cut else ()
        further = dict.fromkeys(parts, page.available // max(1, len(parts)))
        done = search if parts or page.following is None else None
        found = changes.refreshed({each.full_name: each for each in page.lists[0]}, today)
        changes.put(found, done=done, further=further)
        left = min(changes.expected(), most - len(changes))
        pace.show_done(len(page.lists[0]), left, f"{len(changes):,} repositories")
        if parts:
            return 0
        after, available = page.following, max(1, page.available)
    return max(0, available - MAX_RESULTS)


def _by_stars(search: RepositorySearch, found: Iterable[Repository]) -> tuple[RepositorySearch, ...]:
    """Split between few and many stars, if it can be: the number of repositories falls with the square of the stars."""
    low = search.stars.min or 0
    top = search.stars.max or max((each.stars or 0 for each in found), default=low)
    if top <= low:
        return ()
    middle = round(2 * (low + 1) * (top + 1) / (low + top + 2)) - 1
    middle = min(max(middle, low + 1), top)
    ranges = (StarRange(min=middle, max=search.stars.max), StarRange(min=low, max=middle - 1))
    return tuple(search.model_copy(update={"stars": stars}) for stars in ranges)


def _by_day(search: RepositorySearch, today: date) -> tuple[RepositorySearch, ...]:
    """Split between older and younger repositories, if it can be."""
    first, last = search.created_after or FIRST_DAY, search.created_before or today
    if last <= first:
        return ()
    middle = first + (last - first) // 2
    days = ((middle + timedelta(days=1), last), (first, middle))
    return tuple(search.model_copy(update={"created_after": after, "created_before": end}) for after, end in days)
