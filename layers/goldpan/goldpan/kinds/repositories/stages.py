"""The stages of the repositories kind, together."""

from collections.abc import Sequence

from goldpan.counts import counted
from goldpan.engine.stage_values import MAX_PREVIEWS
from goldpan.engine.stages import Stages, Summaries
from goldpan.kinds.repositories.models import Batch, Shortlist
from goldpan.kinds.repositories.rank import rank
from goldpan.kinds.repositories.repository_text import labelled, shown_note
from goldpan.kinds.repositories.score import score, unscored
from goldpan.kinds.repositories.scout import failed_batch, scout, unique_candidates
from goldpan.kinds.repositories.shortlist import shortlist
from goldpan.kinds.repositories.translate import translate
from goldpan.known import Preview


def preview(found: Sequence[Batch] | Shortlist) -> tuple[Preview, ...]:
    """List the best repositories of a shortlist, or the first ones of batches."""
    listed = tuple(one.repository for one in found.tasks) if isinstance(found, Shortlist) else unique_candidates(found)
    texts = ((each, labelled(each.description, shown_note(each))) for each in listed[:MAX_PREVIEWS])
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
        scout=lambda batches: f"Found {counted(len(unique_candidates(batches)), 'candidates')}",
        shortlist=lambda shortlisted: f"Shortlisted {counted(len(shortlisted.tasks), 'repositories')}",
        score=lambda verdicts: f"Scored {counted(len(verdicts), 'repositories')}",
        rank=lambda result: f"Ranked {counted(len(result.section.results) if result.section else 0, 'repositories')}",
    ),
    preview=preview,
)
