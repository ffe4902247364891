"""Group papers: clusters of one identifier, then components of clusters whose titles agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise, product

from goldpan.kinds.papers.deduplication.blocks import candidate_pairs
from goldpan.kinds.papers.deduplication.identity import Key, address_key, describe, identifier_keys, marks
from goldpan.kinds.papers.deduplication.pairs import Decision, Facts, are_compatible, decide, explain, read_facts
from goldpan.kinds.papers.deduplication.union_find import UnionFind
from goldpan.kinds.papers.models import Paper

MAX_COMPARED = 40
"""Clusters of a component of which all pairs are compared; in a larger one identifiers and years alone."""
MAX_REPRESENTATIVES = 4
MAX_YEAR_SPAN = 2
"""Between the first and the last year of a component: a preprint, an early view and an issue."""
SAME_RECORD, WHOLE = "same record", "record"
"""The reason, and the system of the key, of records that say the same in every field."""
Grouped = tuple[list[int], list[str]]
"""The positions of the papers of a group, and why they are one."""


class Clusters:
    """The papers of one identifier, each cluster with its years and its identifiers."""

    def __init__(self, papers: Sequence[Paper], progress: Callable[[int, int], None] | None = None) -> None:
        self._papers, self._progress = papers, progress
        self._keys: list[list[Key]] = []
        self._facts: list[Facts] = []
        self._union = UnionFind(len(papers))
        self._reasons: dict[int, set[str]] = {}
        self._join_by_identifiers()
        self._sets = self._union.sets()
        self._cluster_of = [0] * len(papers)
        for number, places in enumerate(self._sets):
            for place in places:
                self._cluster_of[place] = number
        self._marks = [marks(key for place in places for key in self._keys[place]) for places in self._sets]

    def decide(self) -> tuple[list[Grouped], list[list[int]]]:
        """Return the groups in the order of their first papers, and the first papers of groups that are undecided."""
        same, possible = self._compare()
        if self._progress is not None:
            self._progress(2 * len(self._papers), 3 * len(self._papers))
        joined = UnionFind(len(self._sets))
        for one, other in same:
            joined.join(one, other)
        final = UnionFind(len(self._sets))
        edges_of: dict[int, list[tuple[int, int]]] = {}
        for edge in same:
            edges_of.setdefault(joined.find(edge[0]), []).append(edge)
        doubtful = set(possible)
        for component in joined.sets():
            if len(component) == 1:
                continue
            edges = edges_of[joined.find(component[0])]
            if self._holds_contradiction(component, set(edges)):
                doubtful.update(edges)
                continue
            for edge in edges:
                final.join(*edge)
                self._reasons.setdefault(edge[0], set()).add(self._explain(edge, same[edge]))
        return self._groups(final), self._undecided(final, doubtful)

    def _explain(self, edge: tuple[int, int], pair: tuple[int, int]) -> str:
        """Return the first reason by the alphabet, whichever pair of the two clusters was compared first."""
        left, right = (self._representatives(cluster) for cluster in edge)
        pairs = product(left, right) if len(left) * len(right) > 1 else ()
        reasons = [explain(one, other) for one, other in pairs if decide(one, other) is Decision.SAME]
        return min(reasons, default=None) or explain(*(self._facts[place] for place in pair))

    def _join_by_identifiers(self) -> None:
        first_with: dict[Key, int] = {}
        for place, paper in enumerate(self._papers):
            address = address_key(paper)
            self._facts.append(read_facts(paper, address[1] if address else None))
            self._keys.append(list(identifier_keys(paper)))
            for key in (*self._keys[-1], *_whole(self._facts[-1])):
                first = first_with.setdefault(key, place)
                if first != place:
                    self._union.join(first, place)
                    reason = SAME_RECORD if key[0] == WHOLE else describe(key)
                    self._reasons.setdefault(-1 - first, set()).add(reason)
            self._report(place + 1)

    def _compare(self) -> tuple[dict[tuple[int, int], tuple[int, int]], set[tuple[int, int]]]:
        """Return the edges between clusters of one paper, each with the papers that show it, and the possible ones."""
        same: dict[tuple[int, int], tuple[int, int]] = {}
        possible: set[tuple[int, int]] = set()
        seen: set[int] = set()
        count, facts, cluster_of = len(self._facts), self._facts, self._cluster_of
        for place, other in candidate_pairs(facts):
            number = place * count + other
            if number in seen:
                continue
            seen.add(number)
            left, right = cluster_of[place], cluster_of[other]
            edge = (left, right) if left < right else (right, left)
            if left == right or edge in same:
                continue
            decision = decide(facts[place], facts[other])
            if decision is Decision.DIFFERENT or self._marks[left].contradict(self._marks[right]):
                continue
            if decision is Decision.SAME:
                same[edge] = (place, other)
            else:
                possible.add(edge)
        return same, possible

    def _holds_contradiction(self, component: list[int], edges: set[tuple[int, int]]) -> bool:
        if not _are_near([years for cluster in component if (years := self._years(cluster))]):
            return True
        if self._identifiers_contradict(component):
            return True
        if len(component) > MAX_COMPARED:
            return False
        others = (pair for pair in combinations(component, 2) if pair not in edges)
        return any(not self._are_compatible(*pair) for pair in others)

    def _identifiers_contradict(self, component: list[int]) -> bool:
        """Return whether two clusters have different identifiers of one system, comparing each system once."""
        found: dict[str, set[frozenset[str]]] = {}
        for cluster in component:
            for system, ids in self._marks[cluster].by_system:
                found.setdefault(system, set()).add(ids)
        return any(not one & other for sets in found.values() for one, other in combinations(sets, 2))

    def _years(self, cluster: int) -> frozenset[int]:
        """Return the years that the records of a cluster give: of a preprint, a publication, or a later version."""
        return frozenset(year for place in self._sets[cluster] if (year := self._facts[place].year))

    def _are_compatible(self, one: int, other: int) -> bool:
        pairs = ((left, right) for left in self._representatives(one) for right in self._representatives(other))
        return any(are_compatible(left, right) for left, right in pairs)

    def _representatives(self, cluster: int) -> list[Facts]:
        """Return the first papers of a cluster by title, authors and year, whatever their order in the input."""
        facts = (self._facts[place] for place in self._sets[cluster])
        distinct = {(each.title.compact, each.paper.authors, each.year or 0): each for each in facts}
        return [distinct[key] for key in sorted(distinct)[:MAX_REPRESENTATIVES]]

    def _groups(self, final: UnionFind) -> list[Grouped]:
        groups: list[Grouped] = []
        for clusters in final.sets():
            places = sorted(place for cluster in clusters for place in self._sets[cluster])
            reasons = {reason for cluster in clusters for reason in self._reasons.get(cluster, ())}
            reasons.update(reason for place in places for reason in self._reasons.get(-1 - place, ()))
            groups.append((places, sorted(reasons)))
        return sorted(groups)

    def _undecided(self, final: UnionFind, doubtful: set[tuple[int, int]]) -> list[list[int]]:
        """Return the groups that doubtful edges connect, but for pairs that identifiers keep apart anyhow."""
        union, named = UnionFind(len(self._sets)), set[int]()
        whole = {
            final.find(clusters[0]): marks(
                key for each in clusters for place in self._sets[each] for key in self._keys[place]
            )
            for clusters in final.sets()
        }
        for one, other in doubtful:
            left, right = final.find(one), final.find(other)
            if left != right and not whole[left].contradict(whole[right]):
                union.join(left, right)
                named.update((left, right))
        first = {
            final.find(clusters[0]): min(self._sets[cluster][0] for cluster in clusters) for clusters in final.sets()
        }
        sets = [[first[each] for each in members if each in named] for members in union.sets()]
        return sorted(sorted(members) for members in sets if len(members) > 1)

    def _report(self, done: int) -> None:
        if self._progress is not None and done % 1000 == 0:
            self._progress(done, 3 * len(self._papers))


def _whole(facts: Facts) -> list[Key]:
    """Return a key of all that a record says; none for a record that says too little to be one paper."""
    paper = facts.paper
    if not facts.title.compact or (facts.title.is_generic and not (paper.venue and paper.year and paper.authors)):
        return []
    said = paper.model_dump_json(exclude={"source", "citations", "snippet"})
    return [(WHOLE, said)]


def _are_near(years: Sequence[frozenset[int]]) -> bool:
    """Return whether a year of each cluster can be chosen so that they are close, without a gap between them."""
    for first in sorted(frozenset().union(*years)):
        chosen = sorted({year for each in years for year in each if first <= year <= first + MAX_YEAR_SPAN})
        has_gap = any(later - earlier > 1 for earlier, later in pairwise(chosen))
        if not has_gap and not any(each.isdisjoint(chosen) for each in years):
            return True
    return not years
