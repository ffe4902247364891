"""The stages of the repositories kind, together."""

from __future__ import annotations

from goldpan.engine.stage_values import MAX_PREVIEWS, Preview
from goldpan.engine.stages import Stages, Summaries
from goldpan.kinds.repositories.models import Shortlist
from goldpan.kinds.repositories.rank import rank
from goldpan.kinds.repositories.repository_text import labelled, shown_note
from goldpan.kinds.repositories.score import score, unscored
from goldpan.kinds.repositories.scout import failed_batch, scout, unique_candidates
from goldpan.kinds.repositories.shortlist import shortlist
from goldpan.kinds.repositories.translate import translate


def preview(shortlisted: Shortlist) -> tuple[Preview, ...]:
    """List the best repositories of a shortlist."""
    found = (task.repository for task in shortlisted.tasks[:MAX_PREVIEWS])
    texts = ((each, labelled(each.description, shown_note(each))) for each in found)
    return tuple(Preview(title=each.full_name, url=each.url, text=text) for each, text in texts)


STAGES = Stages(
    translate=translate,
    scout=scout,
    shortlist=shortlist,
    score=score,
    rank=rank,
    failed_batch=failed_batch,
    unscored=unscored,
    summaries=Summaries(
        scout=lambda batches: f"Found {len(unique_candidates(batches))} candidates",
        shortlist=lambda shortlisted: f"Shortlisted {len(shortlisted.tasks)} repositories",
        score=lambda verdicts: f"Scored {len(verdicts)} repositories",
        rank=lambda result: f"Ranked {len(result.section.results) if result.section else 0} repositories",
    ),
    preview=preview,
)
