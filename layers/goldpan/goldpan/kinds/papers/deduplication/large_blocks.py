"""Search a large block for the pairs that may join, without looking at all pairs of it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import chain

from goldpan.kinds.papers.deduplication.pairs import MAX_YEARS_PREPRINT, Facts, are_near, share_names
from goldpan.kinds.papers.deduplication.titles import START

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


def by_titles(block: Sequence[int], facts: Sequence[Facts]) -> Iterator[Pair]:
    """Yield the pairs that share a name, and whose titles differ in the beginning of one word or hold one another's.

    For the latter a record is looked up by the rarest of its words and numbers, or by its authors if they are rarer.
    """
    holders: dict[str, set[int]] = {}
    named: dict[str, list[int]] = {}
    spelled: dict[Hashable, list[int]] = {}
    for place in block:
        record = facts[place]
        for part in _held_parts(record):
            holders.setdefault(part, set()).add(place)
        for name in ("",) if record.is_open else record.name_keys:
            named.setdefault(name, []).append(place)
        for key in _keys_without_one_word(record):
            spelled.setdefault(key, []).append(place)
    for place in block:
        record = facts[place]
        found = _holders_of_rarest(record, holders)
        groups = [named.get(name, []) for name in ("", *record.name_keys)]
        if not record.is_open and sum(map(len, groups)) < len(found):
            found = {other for group in groups for other in group if other in found}
        for other in chain(found, *(spelled[key] for key in _keys_without_one_word(record))):
            if other != place and are_near(record, facts[other]) and share_names(record, facts[other]):
                yield min(place, other), max(place, other)


def _holders_of_rarest(record: Facts, holders: dict[str, set[int]]) -> set[int]:
    """Return the records that hold the word or the number that the fewest hold."""
    asked = (*record.title.starts, *(f"#{number}" for number in record.title.numbers))
    return min((holders.get(part, set()) for part in asked), key=len, default=set())


def _held_parts(record: Facts) -> set[str]:
    """Return all that a record may be asked for: each few letters of it in a row, and its numbers."""
    held = record.held
    parts = {held[place : place + length] for length in range(1, START + 1) for place in range(len(held))}
    return parts | {f"#{number}" for number in record.held_numbers}


def _keys_without_one_word(record: Facts) -> Iterator[Hashable]:
    title = record.title
    for start in title.starts:
        for letter in set(start[1:]):
            yield start[0], letter, title.starts - {start}, title.numbers


def _of_years(by_year: ByYear, year: int | None) -> Iterator[int]:
    if year is None:
        for places in by_year.values():
            yield from places
        return
    yield from by_year.get(None, ())
    for other in range(year - MAX_YEARS_PREPRINT, year + MAX_YEARS_PREPRINT + 1):
        yield from by_year.get(other, ())
