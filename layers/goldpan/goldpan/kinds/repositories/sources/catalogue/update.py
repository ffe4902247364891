"""Grows a catalogue from GitHub itself, and refreshes its facts.

It grows by searches that are split until GitHub gives all that each of them finds, the most stars first. Its facts are
refreshed by the names of its repositories, the oldest and the most shown first.
"""

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import goldpan_data

from goldpan.engine.dependencies import Connections
from goldpan.engine.kind import Refresher
from goldpan.errors import Misconfigured, Refused
from goldpan.infra.encoder.table import shipped_table
from goldpan.infra.sqlite_file import SqliteReader
from goldpan.kinds.repositories.models import CATALOGUE, Repository, RepositorySearch, StarRange
from goldpan.kinds.repositories.ports import Found, render
from goldpan.kinds.repositories.sources.catalogue.changes import CONFIRMED, Changes
from goldpan.kinds.repositories.sources.catalogue.pace import Pace
from goldpan.kinds.repositories.sources.catalogue.packed import name_key
from goldpan.kinds.repositories.sources.catalogue.reader import FORMAT, open_sample
from goldpan.kinds.repositories.sources.github.settings import MAX_RESULTS, GitHubSettings
from goldpan.kinds.repositories.sources.github.source import GitHub, open_github

FIRST_DAY = date(2007, 10, 1)
"""No repository of GitHub is older."""
SMALL = 100
"""Results that one page holds: a search that GitHub ended early, and that found no more, is not split."""
NEVER_OBSERVED = 3650
"""Days that a fact without a day counts as."""
OUTCOMES = ("refreshed", "renamed", "vanished", "unread")
"""What can become of a repository; one that is renamed is refreshed, too."""
PUBLISHING_SHARE = 0.4
"""Of the time of a schedule, for writing and storing the new file."""


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


def due(repositories: Iterable[Repository], shown: Mapping[str, int], today: date) -> list[str]:
    """Return the names, those first whose facts are old and which were often shown: age times showings."""

    def weight(repository: Repository) -> int:
        observed = repository.observed.get("stars")
        age = (today - observed).days if observed else NEVER_OBSERVED
        return -(age + 1) * (1 + shown.get(repository.full_name, 0))

    ordered = sorted((weight(each), each.full_name) for each in repositories)
    return [name for _, name in ordered]


def update(changes: Changes, source: GitHub, names: Sequence[str], pace: Pace, counts: Counter[str]) -> None:
    """Look up the names that have not changed yet, in their order, and count the outcomes; raises as `Pace.call`.

    What GitHub does not show is removed if it did so before: it may be a repository that this token may not see.
    """
    done = changes.changed()
    left = [name for name in names if name_key(name) not in done]
    size = source.names_a_request
    for start in range(0, len(left), size):
        batch, after = left[start : start + size], len(left) - start - size
        found = _looked_up(source, batch, pace)
        there = {name: each for name, each in found.items() if each}
        renamed = [name for name, each in there.items() if each.full_name.lower() != name.lower()]
        known = changes.known([name for name in found if name not in there])
        vanished = [each.full_name for each in known.values() if CONFIRMED in each.observed]
        changes.put(changes.refreshed(there, pace.clock.now().date()), [*renamed, *vanished])
        sizes = (len(there), len(renamed), len(vanished), len(batch) - len(there) - len(vanished))
        counts.update(dict(zip(OUTCOMES, sizes, strict=True)))
        pace.show_done(len(batch), max(0, after), f"{start + len(batch):,} of {len(left):,} repositories")


def _looked_up(source: GitHub, names: Sequence[str], pace: Pace) -> dict[str, Repository | None]:
    """Return the repository of each name, None for one that is gone; nothing for one that could not be read.

    GitHub may answer in part. What is missing is then asked for again, in halves, to tell what is gone from the rest.
    """
    try:
        found = pace.call(partial(source.look_up, names))
    except Refused as refused:  # one that is blocked has this whenever it is asked for
        found = Found(((),) * len(names), 0, failures=(str(refused),))
    pairs = zip(names, found.lists, strict=True)
    read = {name: next(iter(listed), None) for name, listed in pairs if listed or not found.failures}
    missing = [name for name in names if name not in read]
    middle = len(missing) // 2
    for part in (missing[:middle], missing[middle:]) if len(names) > 1 else ():
        read |= _looked_up(source, part, pace) if part else {}
    return read


def refresh(path: Path, settings: GitHubSettings, connections: Connections, seconds: float) -> Mapping[str, int]:
    """Refresh what is oldest, in a copy of the embedded catalogue if there is no file, or an outdated copy of it.

    Another catalogue that this version cannot read is left as it is. Raises `Misconfigured` then, or without a token.
    """
    clock = connections.clock
    if settings.github_token is None:
        raise Misconfigured("GITHUB_TOKEN: an update of the catalogue needs one")
    source = open_github(settings, connections)
    if not path.exists() or _is_outdated_sample(path):
        shutil.copyfile(goldpan_data.file("sample_catalogue.sqlite"), path)
    pace = Pace(clock, lambda _: None, print, clock.now() + timedelta(seconds=seconds * (1 - PUBLISHING_SHARE)))
    counts = Counter(dict.fromkeys(OUTCOMES, 0))
    with Changes.of(path) as changes:
        with pace.until_end():
            update(changes, source, due(changes.repositories(), {}, clock.now().date()), pace, counts)
        changes.publish(None, connections.encoder or shipped_table())
    return counts


def _is_outdated_sample(path: Path) -> bool:
    """Report whether a file is the embedded catalogue as another version of goldpan stored it."""
    with suppress(sqlite3.DatabaseError), SqliteReader.of_file(path) as file, closing(open_sample(None)) as sample:
        meta: dict[str, str] = dict(file.select("SELECT key, value FROM meta"))
        return meta.get("title") == sample.title and meta.get("format") != str(FORMAT)
    return False  # opening it says why it is no catalogue


REFRESHER = Refresher(file=CATALOGUE, refresh=refresh)
