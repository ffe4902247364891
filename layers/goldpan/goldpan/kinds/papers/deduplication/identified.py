"""Group records by their identifiers: each cluster has the records that share one, in a chain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from goldpan.kinds.papers.deduplication.identity import (
    Key,
    Marks,
    address_key,
    contradicting,
    describe,
    identifier_keys,
    marks,
)
from goldpan.kinds.papers.deduplication.pairs import Facts, read_facts
from goldpan.kinds.papers.deduplication.union_find import UnionFind
from goldpan.kinds.papers.models import Paper

WHOLE = "record"
"""The system of the key of records that say the same in every field."""
JUDGED_SAME = "judged the same paper by the language model"


@dataclass(frozen=True)
class Cluster:
    """The records of one identifier: their positions, what is compared of them, and why they are one."""

    places: tuple[int, ...]
    facts: tuple[Facts, ...]
    marks: Marks
    reasons: tuple[str, ...]

    @cached_property
    def years(self) -> frozenset[int]:
        """The years that its records give: of a preprint, a publication, or a later version."""
        return frozenset(each.year for each in self.facts if each.year)

    @cached_property
    def numbers(self) -> frozenset[frozenset[str]]:
        """The numbers in its titles."""
        return frozenset(frozenset(each.title.marks) for each in self.facts)


def join_by_identifiers(papers: Sequence[Paper], judged: Sequence[Sequence[int]] = ()) -> list[Cluster]:
    """Return the clusters in the order of their first records.

    Positions that are judged together are in one cluster unless their identifiers contradict each other.
    """
    union, facts, keys = UnionFind(range(len(papers))), list[Facts](), list[list[Key]]()
    first_with: dict[Key, int] = {}
    reasons: dict[int, set[str]] = {}
    for place, paper in enumerate(papers):
        address = address_key(paper)
        facts.append(read_facts(paper, address[1] if address else None))
        keys.append(list(identifier_keys(paper)))
        for key in (*keys[-1], *_whole_record(facts[-1])):
            first = first_with.setdefault(key, place)
            if first != place:
                union.join(first, place)
                reasons.setdefault(place, set()).add("same record" if key[0] == WHOLE else describe(key))
    for places in judged:
        sets = [marks(key for each in union.set_of(place) for key in keys[each]) for place in places]
        if not any(contradicting(one, other) for one, other in combinations(sets, 2)):
            for place in places[1:]:
                union.join(places[0], place)
            reasons.setdefault(places[0], set()).add(JUDGED_SAME)
    return [
        Cluster(
            places=tuple(places),
            facts=tuple(facts[place] for place in places),
            marks=marks(key for place in places for key in keys[place]),
            reasons=tuple(sorted({reason for place in places for reason in reasons.get(place, ())})),
        )
        for places in union.sets()
    ]


def _whole_record(facts: Facts) -> list[Key]:
    """Return a key of all that a record says; none for a record that says too little to be one paper."""
    paper = facts.paper
    if not facts.title.compact or (facts.title.is_generic and not (paper.venue and paper.year and paper.authors)):
        return []
    return [(WHOLE, paper.model_dump_json(exclude={"source", "citations", "snippet"}))]
