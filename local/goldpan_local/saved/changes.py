"""What changed between two runs of a saved search: new results, those that are gone, and those that moved."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from goldpan.config import Frozen
from goldpan.contracts import FAILED_STATUSES, SourceStatus

from goldpan_local.saved.log import LoggedResult, Run


class Ranked(Frozen):
    """A result of a run, with its rank in its kind, from 1."""

    kind: str
    rank: int
    result: LoggedResult


class Moved(Ranked):
    """A result with another place among the results of both runs, and its former rank."""

    was: int


class Changes(Frozen):
    """The changes since an earlier run, which is None for the first."""

    name: str
    at: datetime
    since: datetime | None
    new: tuple[Ranked, ...] = ()
    gone: tuple[Ranked, ...] = ()
    moved: tuple[Moved, ...] = ()
    failed_sources: tuple[SourceStatus, ...] = ()
    """The sources that did not answer in this run: results that are gone may only be missing."""
    old_sources: tuple[SourceStatus, ...] = ()
    """The sources that failed in this run and were read from the cache: new results may be missing."""


def changes_of(name: str, run: Run, runs: Sequence[Run]) -> Changes:
    """Compare a run with the last one before it that has results to compare with."""
    before = next((each for each in reversed(runs) if each.error is None), None)
    old, now = _ranked(before), _ranked(run)
    return Changes(
        name=name,
        at=run.at,
        since=before.at if before else None,
        new=tuple(each for key, each in now.items() if key not in old),
        gone=tuple(each for key, each in old.items() if key not in now),
        moved=_moved(old, now),
        failed_sources=tuple(row for row in run.sources if row.status in FAILED_STATUSES),
        old_sources=tuple(row for row in run.sources if row.cached and row.status not in FAILED_STATUSES),
    )


def _ranked(run: Run | None) -> dict[tuple[str, str], Ranked]:
    sections = run.sections if run else {}
    return {
        (kind, result.id): Ranked(kind=kind, rank=rank, result=result)
        for kind, section in sections.items()
        for rank, result in enumerate(section.results, start=1)
    }


def _moved(old: dict[tuple[str, str], Ranked], now: dict[tuple[str, str], Ranked]) -> tuple[Moved, ...]:
    """Compare the places among the results of both runs only, so that a new result moves no other."""
    places = {key: place for place, key in enumerate(key for key in old if key in now)}
    both = [key for key in now if key in old]
    return tuple(
        Moved(kind=now[key].kind, rank=now[key].rank, result=now[key].result, was=old[key].rank)
        for place, key in enumerate(both)
        if places[key] != place
    )
