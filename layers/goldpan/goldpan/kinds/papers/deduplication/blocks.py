"""Candidate pairs: the records that share a key, so that the cost grows nearly linearly with the records.

Every key is made from one record alone, and whether a pair may join is a rule about its two records, never about the
collection: an unrelated record changes no merge. Records of a large block are looked up by what the rule asks for, the
rarest of it first; that saves pairs that the rule refuses, and changes what is offered as undecided alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations

from goldpan.kinds.papers.deduplication.large_blocks import by_names, by_titles
from goldpan.kinds.papers.deduplication.pairs import Facts, are_near
from goldpan.kinds.papers.deduplication.titles import STEM

MAX_NAMES, MAX_WORDS = 5, 4
"""Authors and longest words that make the keys of a record."""
WORDS_NAMED, WORDS_ALONE = 2, 3
"""Of these words, how many make a key with an author's name, and how many without."""
MAX_BLOCK = 20
"""Records of a block of which all pairs are compared."""
Pair = tuple[int, int]


def candidate_pairs(facts: Sequence[Facts]) -> Iterator[Pair]:
    """Yield pairs of positions that may be one paper, the smaller first; a pair can come more than once."""
    whole, similar = _Index(), _Index()
    for place, record in enumerate(facts):
        if record.address:
            whole.add(("address", record.address), place)
        if record.title.is_generic:
            _add_generic(place, record, similar)
        else:
            whole.add(record.title.compact, place)
            _add_words(place, record, similar)
    for block in whole.blocks():
        yield from combinations(block, 2) if len(block) <= MAX_BLOCK else by_names(block, facts)
    large: set[tuple[int, ...]] = set()
    for block in similar.blocks():
        if len(block) <= MAX_BLOCK:
            yield from (pair for pair in combinations(block, 2) if are_near(facts[pair[0]], facts[pair[1]]))
        elif not facts[block[0]].title.is_generic:
            large.add(tuple(block))  # records of a series share several keys
    for each in large:
        yield from by_titles(each, facts)


class _Index:
    """Positions by key; a key with one position takes no list."""

    def __init__(self) -> None:
        self._found: dict[Hashable, int | list[int]] = {}

    def add(self, key: Hashable, place: int) -> None:
        known = self._found.get(key)
        if known is None:
            self._found[key] = place
        elif isinstance(known, list):
            known.append(place)
        else:
            self._found[key] = [known, place]

    def blocks(self) -> Iterator[list[int]]:
        return (block for block in self._found.values() if isinstance(block, list))


def _add_generic(place: int, record: Facts, similar: _Index) -> None:
    """Add the key of a title that is never joined by itself: with its venue and year it may be undecided."""
    if record.title.compact and record.venue and record.year:
        similar.add((record.title.compact, record.venue, record.year), place)


def _add_words(place: int, record: Facts, similar: _Index) -> None:
    """Add the keys of a title: its longest words with each author, more of them alone, and its first words."""
    longest = sorted(record.title.content, key=lambda word: (-len(word), word))[:MAX_WORDS]
    stems = sorted({word[:STEM] for word in longest})
    pairs = [hash(words) for words in combinations(stems, WORDS_NAMED)] or [hash(tuple(stems))]
    for family in {hash(name.key) for name in record.names[:MAX_NAMES]}:
        for pair in pairs:
            similar.add(family ^ pair, place)
    first = [word[:STEM] for word in record.title.words if word in record.title.content][:WORDS_ALONE]
    if len(first) == WORDS_ALONE:
        similar.add(hash(("first", *first)), place)
    for words in combinations(stems, WORDS_ALONE):
        similar.add(hash(words), place)
