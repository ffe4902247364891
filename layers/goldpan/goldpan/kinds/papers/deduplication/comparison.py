"""Compare the records of different clusters, each pair of records that say the same only once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from goldpan.kinds.papers.deduplication.blocks import candidate_pairs
from goldpan.kinds.papers.deduplication.identity import Marks
from goldpan.kinds.papers.deduplication.pairs import Decision, Facts, decide, explain, may_join

Edge = tuple[int, int]
"""Two clusters, the smaller number first."""


@dataclass(slots=True)
class Alike:
    """Clusters with a record that says this, and with identifiers of these systems.

    Two clusters with identifiers of one system contradict each other, since clusters share none.
    """

    facts: Facts
    systems: frozenset[str]
    clusters: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Compared:
    """The clusters that are one paper, each pair with a reason, and the pairs that may be one."""

    same: list[tuple[Edge, str]] = field(default_factory=list)
    possible: set[Edge] = field(default_factory=set)


def compare_records(facts: Sequence[Facts], cluster_of: Sequence[int], marks: Sequence[Marks]) -> Compared:
    """Compare all records that share a key; connected are the same clusters as if each pair of them were compared."""
    alike = _group(facts, cluster_of, marks)
    nodes = [each.facts for each in alike]
    compared = Compared()
    for each in alike:
        if len(each.clusters) > 1 and not each.systems:
            _add(compared, each, each, decide(each.facts, each.facts))
    seen: set[int] = set()
    for one, other in candidate_pairs(nodes):
        number = one * len(nodes) + other
        if number in seen:
            continue
        seen.add(number)
        left, right = alike[one], alike[other]
        if left.clusters == right.clusters or not left.systems.isdisjoint(right.systems):
            continue
        decision = decide(left.facts, right.facts)
        if decision is Decision.SAME and not may_join(left.facts, right.facts):
            decision = Decision.UNDECIDED
        _add(compared, left, right, decision)
    return compared


def _group(facts: Sequence[Facts], cluster_of: Sequence[int], marks: Sequence[Marks]) -> list[Alike]:
    systems = [frozenset(system for system, _ in each.by_system) for each in marks]
    found: dict[object, Alike] = {}
    for cluster, each in zip(cluster_of, facts, strict=True):
        said = (*_said(each), systems[cluster])
        alike = found.get(said)
        if alike is None:
            found[said] = Alike(each, systems[cluster], [cluster])
        elif cluster not in alike.clusters[-1:]:
            alike.clusters.append(cluster)
    return list(found.values())


def _said(facts: Facts) -> tuple[object, ...]:
    """Return all that the rules read of a record: which venue a paper has counts for generic titles alone."""
    venue = facts.venue if facts.title.is_generic else (bool(facts.venue), facts.is_journal)
    return facts.paper.title, facts.paper.authors, facts.year, venue, facts.is_preprint, facts.address


def _add(compared: Compared, left: Alike, right: Alike, decision: Decision) -> None:
    if decision is Decision.DIFFERENT:
        return
    reason = explain(left.facts, right.facts) if decision is Decision.SAME else ""
    for edge in _edges(left.clusters, right.clusters):
        if decision is Decision.SAME:
            compared.same.append((edge, reason))
        else:
            compared.possible.add(edge)


def _edges(ones: Sequence[int], others: Sequence[int]) -> Iterator[Edge]:
    """Yield as many pairs as connect all clusters of both: each with the first one of the other side."""
    first, second = ones[0], others[0]
    for one in ones:
        if one != second:
            yield min(one, second), max(one, second)
    for other in others[1:]:
        if other != first:
            yield min(first, other), max(first, other)
