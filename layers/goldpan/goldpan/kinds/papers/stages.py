"""The stages of the papers kind, together."""

from __future__ import annotations

from goldpan.engine.stage_values import MAX_PREVIEWS, Preview
from goldpan.engine.stages import Stages, Summaries
from goldpan.kinds.papers.models import Shortlist
from goldpan.kinds.papers.rank import rank
from goldpan.kinds.papers.score import score, unscored
from goldpan.kinds.papers.scout import failed_batch, scout
from goldpan.kinds.papers.shortlist import shortlist
from goldpan.kinds.papers.translate import translate


def preview(shortlisted: Shortlist) -> tuple[Preview, ...]:
    """List the best papers of a shortlist."""
    found = [one.merged.paper for task in shortlisted.tasks for one in task.candidates][:MAX_PREVIEWS]
    return tuple(Preview(title=each.title, url=each.url, text=each.venue) for each in found)


STAGES = Stages(
    translate=translate,
    scout=scout,
    shortlist=shortlist,
    score=score,
    rank=rank,
    failed_batch=failed_batch,
    unscored=unscored,
    summaries=Summaries(
        scout=lambda batches: f"Found {sum(len(batch.papers) for batch in batches)} records of papers",
        shortlist=lambda shortlisted: f"Shortlisted {sum(len(task.candidates) for task in shortlisted.tasks)} papers",
        score=lambda verdicts: f"Scored {sum(len(verdict.papers) for verdict in verdicts)} papers",
        rank=lambda result: f"Ranked {len(result.section.results) if result.section else 0} papers",
    ),
    preview=preview,
)
