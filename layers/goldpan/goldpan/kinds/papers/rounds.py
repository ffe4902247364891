"""Join the papers of two rounds by the rules for duplicates, in the order of a search, with its line and its facets."""

from collections.abc import Mapping

from goldpan.contracts import SearchRequest
from goldpan.engine.scoring import divide
from goldpan.kinds.papers.deduplication.grouping import Record, deduplicate
from goldpan.kinds.papers.facets import facets
from goldpan.kinds.papers.models import MergedPaper, Paper
from goldpan.kinds.papers.rank import LIKELY, WEAK_SHARE, in_order, place
from goldpan.kinds.papers.results import PaperCollection, RankedPaper
from goldpan.kinds.papers.shortlist import MAX_FOUND


def join(before: PaperCollection, after: PaperCollection, request: SearchRequest) -> PaperCollection:
    """Return the papers of both, each once, and their facets; a paper that was weaker in all of its rounds stays so."""
    results, weaker = [*before.results, *after.results], [*before.weaker, *after.weaker]
    papers = {str(number): paper for number, paper in enumerate((*results, *weaker))}
    records: list[Record] = []
    for key, paper in papers.items():  # its source is its key: merged fields so tell from which result they are
        known = {name: value for name, value in paper if name in Paper.model_fields}
        records.append(Record(key, Paper.model_validate({**known, "source": key}), paper.found_by))
    found = deduplicate(records)
    joined = [(_joined({key: papers[key] for key in group.members}, group.merged), group) for group in found.groups]
    above = {paper.id for paper, group in joined if any(int(key) < len(results) for key in group.members)}
    ranked = sorted((paper for paper, _ in joined), key=lambda paper: (paper.basis == "rules", *place(paper)))
    best = max((paper.relevance for paper in ranked if paper.basis == "rules"), default=0.0)
    least = {"llm": request.config.relevance_threshold or 0.0, "rules": WEAK_SHARE * best}
    divided = divide(
        in_order(ranked[:MAX_FOUND], request.sort),
        lambda paper: paper.id in above and paper.relevance >= least[paper.basis],
        LIKELY,
    )
    shown = (*divided.results, *divided.weaker)
    own = {"results": divided.results, "weaker": divided.weaker, "facets": facets(shown, best, request.query)}
    return before.model_copy(update=own)


def _joined(members: Mapping[str, RankedPaper], merged: MergedPaper) -> RankedPaper:
    """Return one paper: its fields merged, with the best verdict, of which that of a language model comes first."""
    best = max(members.values(), key=lambda paper: (paper.basis == "llm", paper.relevance))
    if len(members) == 1:
        return best
    known = {name: value for name, value in merged.paper if name in RankedPaper.model_fields}
    versions = tuple(dict.fromkeys(version for paper in members.values() for version in paper.versions))
    sources = {name: members[key].provenance.get(name) for name, key in merged.provenance.items()}
    own = {
        "id": best.id if merged.id.startswith("title:") else merged.id,
        "found_by": merged.found_by,
        "versions": versions or merged.versions,
        "provenance": {name: source for name, source in sources.items() if source},
    }
    return best.model_copy(update=known | own)
