"""Refreshes the facts of a catalogue by the names of its repositories: the oldest and the most shown first."""

import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import goldpan_data

from goldpan.engine.dependencies import Connections
from goldpan.engine.kind import Refresher
from goldpan.errors import Misconfigured
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.sources.catalogue.changes import Changes
from goldpan.kinds.repositories.sources.catalogue.deployed import NAME
from goldpan.kinds.repositories.sources.catalogue.pace import Pace
from goldpan.kinds.repositories.sources.catalogue.packed import name_key
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from goldpan.kinds.repositories.sources.github.source import GitHub, open_github

NEVER_OBSERVED = 3650
"""Days that a fact without a day counts as."""
OUTCOMES = ("refreshed", "renamed", "vanished", "unread")
"""What can become of a repository; one that is renamed is refreshed, too."""
PUBLISHING_SHARE = 0.4
"""Of the time of a schedule, for writing and storing the new file."""


def due(repositories: Iterable[Repository], shown: Mapping[str, int], today: date) -> list[str]:
    """Return the names, those first whose facts are old and which were often shown: age times showings."""

    def weight(repository: Repository) -> int:
        observed = repository.observed.get("stars")
        age = (today - observed).days if observed else NEVER_OBSERVED
        return -(age + 1) * (1 + shown.get(repository.full_name, 0))

    ordered = sorted((weight(each), each.full_name) for each in repositories)
    return [name for _, name in ordered]


def update(changes: Changes, source: GitHub, names: Sequence[str], pace: Pace, counts: Counter[str]) -> None:
    """Look up the names that have not changed yet, in their order, and count the outcomes; raises as `Pace.call`."""
    done = changes.changed()
    left = [name for name in names if name_key(name) not in done]
    size = source.names_a_request
    for start in range(0, len(left), size):
        batch, after = left[start : start + size], len(left) - start - size
        _store(changes, batch, _looked_up(source, batch, pace), counts, pace.clock.now().date())
        pace.show_done(len(batch), max(0, after), f"{start + len(batch):,} of {len(left):,} repositories")


def _looked_up(source: GitHub, names: Sequence[str], pace: Pace) -> dict[str, Repository | None]:
    """Return the repository of each name, None for one that is gone; nothing for one that could not be read.

    GitHub may answer in part. What is missing is then asked for again, in halves, to tell what is gone from the rest.
    """
    found = pace.call(partial(source.look_up, names))
    pairs = zip(names, found.lists, strict=True)
    read = {name: next(iter(listed), None) for name, listed in pairs if listed or not found.failures}
    missing = [name for name in names if name not in read]
    middle = len(missing) // 2
    for part in (missing[:middle], missing[middle:]) if len(names) > 1 else ():
        read |= _looked_up(source, part, pace) if part else {}
    return read


def _store(
    changes: Changes, batch: Sequence[str], found: Mapping[str, Repository | None], counts: Counter[str], today: date
) -> None:
    there = {name: each for name, each in found.items() if each}
    renamed = [name for name, each in there.items() if each.full_name.lower() != name.lower()]
    vanished = found.keys() - there
    changes.put(changes.refreshed(there, today), [*renamed, *vanished])
    sizes = (len(there), len(renamed), len(vanished), len(batch) - len(found))
    counts.update(dict(zip(OUTCOMES, sizes, strict=True)))


def refresh(path: Path, settings: GitHubSettings, connections: Connections, seconds: float) -> Mapping[str, int]:
    """Refresh what is oldest, in a copy of the embedded catalogue if there is no file. A token is required."""
    clock = connections.clock
    if settings.github_token is None:
        raise Misconfigured("GITHUB_TOKEN: an update of the catalogue needs one")
    source = open_github(settings, connections)
    if not path.exists():
        shutil.copyfile(goldpan_data.file("sample_catalogue.sqlite"), path)
    pace = Pace(clock, lambda _: None, print, clock.now() + timedelta(seconds=seconds * (1 - PUBLISHING_SHARE)))
    counts = Counter(dict.fromkeys(OUTCOMES, 0))
    with Changes.of(path) as changes:
        with pace.until_end():
            update(changes, source, due(changes.repositories(), {}, clock.now().date()), pace, counts)
        changes.publish(None, connections.encoder or shipped_table())
    return counts


REFRESHER = Refresher(file=NAME, refresh=refresh)
