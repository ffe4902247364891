"""Candidate pairs: the records that share a key, so that the cost grows nearly linearly with the records.

Every key is made from one record alone, never from how often a word occurs among all: an unrelated record changes no
block of others. The longest words, which are mostly the rarest, and the authors' names keep the blocks small. A pair
without a common key is never the same paper by its title: that is a rule, not an approximation of one.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, combinations

from goldpan.kinds.papers.deduplication.pairs import MAX_YEARS_PREPRINT, Facts
from goldpan.kinds.papers.deduplication.titles import STEM

MAX_NAMES, MAX_WORDS = 5, 4
"""Authors and longest words that make the keys of a record."""
WORDS_NAMED, WORDS_ALONE = 2, 3
"""Of these words, how many make a key with an author's name, and how many without."""
SMALL_BLOCK = 20
"""Larger blocks are divided by the numbers in their titles: a series ("number 1 of ...") is many papers."""
MAX_BLOCK, NEIGHBOURS = 300, 20
"""Records that are all compared with each other; of more, each is compared with as many of the most similar ones."""
Pair = tuple[int, int]


def candidate_pairs(facts: Sequence[Facts]) -> Iterator[Pair]:
    """Yield pairs of positions that may be one paper, the smaller first; a pair can come more than once."""
    exact, similar = _Index(), _Index()
    for place, record in enumerate(facts):
        if record.address:
            exact.add(("address", record.address), place)
        if record.title.compact:
            exact.add(record.title.compact, place)
        if not record.title.is_generic:
            for key in _word_keys(record):
                similar.add(key, place)
    yield from chain.from_iterable(_pairs(block, facts) for block in exact.blocks.values())
    for block in similar.blocks.values():
        pairs = combinations(block, 2) if len(block) <= SMALL_BLOCK else _by_numbers(block, facts)
        yield from (pair for pair in pairs if _are_near(*(facts[place].year for place in pair)))


class _Index:
    """Positions by key; a key with one position takes no list."""

    def __init__(self) -> None:
        self._first: dict[Hashable, int] = {}
        self.blocks: dict[Hashable, list[int]] = {}

    def add(self, key: Hashable, place: int) -> None:
        first = self._first.setdefault(key, place)
        if first != place:
            self.blocks.setdefault(key, [first]).append(place)


def _word_keys(record: Facts) -> Iterator[tuple[str, ...]]:
    """Yield two of the longest words with each author, three of them alone, and the first three."""
    title = record.title
    longest = sorted(title.content, key=lambda word: (-len(word), word))[:MAX_WORDS]
    stems = sorted({word[:STEM] for word in longest})
    pairs = list(combinations(stems, WORDS_NAMED)) or [tuple(stems)]
    for name in {name.key for name in record.names[:MAX_NAMES]}:
        yield from ((name, *words) for words in pairs)
    yield from (("", *words) for words in combinations(stems, WORDS_ALONE))
    first = [word[:STEM] for word in title.words if word in title.content][:WORDS_ALONE]
    if len(first) == WORDS_ALONE:
        yield ("first", *first)


def _are_near(one: int | None, other: int | None) -> bool:
    return one is None or other is None or abs(one - other) <= MAX_YEARS_PREPRINT


def _pairs(block: list[int], facts: Sequence[Facts]) -> Iterator[Pair]:
    """Yield all pairs of a block; of a large one, those that are near in the order of titles, authors and years."""
    if len(block) <= MAX_BLOCK:
        yield from combinations(block, 2)
        return
    ordered = sorted(block, key=lambda place: facts[place].order)
    for at, place in enumerate(ordered):
        yield from ((min(place, other), max(place, other)) for other in ordered[at + 1 : at + 1 + NEIGHBOURS])


def _by_numbers(block: list[int], facts: Sequence[Facts]) -> Iterator[Pair]:
    """Yield the pairs of a block whose titles have the same numbers."""
    found = defaultdict[tuple[str, ...], list[int]](list)
    for place in block:
        found[facts[place].title.marks].append(place)
    for places in found.values():
        yield from _pairs(places, facts)
