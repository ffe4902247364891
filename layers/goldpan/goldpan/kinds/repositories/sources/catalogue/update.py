"""Refreshes the facts of a catalogue by the names of its repositories: the oldest and the most shown first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.sources.catalogue.changes import Changes
from goldpan.kinds.repositories.sources.catalogue.crawl import refreshed
from goldpan.kinds.repositories.sources.catalogue.pace import Pace
from goldpan.kinds.repositories.sources.catalogue.packed import name_key
from goldpan.kinds.repositories.sources.github.source import GitHub

BATCH_WITH_TOKEN, BATCH_WITHOUT = 100, 10
"""Names that are looked up together; without a token each is a request of its own."""
NEVER_OBSERVED = 3650
"""Days that a fact without a day counts as."""


@dataclass
class Updated:
    """How many repositories were refreshed, have another name now, are gone, or could not be read."""

    refreshed: int = 0
    renamed: int = 0
    vanished: int = 0
    unread: int = 0


def due(repositories: Iterable[Repository], shown: Mapping[str, int], today: date) -> list[str]:
    """Return the names, those first whose facts are old and which were often shown: age times showings."""

    def weight(repository: Repository) -> int:
        observed = repository.observed.get("stars")
        age = (today - observed).days if observed else NEVER_OBSERVED
        return -(age + 1) * (1 + shown.get(repository.full_name, 0))

    ordered = sorted((weight(each), each.full_name) for each in repositories)
    return [name for _, name in ordered]


def update(changes: Changes, source: GitHub, names: Sequence[str], pace: Pace) -> Updated:
    """Look the names up, in their order, until the time runs out; what was changed already is left out.

    Raises `CallFailed` or `CredentialRejected`; the next update goes on from there.
    """
    done, counts = changes.changed(), Updated()
    left = [name for name in names if name_key(name) not in done]
    size = BATCH_WITH_TOKEN if source.has_token else BATCH_WITHOUT
    for start in range(0, len(left), size):
        batch = left[start : start + size]
        found = _looked_up(source, batch, pace)
        if found is None:
            break
        _store(changes, batch, found, counts, pace.clock.now().date())
        pace.done += len(batch)
        pace.show(f"{pace.done:,} of {len(left):,} repositories, {pace.time_left(len(left) - pace.done)}")
    return counts


def _looked_up(source: GitHub, names: Sequence[str], pace: Pace) -> dict[str, Repository | None] | None:
    """Return the repository of each name, None for one that is gone; nothing for one that could not be read.

    GitHub may answer in part. What is missing is then asked for again, in halves, to tell what is gone from the rest.
    None if the time ran out.
    """
    found = pace.call(partial(source.look_up, names))
    if found is None:
        return None
    read: dict[str, Repository | None] = {
        name: listed[0] for name, listed in zip(names, found.lists, strict=True) if listed
    }
    missing = [name for name in names if name not in read]
    if not found.failures:
        return read | dict.fromkeys(missing)
    if len(names) == 1:
        return read
    for part in (missing[: len(missing) // 2], missing[len(missing) // 2 :]):
        again = _looked_up(source, part, pace) if part else {}
        if again is None:
            return None
        read |= again
    return read


def _store(
    changes: Changes, batch: Sequence[str], found: Mapping[str, Repository | None], counts: Updated, today: date
) -> None:
    """Store what was found under the names of today, remove what is gone, and count both."""
    known, stored, removed = changes.known(batch), list[Repository](), list[str]()
    for name, repository in found.items():
        is_moved = repository is not None and repository.full_name.lower() != name.lower()
        if repository is None or is_moved:
            removed.append(name)
        if repository is not None:
            stored.append(refreshed(known.get(name_key(name)), repository, today))
        counts.renamed += is_moved
        counts.vanished += repository is None
    counts.refreshed += len(stored)
    counts.unread += len(batch) - len(found)
    changes.put(stored, removed)
