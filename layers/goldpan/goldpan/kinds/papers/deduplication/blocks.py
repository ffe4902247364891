"""Candidate pairs: the records that share a key, so that the cost grows nearly linearly with the records.

Every key is made from one record alone, never from how often a word occurs among all: an unrelated record changes no
block of others. The longest words, which are mostly the rarest, and the authors' names keep the blocks small. A pair
without a common key is never the same paper by its title: that is a rule, not an approximation of one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product

from goldpan.kinds.papers.deduplication.pairs import MAX_YEARS_PREPRINT, Facts
from goldpan.kinds.papers.deduplication.references import without_reference
from goldpan.kinds.papers.deduplication.titles import STEM, without_ligatures

MAX_NAMES, MAX_WORDS = 5, 4
"""Authors and longest words that make the keys of a record."""
WORDS_NAMED, WORDS_ALONE = 2, 3
"""Of these words, how many make a key with an author's name, and how many without."""
LAST_LETTERS = 10
"""Of a title, with the first author's name: those of a title whose words are glued together are the same."""
PAIR, SMALL_BLOCK, FEW_NUMBERS = 2, 20, 6
"""Larger blocks are divided by the numbers in their titles; of more numbers, subsets are found by comparing all."""
MAX_BLOCK = 300
"""Records of one title that are all compared with each other."""
Pair = tuple[int, int]


def candidate_pairs(facts: Sequence[Facts]) -> Iterator[Pair]:
    """Yield pairs of positions that may be one paper, the smaller first; a pair can come more than once."""
    exact, similar, addresses = _Index(), _Index(), _Index()
    for place, record in enumerate(facts):
        if record.title.compact:
            exact.add(record.title.compact, place)
        if record.address:
            addresses.add(record.address, place)
        if not record.title.is_generic:
            _add_words(place, record, similar)
    yield from addresses.pairs()
    yield from _exact_pairs(exact, facts)
    for block in similar.blocks():
        if len(block) > PAIR:
            yield from _by_year(block, facts) if len(block) <= SMALL_BLOCK else _by_numbers(block, facts)
        elif _are_near(block[0], block[1], facts):  # as most blocks
            yield block[0], block[1]


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

    def pairs(self) -> Iterator[Pair]:
        for block in self.blocks():
            yield from combinations(block, 2)


def _add_words(place: int, record: Facts, similar: _Index) -> None:
    """Add the keys of a title: its longest words and its end with each author, more words alone, and its first ones."""
    title = without_reference(record.title, record.beside, with_year=True)
    content = map(without_ligatures, title.content)
    longest = sorted(content, key=lambda word: (-len(word), word))[:MAX_WORDS]
    stems = list(dict.fromkeys(word[:STEM] for word in longest))
    pairs = list(combinations(sorted(stems), WORDS_NAMED)) or [tuple(stems)]
    for family in {name.key for name in record.names[:MAX_NAMES]}:
        for words in pairs:
            similar.add((family, *words), place)
    for first_author in record.names[:1]:
        similar.add((first_author.key, without_ligatures(title.compact)[-LAST_LETTERS:]), place)
    first = [without_ligatures(word)[:STEM] for word in title.words if word in title.content][:WORDS_ALONE]
    if len(first) == WORDS_ALONE:
        similar.add(("first", *first), place)
    for words in combinations(sorted(stems), WORDS_ALONE):
        similar.add(("", *words), place)


def _exact_pairs(exact: _Index, facts: Sequence[Facts]) -> Iterator[Pair]:
    """Yield the pairs of each title; a title of very many records only within an author's name or without authors."""
    for block in exact.blocks():
        if len(block) <= MAX_BLOCK:
            yield from combinations(block, 2)
            continue
        by_name = _Index()
        for place in block:
            for family in {name.key for name in facts[place].names[:MAX_NAMES]} or {""}:
                by_name.add((family, facts[place].year), place)
        yield from by_name.pairs()


def _by_numbers(block: list[int], facts: Sequence[Facts]) -> Iterator[Pair]:
    """Yield the pairs of a large block of which one title has all numbers of the other; the others are two papers.

    A series ("number 1 of ...", "number 2 of ...") is one block, and would be compared pair by pair.
    """
    divided: dict[frozenset[str], list[int]] = {}
    for place in block:
        divided.setdefault(frozenset(facts[place].title.numbers), []).append(place)
    for numbers, places in divided.items():
        yield from _by_year(places, facts)
        for fewer in _subsets(numbers, divided):
            yield from ((min(pair), max(pair)) for pair in product(places, divided[fewer]) if _are_near(*pair, facts))


def _subsets(numbers: frozenset[str], known: Mapping[frozenset[str], object]) -> Iterator[frozenset[str]]:
    """Yield those of the known sets that are smaller parts of the numbers."""
    if len(numbers) > FEW_NUMBERS:
        yield from (each for each in known if each < numbers)
        return
    parts = (frozenset(part) for size in range(len(numbers)) for part in combinations(sorted(numbers), size))
    yield from (part for part in parts if part in known)


def _are_near(one: int, other: int, facts: Sequence[Facts]) -> bool:
    years = facts[one].year, facts[other].year
    return years[0] is None or years[1] is None or abs(years[0] - years[1]) <= MAX_YEARS_PREPRINT


def _by_year(block: list[int], facts: Sequence[Facts]) -> Iterator[Pair]:
    """Yield the pairs of a block whose years are unknown or near enough to be one paper."""
    undated = [place for place in block if facts[place].year is None]
    dated: dict[int, list[int]] = {}
    for place in block:
        if (year := facts[place].year) is not None:
            dated.setdefault(year, []).append(place)
    yield from combinations(undated, 2)
    for year, places in dated.items():
        yield from combinations(places, 2)
        near = (dated.get(year + apart, ()) for apart in range(1, MAX_YEARS_PREPRINT + 1))
        for other in chain(undated, *near):
            yield from ((min(place, other), max(place, other)) for place in places)
