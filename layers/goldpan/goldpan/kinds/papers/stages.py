"""The stages of the papers kind, together."""

from collections.abc import Sequence

from goldpan.counts import counted
from goldpan.engine.stage_values import MAX_PREVIEWS
from goldpan.engine.stages import Stages, Summaries
from goldpan.kinds.papers.models import KIND, Batch, Shortlist
from goldpan.kinds.papers.rank import rank
from goldpan.kinds.papers.rounds import join
from goldpan.kinds.papers.score import score, unscored
from goldpan.kinds.papers.scout import failed_batch, scout
from goldpan.kinds.papers.shortlist import shortlist
from goldpan.kinds.papers.translate import translate
from goldpan.known import Preview


def preview(found: Sequence[Batch] | Shortlist) -> tuple[Preview, ...]:
    """List the best papers of a shortlist, or the first ones of batches."""
    if isinstance(found, Shortlist):
        papers = [one.merged.paper for task in found.tasks for one in task.candidates]
    else:
        papers = [paper for batch in found for paper in batch.papers]
    return tuple(Preview(title=each.title, url=each.url, text=each.venue) for each in papers[:MAX_PREVIEWS])


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
        rank=lambda result: f"Ranked {counted(len(result.section.results) if result.section else 0, KIND)}",
    ),
    preview=preview,
    join=join,
)
