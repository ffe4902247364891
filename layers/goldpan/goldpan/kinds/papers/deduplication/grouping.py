"""Find the records of one paper by rules: by identifiers, then by guarded titles; merge each group into one paper.

They are merged field by field: nothing that one of them knows is lost.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from goldpan.contracts import FoundBy
from goldpan.identities import arxiv_of_doi
from goldpan.kinds.papers.deduplication.clusters import join_records
from goldpan.kinds.papers.deduplication.identified import identifier_keys, normalise
from goldpan.kinds.papers.deduplication.preprints import is_preprint, published_doi, versions
from goldpan.kinds.papers.models import HYBRID, ID_SYSTEMS, LIBRARY, PUBLICATION, MergedPaper, Paper, PaperIds
from goldpan.kinds.papers.person_names import may_have_more, with_parts

MAX_REASONS = 8
PREFERRED = ("library", "hybrid", "openalex", "crossref", "semantic_scholar", "europe_pmc", "arxiv", "serpapi")
"""Whose value of a field counts where several sources give one: what the user has corrected stands."""
ID_DIGITS = 16
"""Hexadecimal digits of a digest: two of 100,000 papers have the same one with a chance below 1 in 10^9."""
_FIRST = ("title", "snippet", "url", "pdf_url")
"""Fields of the preferred source."""
_PUBLICATION = ("year", "venue", *PUBLICATION)
"""Fields of the publication, not of its preprint, as is the type."""
_MOST = ("authors", "abstract", "citations", "open_access", "retracted")
"""Fields of the record that has most of them; of a flag, one source that says so is enough."""
_EMPTY = (None, "", ())
Key = str | int


@dataclass(frozen=True)
class Record:
    """A record to deduplicate; `key` is unique, `found_by` says which strategies found it."""

    key: Key
    paper: Paper
    found_by: tuple[FoundBy, ...] = ()


@dataclass(frozen=True)
class Group:
    """The records of one paper, in the order of the input, merged, and why they are one."""

    members: tuple[Key, ...]
    merged: MergedPaper
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Deduplicated:
    """Each record in exactly one group, in the order of the first members.

    `undecided` has sets of groups that may be one paper and stay apart, each group named by its first member.
    """

    groups: tuple[Group, ...]
    undecided: tuple[tuple[Key, ...], ...]


def deduplicate(records: Sequence[Record], *, judged: Sequence[Sequence[Key]] = ()) -> Deduplicated:
    """Group the records of one paper and merge each group.

    The records whose keys are `judged` together are one paper unless something in them keeps them apart.
    """
    records = [replace(record, paper=normalise(record.paper)) for record in records]
    place_of = {record.key: place for place, record in enumerate(records)}
    named = [[place_of[key] for key in each] for each in judged]
    joined, open_sets = join_records([record.paper for record in records], named)
    merged: list[Group] = []
    for places, reasons in joined:
        found = [records[place] for place in places]
        paper = merge([each.paper for each in found], [by for each in found for by in each.found_by])
        merged.append(Group(tuple(each.key for each in found), paper, tuple(reasons[:MAX_REASONS])))
    undecided = tuple(tuple(records[place].key for place in places) for places in open_sets)
    return Deduplicated(_with_unique_ids(merged), undecided)


def _with_unique_ids(groups: Sequence[Group]) -> tuple[Group, ...]:
    """Number the papers whose records say the same and prove nothing, such as two editorials, by their keys."""
    counts, unique = Counter[str](), dict[Key, Group]()
    for group in sorted(groups, key=lambda group: min(map(str, group.members))):
        name = group.merged.id
        counts[name] += 1
        numbered = group.merged.model_copy(update={"id": f"{name}-{counts[name]}"})
        unique[group.members[0]] = replace(group, merged=numbered) if counts[name] > 1 else group
    return tuple(unique[group.members[0]] for group in groups)


def merge(papers: Sequence[Paper], found_by: Iterable[FoundBy]) -> MergedPaper:
    """Merge the records of one paper; the result does not depend on their order."""
    ordered = _ordered(papers) if len(papers) > 1 else papers
    published = sorted(ordered, key=is_preprint)  # stable: the preferred source first among publications
    first = {name: _first_with(ordered, name) for name in _FIRST}
    first |= {name: _first_with(published, name) for name in _PUBLICATION}
    first |= {name: _most(ordered, name) for name in _MOST} | {"type": _typed(published)}
    ranks: dict[str, int] = {}  # of a strategy the best one: if it lists a paper twice, it has one vote
    for found in found_by:
        ranks[found.strategy] = min(found.rank, ranks.get(found.strategy, found.rank))
    chosen = {name: record for name, record in first.items() if record is not None}
    values = {name: getattr(record, name) for name, record in chosen.items()}
    values["authors"] = with_parts(values.get("authors", ()), (name for paper in ordered for name in paper.authors))
    provenance = {name: record.source for name, record in chosen.items()}
    ids, further = _merge_ids(ordered, published, provenance)
    best = Paper.model_validate({"title": "", **values, "source": ordered[0].source, "ids": ids})
    return MergedPaper(
        id=_identify(best, papers),
        paper=best,
        ids=further,
        sources=tuple(dict.fromkeys(paper.source for paper in ordered)),
        provenance=dict(sorted(provenance.items())),
        versions=versions(published),
        found_by=tuple(FoundBy(strategy=strategy, rank=rank) for strategy, rank in sorted(ranks.items())),
    )


def _ordered(papers: Sequence[Paper]) -> list[Paper]:
    """Order by source, then by how many fields are known, then by content: never by the order of the input."""
    ranks = {source: rank for rank, source in enumerate(PREFERRED)}

    def key(paper: Paper) -> tuple[int, str, int, str]:
        known = sum(value not in _EMPTY for value in vars(paper).values())
        return ranks.get(paper.source, len(ranks)), paper.source, -known, paper.model_dump_json()

    return sorted(papers, key=key)


def _first_with(papers: Sequence[Paper], field: str) -> Paper | None:
    return next((paper for paper in papers if getattr(paper, field) not in _EMPTY), None)


def _typed(published: Sequence[Paper]) -> Paper | None:
    """Return the record whose type counts: what others take for an article can be a conference paper of Crossref."""
    first = _first_with(published, "type")
    if first is None or first.type != "article" or first.source in {LIBRARY, HYBRID}:
        return first
    registered = (each for each in published if each.source == "crossref" and not is_preprint(each))
    return next((each for each in registered if each.type not in {None, "other"}), first)


def _most(papers: Sequence[Paper], field: str) -> Paper | None:
    """Return the first record that has most of a field: the largest number, the longest text or list."""

    def amount(paper: Paper) -> int:
        value = getattr(paper, field)
        return value if isinstance(value, int) else len(value) - (field == "authors" and may_have_more(value))

    return max((paper for paper in papers if getattr(paper, field) not in _EMPTY), key=amount, default=None)


def _merge_ids(
    ordered: Sequence[Paper], published: Sequence[Paper], provenance: dict[str, str]
) -> tuple[PaperIds, tuple[PaperIds, ...]]:
    """Return the first identifier of each system, the DOI of the publication first, and those that remain."""
    chosen: dict[str, object] = {}
    by_doi = sorted(published, key=lambda paper: published_doi(paper.ids.doi) is None)
    for system in ID_SYSTEMS:
        record = next((paper for paper in (by_doi if system == "doi" else ordered) if getattr(paper.ids, system)), None)
        if record is not None:
            chosen[system] = getattr(record.ids, system)
            provenance[system] = record.source
    named = (arxiv_of_doi(paper.ids.doi) for paper in ordered)
    if "arxiv" not in chosen and (arxiv := next(filter(None, named), None)):
        chosen["arxiv"] = arxiv
    other = {system: value for paper in reversed(ordered) for system, value in paper.ids.other.items()}
    remaining = (_without(paper.ids, chosen, other) for paper in ordered)
    further = {ids.model_dump_json(): ids for ids in remaining if ids is not None}
    return PaperIds.model_validate({**chosen, "other": other}), tuple(further[key] for key in sorted(further))


def _without(ids: PaperIds, chosen: dict[str, object], other: dict[str, str]) -> PaperIds | None:
    """Return the identifiers that are not among the chosen ones, None if there is none."""
    rest = {system: value for system in ID_SYSTEMS if (value := getattr(ids, system)) and value != chosen.get(system)}
    further = {system: value for system, value in ids.other.items() if other[system] != value}
    return PaperIds(**rest, other=further) if rest or further else None


def _identify(best: Paper, papers: Sequence[Paper]) -> str:
    """Return the first identifier that no other paper has, with its system, or a digest of what its records say."""
    own = best.model_copy(update={"url": None, "pdf_url": None})
    for system, value in identifier_keys(own):  # in the order of the systems
        return f"{system}:{getattr(best.ids, system, None) or value}"
    said = sorted(paper.model_dump_json(exclude={"citations", "snippet", "organisations"}) for paper in papers)
    return f"title:{hashlib.sha256(chr(10).join(said).encode()).hexdigest()[:ID_DIGITS]}"
