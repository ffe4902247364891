"""Find the records of one paper by rules: by identifiers, then by guarded titles; merge each group into one paper."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from goldpan.contracts import FoundBy
from goldpan.kinds.papers.deduplication.clusters import Edges, compare_clusters, join_by_titles, undecided_sets
from goldpan.kinds.papers.deduplication.identified import Cluster, UnionFind, join_by_identifiers, normalise
from goldpan.kinds.papers.deduplication.merging import merge
from goldpan.kinds.papers.models import MergedPaper, Paper

MAX_REASONS = 8
Progress = Callable[[int, int], None]
"""Is called with the steps that are done and all of them; a record is a step of each of three phases."""


@dataclass(frozen=True)
class Record:
    """A record to deduplicate; `key` is unique, `found_by` says which strategies found it."""

    key: str
    paper: Paper
    found_by: tuple[FoundBy, ...] = ()


@dataclass(frozen=True)
class Group:
    """The records of one paper, in the order of the input, merged, and why they are one."""

    members: tuple[str, ...]
    merged: MergedPaper
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Deduplicated:
    """Each record in exactly one group, in the order of the first members.

    `undecided` has sets of groups that may be one paper and stay apart, each group named by its first member.
    """

    groups: tuple[Group, ...]
    undecided: tuple[tuple[str, ...], ...]


def deduplicate(
    records: Sequence[Record], *, progress: Progress = lambda _done, _all: None, judged: Sequence[Sequence[str]] = ()
) -> Deduplicated:
    """Group the records of one paper and merge each group.

    The records whose keys are `judged` together are one paper unless identifiers keep them apart. Raises `ValueError`
    for a key that two records have, and `KeyError` for a judged key that none has.
    """
    keys = [record.key for record in records]
    if len(set(keys)) < len(keys):
        repeated = Counter(keys).most_common(1)[0][0]
        raise ValueError(f"the key {repeated!r} of a record is not unique")
    records = [replace(record, paper=normalise(record.paper)) for record in records]
    place_of = {key: place for place, key in enumerate(keys)}
    named = [[place_of[key] for key in each] for each in judged]
    clusters = join_by_identifiers([record.paper for record in records], named)
    progress(len(records), 3 * len(records))
    edges = compare_clusters(clusters, len(records))
    progress(2 * len(records), 3 * len(records))
    final = join_by_titles(clusters, edges)
    merged: list[Group] = []
    for places, reasons in _with_reasons(clusters, edges, final):
        found = [records[place] for place in places]
        paper = merge([each.paper for each in found], [by for each in found for by in each.found_by])
        merged.append(Group(tuple(each.key for each in found), paper, tuple(reasons[:MAX_REASONS])))
    progress(3 * len(records), 3 * len(records))
    undecided = tuple(tuple(keys[place] for place in places) for places in undecided_sets(clusters, final, edges))
    return Deduplicated(_with_unique_ids(merged), undecided)


def _with_reasons(clusters: Sequence[Cluster], edges: Edges, final: UnionFind) -> list[tuple[list[int], list[str]]]:
    """Return the positions of the records of each paper, and why they are one."""
    reasons = defaultdict[int, set[str]](set)
    for (one, other), (_, reason) in edges.same.items():
        if final.find(one) == final.find(other):
            reasons[final.find(one)].add(reason)
    groups = []
    for members in final.sets():
        found = reasons[final.find(members[0])].union(*(clusters[number].reasons for number in members))
        groups.append((sorted(place for number in members for place in clusters[number].places), sorted(found)))
    return sorted(groups)


def _with_unique_ids(groups: Sequence[Group]) -> tuple[Group, ...]:
    """Number the papers whose records say the same and prove nothing, such as two editorials, by their keys."""
    counts, unique = Counter[str](), dict[str, Group]()
    for group in sorted(groups, key=lambda group: min(group.members)):
        name = group.merged.id
        counts[name] += 1
        numbered = group.merged.model_copy(update={"id": f"{name}-{counts[name]}"})
        unique[group.members[0]] = replace(group, merged=numbered) if counts[name] > 1 else group
    return tuple(unique[group.members[0]] for group in groups)
