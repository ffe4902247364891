"""Find pairs of records that may be one paper, and join clusters whose titles agree, the strongest agreement first."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, groupby, pairwise, product

from goldpan.kinds.papers.deduplication.identified import Cluster, Marks, UnionFind, contradicting
from goldpan.kinds.papers.deduplication.pairs import Decision, Facts, compare_records
from goldpan.kinds.papers.deduplication.titles import STEM

MAX_YEAR_SPAN = 2
"""Between the first and the last year of a component: a preprint, an early view and an issue."""
MAX_NAMES, MAX_WORDS = 5, 4
"""Authors and longest words that make the keys of a record."""
WORDS_NAMED, WORDS_ALONE = 2, 3
"""Of these words, how many make a key with an author's name, and how many without."""
SMALL_BLOCK = 20
"""Larger blocks are divided by the numbers in their titles: a series ("number 1 of ...") is many papers."""
MAX_BLOCK, NEIGHBOURS = 300, 20
"""Records that are all compared with each other; of more, each is compared with as many of the most similar ones."""
Edge = tuple[int, int]
"""Two records, or two clusters, by their positions, the smaller first."""


@dataclass(frozen=True)
class Edges:
    """The pairs of clusters that are one paper by their titles, with their strength and reason, and possible ones."""

    same: dict[Edge, tuple[tuple[int, ...], str]] = field(default_factory=dict)
    possible: set[Edge] = field(default_factory=set)


def compare_clusters(clusters: Sequence[Cluster]) -> Edges:
    """Compare the records that share a key; an edge has the strength of its strongest pair."""
    by_place = {place: each for cluster in clusters for place, each in zip(cluster.places, cluster.facts, strict=True)}
    facts = [by_place[place] for place in range(len(by_place))]
    cluster_of = {place: number for number, cluster in enumerate(clusters) for place in cluster.places}
    edges, seen = Edges(), set[int]()
    for place, other in candidate_pairs(facts):
        pair, left, right = place * len(facts) + other, cluster_of[place], cluster_of[other]
        if pair in seen or left == right:
            continue
        seen.add(pair)
        compared = compare_records(facts[place], facts[other])
        decision = compared.decide() if compared else Decision.DIFFERENT
        if not compared or decision is Decision.DIFFERENT or contradicting(clusters[left].marks, clusters[right].marks):
            continue
        edge = (left, right) if left < right else (right, left)
        if decision is Decision.SAME:
            found = compared.strength, compared.reason
            edges.same[edge] = max(found, edges.same.get(edge, found))
        else:
            edges.possible.add(edge)
    return edges


def join_by_titles(clusters: Sequence[Cluster], edges: Edges) -> UnionFind:
    """Join clusters by edges of falling strength; of edges of one strength, those of what contradicts join nothing."""
    final = UnionFind(range(len(clusters)))
    members = {number: [number] for number in range(len(clusters))}
    strength = {edge: found for edge, (found, _) in edges.same.items()}.__getitem__
    for _, level in groupby(sorted(edges.same, key=strength, reverse=True), key=strength):
        links = {(left, right) for one, other in level if (left := final.find(one)) != (right := final.find(other))}
        rivals = set[int]()
        for roots in UnionFind(links=links).sets():
            rivals |= _rivals(clusters, {root: members[root] for root in roots}, edges)
        for roots in UnionFind(links=(link for link in links if rivals.isdisjoint(link))).sets():
            joined = [number for root in roots for number in members[root]]
            if _are_near([years for number in joined if (years := clusters[number].years)]):
                for root in roots:
                    final.join(roots[0], root)
                members[final.find(roots[0])] = joined
    return final


def _rivals(clusters: Sequence[Cluster], groups: dict[int, list[int]], edges: Edges) -> set[int]:
    """Return the groups that contradict another one by their identifiers or the numbers in their titles."""
    root_of = {number: root for root, numbers in groups.items() for number in numbers}
    alike = defaultdict[tuple[object, ...], list[int]](list)  # which are compared once
    for number in root_of:
        alike[clusters[number].marks, clusters[number].numbers].append(number)
    rivals: set[int] = set()
    for ones, others in product(alike.values(), repeat=2):
        if not rivals.issuperset(map(root_of.get, ones)) and _contradict(clusters[ones[0]], clusters[others[0]]):
            for pair in product(ones, others):
                if root_of[pair[0]] != root_of[pair[1]] and (min(pair), max(pair)) not in edges.same:
                    rivals.add(root_of[pair[0]])
    return rivals


def _contradict(one: Cluster, other: Cluster) -> bool:
    are_alike = any(ours <= theirs or theirs <= ours for ours, theirs in product(one.numbers, other.numbers))
    return not are_alike or contradicting(one.marks, other.marks)


def _are_near(years: Sequence[frozenset[int]]) -> bool:
    """Return whether a year of each cluster can be chosen so that they are close, without a gap between them."""
    for first in sorted(frozenset().union(*years)):
        chosen = sorted({year for each in years for year in each if first <= year <= first + MAX_YEAR_SPAN})
        has_gap = any(later - earlier > 1 for earlier, later in pairwise(chosen))
        if not has_gap and not any(each.isdisjoint(chosen) for each in years):
            return True
    return not years


def undecided_sets(clusters: Sequence[Cluster], final: UnionFind, edges: Edges) -> list[list[int]]:
    """Return sets of the first positions of groups that may be one paper and that no identifier keeps apart."""
    marks, first = defaultdict[int, Marks](frozenset), dict[int, int]()
    for number, cluster in enumerate(clusters):  # in the order of their first records
        root = final.find(number)
        marks[root] |= cluster.marks
        first.setdefault(root, cluster.places[0])
    pairs = {(final.find(one), final.find(other)) for one, other in edges.possible | edges.same.keys()}
    union = UnionFind(links=((a, b) for a, b in pairs if a != b and not contradicting(marks[a], marks[b])))
    return sorted(sorted(first[root] for root in found) for found in union.sets())


def candidate_pairs(facts: Sequence[Facts]) -> Iterator[Edge]:
    """Yield pairs of positions that share a key, so that the cost grows nearly linearly with the records.

    The smaller is first; a pair can come more than once. Every key is made from one record alone, never from how often
    a word occurs among all: an unrelated record changes no block of others. The longest words, which are mostly the
    rarest, and the authors' names keep the blocks small. A pair without a common key is never the same paper by its
    title: that is a rule, not an approximation of one.
    """
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
        yield from combinations(block, 2) if len(block) <= SMALL_BLOCK else _by_numbers(block, facts)


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


def _pairs(block: list[int], facts: Sequence[Facts]) -> Iterator[Edge]:
    """Yield all pairs of a block; of a large one, those that are near in the order of titles, authors and years."""
    if len(block) <= MAX_BLOCK:
        yield from combinations(block, 2)
        return
    ordered = sorted(block, key=lambda place: facts[place].order)
    for at, place in enumerate(ordered):
        yield from ((min(place, other), max(place, other)) for other in ordered[at + 1 : at + 1 + NEIGHBOURS])


def _by_numbers(block: list[int], facts: Sequence[Facts]) -> Iterator[Edge]:
    """Yield the pairs of a block whose titles have the same numbers."""
    found = defaultdict[tuple[str, ...], list[int]](list)
    for place in block:
        found[facts[place].title.marks].append(place)
    for places in found.values():
        yield from _pairs(places, facts)
