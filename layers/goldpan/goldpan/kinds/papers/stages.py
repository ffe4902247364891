"""The stages of the papers kind, together, and how the papers of two rounds are joined."""

from collections.abc import Mapping, Sequence

from goldpan.contracts import SearchRequest
from goldpan.counts import counted
from goldpan.engine.ranking import in_order
from goldpan.engine.stage_values import MAX_PREVIEWS
from goldpan.engine.stages import Stages, Summaries
from goldpan.kinds.papers.deduplication.grouping import Key, Record, deduplicate
from goldpan.kinds.papers.models import KIND, Batch, MergedPaper, Paper, Shortlist
from goldpan.kinds.papers.rank import SORT_VALUES, draw_line, place, rank
from goldpan.kinds.papers.results import PaperCollection, RankedPaper
from goldpan.kinds.papers.score import score, unscored
from goldpan.kinds.papers.scout import failed_batch, scout
from goldpan.kinds.papers.shortlist import MAX_FOUND, shortlist
from goldpan.kinds.papers.translate import translate
from goldpan.known import Preview


def preview(found: Sequence[Batch] | Shortlist) -> tuple[Preview, ...]:
    """List the best papers of a shortlist, or the first ones of batches."""
    if isinstance(found, Shortlist):
        papers = [one.merged.paper for task in found.tasks for one in task.candidates]
    else:
        papers = [paper for batch in found for paper in batch.papers]
    return tuple(Preview(title=each.title, url=each.url, text=each.venue) for each in papers[:MAX_PREVIEWS])


def join(before: PaperCollection, after: PaperCollection, request: SearchRequest) -> PaperCollection:
    """Join two rounds by the rules for duplicates, in the order of a search, with its line and its facets.

    A paper that was weaker in all of its rounds stays so.
    """
    results, weaker = [*before.results, *after.results], [*before.weaker, *after.weaker]
    papers: dict[Key, RankedPaper] = {str(number): paper for number, paper in enumerate((*results, *weaker))}
    records: list[Record] = []
    for key, paper in papers.items():  # its source is its key: merged fields so tell from which result they are
        known = Paper.model_validate({**vars(paper), "source": key}, extra="ignore")
        records.append(Record(key, known, paper.found_by))
    found = deduplicate(records)
    joined = [(_joined({key: papers[key] for key in group.members}, group.merged), group) for group in found.groups]
    above = {paper.id for paper, group in joined if any(int(key) < len(results) for key in group.members)}
    ranked = sorted((paper for paper, _ in joined), key=lambda paper: (paper.basis == "rules", *place(paper)))
    best = max((paper.relevance for paper in ranked if paper.basis == "rules"), default=0.0)
    weak = {paper.id for paper in ranked} - above
    ordered = in_order(ranked[:MAX_FOUND], SORT_VALUES.get(request.sort))
    divided, common = draw_line(ordered, weak, best, request, request.query)
    return before.model_copy(update={"results": divided.results, "weaker": divided.weaker, "facets": common})


def _joined(members: Mapping[Key, RankedPaper], merged: MergedPaper) -> RankedPaper:
    """Return one paper: its fields merged, with the best verdict, of which that of a language model comes first."""
    best = max(members.values(), key=lambda paper: (paper.basis == "llm", paper.relevance))
    if len(members) == 1:
        return best
    versions = tuple(dict.fromkeys(version for paper in members.values() for version in paper.versions))
    sources = {name: members[key].provenance.get(name) for name, key in merged.provenance.items()}
    own = {
        "id": best.id if merged.id.startswith("title:") else merged.id,
        "found_by": merged.found_by,
        "versions": versions or merged.versions,
        "provenance": {name: source for name, source in sources.items() if source},
    }
    return RankedPaper.model_validate(vars(best) | vars(merged.paper) | own, extra="ignore")


STAGES = Stages(
    translate=translate,
    scout=scout,
    shortlist=shortlist,
    score=score,
    rank=rank,
    failed_batch=failed_batch,
    unscored=unscored,
    summaries=Summaries(
        scout=lambda batches: f"Found {counted(sum(len(batch.papers) for batch in batches), 'paper records')}",
        shortlist=lambda found: f"Shortlisted {counted(sum(len(task.candidates) for task in found.tasks), KIND)}",
        score=lambda verdicts: f"Scored {counted(sum(len(verdict.papers) for verdict in verdicts), KIND)}",
        rank=lambda result: f"Ranked {counted(len(result.section.results), KIND)}",
    ),
    preview=preview,
    join=join,
)
