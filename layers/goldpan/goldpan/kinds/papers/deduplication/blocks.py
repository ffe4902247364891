"""Pairs of records that may be one paper: those that share a block, so that the cost grows nearly linearly."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations

from goldpan.kinds.papers.deduplication.pairs import Facts
from goldpan.kinds.papers.deduplication.titles import find_numbers

STEM = 5
"""Letters of the beginning of a word, which its inflections and spellings mostly share."""
MAX_NAMES, MAX_WORDS = 5, 4
"""Authors and longest words that make the keys of a record."""
MAX_BLOCK, NEIGHBOURS = 50, 20
"""Records that are all compared with each other; of more, each is compared with as many of the most similar ones."""
Edge = tuple[int, int]
"""Two records by their positions, the smaller first."""


def candidate_pairs(facts: Sequence[Facts]) -> Iterator[Edge]:
    """Yield the pairs of positions that share a key, each once.

    Every key is made from one record alone, never from how often a word occurs among all: an unrelated record changes
    no block of others. The longest words, which are mostly the rarest, and the authors' names keep the blocks small. A
    pair without a common key is never the same paper by its title: that is a rule, not an approximation of one.
    """
    first, blocks = dict[Hashable, int](), dict[Hashable, list[int]]()
    for place, record in enumerate(facts):
        for key in set(_keys(record)):
            if (before := first.setdefault(key, place)) != place:  # a key of one record alone takes no list
                blocks.setdefault(key, [before]).append(place)
    seen = set[Edge]()
    for block in blocks.values():
        for pair in _pairs(block, facts):
            if pair not in seen:
                seen.add(pair)
                yield pair


def _keys(record: Facts) -> Iterator[Hashable]:
    """Yield the address, the title, two of its longest words with each author, three alone, and the first three."""
    title = record.title
    if record.address:
        yield record.address
    if title.compact:
        yield title.compact
    if title.is_generic:
        return
    longest = sorted(set(title.words), key=lambda word: (-len(word), word))[:MAX_WORDS]
    stems = sorted({word[:STEM] for word in longest})
    for name in {name.family for name in record.names[:MAX_NAMES]}:
        yield from ((name, *words) for words in combinations(stems, min(2, len(stems))))
    yield from combinations(stems, 3)
    yield ("first", *(word[:STEM] for word in title.words[:3]))


def _pairs(block: list[int], facts: Sequence[Facts]) -> Iterator[Edge]:
    """Yield all pairs of a block; of a large one, neighbours in the order of titles whose numbers are the same."""
    if len(block) <= MAX_BLOCK:
        yield from combinations(block, 2)
        return
    series = defaultdict[frozenset[str], list[int]](list)  # "number 1 of ..." is many papers
    for place in block:
        series[find_numbers(facts[place].title.words)].append(place)
    for places in series.values():
        ordered = sorted(places, key=lambda place: _order(facts[place]))
        for at, place in enumerate(ordered):
            yield from ((min(place, other), max(place, other)) for other in ordered[at + 1 : at + 1 + NEIGHBOURS])


def _order(record: Facts) -> tuple[str, str, int, str]:
    """Return what puts records that resemble each other side by side, in whatever order they were given."""
    names = " ".join(sorted(name.family for name in record.names))
    return record.title.compact, names, record.year or 0, record.paper.model_dump_json()
