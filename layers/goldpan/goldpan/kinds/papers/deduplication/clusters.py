"""Join the records of one paper: those that share an identifier, in a chain, then those whose titles agree."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from goldpan.kinds.papers.deduplication.agreement import Agreement
from goldpan.kinds.papers.deduplication.blocks import Edge, candidate_pairs
from goldpan.kinds.papers.deduplication.identified import SYSTEM_NAMES, Key, contradicting_systems, identifier_keys
from goldpan.kinds.papers.deduplication.pairs import Comparison, Facts, compare_records, read_facts
from goldpan.kinds.papers.models import Paper

WHOLE = "record"
"""The system of the key of records that say the same in every field."""
JUDGED_SAME = "judged the same paper by the language model"


class UnionFind:
    """Numbers in sets: at first each of the given ones in a set of its own, then those of linked ones together."""

    def __init__(self, items: Iterable[int] = (), links: Iterable[Edge] = ()) -> None:
        self._parents = {item: item for item in items}
        for link in links:
            self.join(*link)

    def find(self, item: int) -> int:
        """Return the number that stands for the set of the item."""
        parents = self._parents
        while parents.setdefault(item, item) != item:
            parents[item] = parents[parents[item]]
            item = parents[item]
        return item

    def join(self, *items: int) -> None:
        """Unite the sets of some items; the smallest number of a set stands for it."""
        first, *others = sorted(map(self.find, items))
        self._parents.update(dict.fromkeys(others, first))

    def sets(self) -> list[list[int]]:
        """Return the sets, each sorted, in the order of their smallest numbers."""
        found: dict[int, list[int]] = {}
        for item in sorted(self._parents):
            found.setdefault(self.find(item), []).append(item)
        return list(found.values())


@dataclass(frozen=True)
class Traits:
    """What another paper contradicts: of one record, or of all those that were joined."""

    systems: frozenset[str] = frozenset()
    """Those in which it has an identifier; joined records of the same one share it."""
    years: frozenset[frozenset[int]] = frozenset()
    """For each identified paper those that its records give: of a preprint, a publication, or a later version."""
    is_citation: bool = False
    """Whether no record has a year and none was joined by its title: several that say the same are not careless."""


Papers = list[tuple[list[int], list[str]]]
"""The records of each paper by their positions, and why they are one."""


def join_records(papers: Sequence[Paper], judged: Sequence[Sequence[int]]) -> tuple[Papers, list[list[int]]]:
    """Find the records of each paper, and sets of papers, by their first records, that may be one.

    Records that are `judged` together are one paper unless their identifiers contradict each other.
    """
    facts = [read_facts(paper) for paper in papers]
    keys = [[*identifier_keys(each.paper), *_whole_record(each)] for each in facts]
    union, reasons = _join_by_identifiers(keys)
    traits = _traits(union, facts, keys)
    for places in judged:
        roots = sorted({union.find(place) for place in places})
        if not _rivals({root: traits[root] for root in roots}):
            union.join(*roots)
            reasons[roots[0]].add(JUDGED_SAME)
            traits = _traits(union, facts, keys)
    same, possible = _compare(facts, union, traits)
    _join_by_titles(same, union, traits)
    for (one, other), compared in same.items():
        if union.find(one) == union.find(other):
            reasons[one].add(compared.reason)
    joined = [(members, sorted(set().union(*(reasons[place] for place in members)))) for members in union.sets()]
    roots_of = {(union.find(one), union.find(other)) for one, other in (*same, *possible)}
    links = ((a, b) for a, b in roots_of if a != b and traits[a].systems.isdisjoint(traits[b].systems))
    return joined, sorted(UnionFind(links=links).sets())


def _whole_record(facts: Facts) -> Iterator[Key]:
    """Yield a key of all that a record says, unless that is too little to be one paper."""
    if not facts.title.is_generic:
        yield WHOLE, facts.paper.model_dump_json(exclude={"source", "citations", "snippet"})


def _join_by_identifiers(keys: Sequence[Sequence[Key]]) -> tuple[UnionFind, defaultdict[int, set[str]]]:
    """Join the records that share an identifier, and say for each one which it shares."""
    union, first_with, reasons = UnionFind(range(len(keys))), dict[Key, int](), defaultdict[int, set[str]](set)
    for place, own in enumerate(keys):
        for key in own:
            first = first_with.setdefault(key, place)
            if first != place:
                union.join(first, place)
                name = SYSTEM_NAMES.get(key[0], f"{key[0].replace('_', ' ')} id")
                reasons[place].add("same record" if key[0] == WHOLE else f"same {name} {key[1]}")
    return union, reasons


def _traits(union: UnionFind, facts: Sequence[Facts], keys: Sequence[Sequence[Key]]) -> dict[int, Traits]:
    """Return the traits of each set of records, by its first one."""
    found: dict[int, Traits] = {}
    for members in union.sets():
        years = frozenset(year for place in members if (year := facts[place].year))
        found[members[0]] = Traits(
            systems=contradicting_systems(key for place in members for key in keys[place]),
            years=frozenset([years] if years else []),
            is_citation=not years,
        )
    return found


def _compare(
    facts: Sequence[Facts], union: UnionFind, traits: Mapping[int, Traits]
) -> tuple[dict[Edge, Comparison], list[Edge]]:
    """Compare the records that share a block; returns the pairs that are one paper, and those that may be."""
    same, possible = dict[Edge, Comparison](), list[Edge]()
    for one, other in candidate_pairs(facts):
        roots = union.find(one), union.find(other)
        if roots[0] == roots[1] or not traits[roots[0]].systems.isdisjoint(traits[roots[1]].systems):
            continue
        if compared := compare_records(facts[one], facts[other]):
            if compared.is_same:
                same[one, other] = compared
            else:
                possible.append((one, other))
    return same, possible


def _join_by_titles(same: Mapping[Edge, Comparison], union: UnionFind, traits: dict[int, Traits]) -> None:
    """Join records by falling strength; of pairs of one strength, those of what contradicts another join nothing."""

    def strength(pair: Edge) -> tuple[int, ...]:
        return same[pair].strength

    for (titles, *_), level in groupby(sorted(same, key=strength, reverse=True), key=strength):
        roots = {(union.find(one), union.find(other)) for one, other in level}
        if titles == Agreement.CLOSE:
            roots = {pair for pair in roots if any(traits[root].is_citation for root in pair)}
        links = [pair for pair in roots if pair[0] != pair[1] and not _rivals({root: traits[root] for root in pair})]
        rivals = set[int]()
        for linked in UnionFind(links=links).sets():
            rivals |= _rivals({root: traits[root] for root in linked})
        for linked in UnionFind(links=(link for link in links if rivals.isdisjoint(link))).sets():
            years = frozenset[frozenset[int]]().union(*(traits[root].years for root in linked))
            if _are_near(years):
                union.join(*linked)
                systems = frozenset[str]().union(*(traits[root].systems for root in linked))
                traits[linked[0]] = Traits(systems, years)


def _rivals(traits: Mapping[int, Traits]) -> set[int]:
    """Return the papers of which another one has an identifier in the same system."""
    counts = Counter(system for each in traits.values() for system in each.systems)
    return {root for root, each in traits.items() if any(counts[system] > 1 for system in each.systems)}


def _are_near(years: frozenset[frozenset[int]]) -> bool:
    """Return whether a year of each paper can be chosen so that they are close."""
    firsts = frozenset[int]().union(*years)
    return not years or any(not any(each.isdisjoint((first, first + 1)) for each in years) for first in firsts)
