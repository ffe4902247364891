"""Search a large block for the pairs that may join, without looking at all pairs of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from goldpan.kinds.papers.deduplication.pairs import MAX_YEARS_PREPRINT, Facts, are_near, share_names
from goldpan.kinds.papers.deduplication.titles import END

Pair = tuple[int, int]
ByYear = dict[int | None, list[int]]


def by_names(block: Sequence[int], facts: Sequence[Facts]) -> Iterator[Pair]:
    """Yield the pairs that share a key of an author's name, or of which one record has no authors to compare."""
    everyone: ByYear = {}
    without: ByYear = {}
    named: dict[str, ByYear] = {}
    for place in block:
        record = facts[place]
        everyone.setdefault(record.year, []).append(place)
        if record.is_open:
            without.setdefault(record.year, []).append(place)
        for key in record.name_keys:
            named.setdefault(key, {}).setdefault(record.year, []).append(place)
    for place in block:
        record = facts[place]
        groups = [everyone] if record.is_open else [without, *(named[key] for key in record.name_keys)]
        for by_year in groups:
            yield from (
                (min(place, other), max(place, other)) for other in _of_years(by_year, record.year) if other != place
            )


def by_held_titles(block: Sequence[int], facts: Sequence[Facts]) -> Iterator[Pair]:
    """Yield the pairs that share a name, and of which one record holds the words and numbers of the other's title.

    Each record is looked up by the rarest of these, or by its authors if they are rarer.
    """
    holders: dict[str, set[int]] = {}
    named: dict[str, list[int]] = {}
    for place in block:
        record = facts[place]
        for part in _parts(record):
            holders.setdefault(part, set()).add(place)
        for key in ("",) if record.is_open else record.name_keys:
            named.setdefault(key, []).append(place)
    for place in block:
        record = facts[place]
        found = _holders_of_rarest(record, holders)
        groups = [named.get(key, []) for key in ("", *record.name_keys)]
        if not record.is_open and sum(map(len, groups)) < len(found):
            found = {other for group in groups for other in group if other in found}
        for other in found:
            if other != place and are_near(record, facts[other]) and share_names(record, facts[other]):
                yield min(place, other), max(place, other)


def _holders_of_rarest(record: Facts, holders: dict[str, set[int]]) -> set[int]:
    """Return the records that hold the word or the number that the fewest hold."""
    asked = [(f"#{number}",) for number in record.title.numbers]
    asked += [tuple(filter(None, part)) for part in record.title.parts]
    if not asked:
        return set()
    rarest = min(asked, key=lambda parts: sum(len(holders.get(part, ())) for part in parts))
    return set().union(*(holders.get(part, set()) for part in rarest))


def _parts(record: Facts) -> set[str]:
    """Return all that a record may be asked for: each few letters of it in a row, and its numbers."""
    held = record.held
    parts = {held[place : place + length] for length in range(1, END + 1) for place in range(len(held))}
    return parts | {f"#{number}" for number in record.held_numbers}


def _of_years(by_year: ByYear, year: int | None) -> Iterator[int]:
    if year is None:
        for places in by_year.values():
            yield from places
        return
    yield from by_year.get(None, ())
    for other in range(year - MAX_YEARS_PREPRINT, year + MAX_YEARS_PREPRINT + 1):
        yield from by_year.get(other, ())
