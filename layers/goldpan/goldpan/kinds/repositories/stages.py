"""The stages of the repositories kind, together, and what a search has found after the last one."""

from collections.abc import Iterable, Sequence

from goldpan.config import Frozen
from goldpan.contracts import ExecutionTime, Mode, SearchRequest, StageError
from goldpan.counts import counted
from goldpan.engine.events import SearchEvent
from goldpan.engine.stage_values import MAX_PREVIEWS
from goldpan.engine.stages import Stages, Summaries
from goldpan.kinds.repositories.models import Batch, Repository, SearchParams, Shortlist, Translation, Verdict
from goldpan.kinds.repositories.rank import rank
from goldpan.kinds.repositories.repository_text import labelled, shown_note
from goldpan.kinds.repositories.results import RankedRepository
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


SUMMARIES: Summaries[Batch, Shortlist, Verdict] = Summaries(
    scout=lambda batches: f"Found {counted(len(unique_candidates(batches)), 'candidates')}",
    shortlist=lambda shortlisted: f"Shortlisted {counted(len(shortlisted.tasks), 'repositories')}",
    score=lambda verdicts: f"Scored {counted(len(verdicts), 'repositories')}",
    rank=lambda result: f"Ranked {counted(len(result.section.results), 'repositories')}",
)
STAGES = Stages(translate, scout, shortlist, score, rank, failed_batch, unscored, SUMMARIES, preview)


class SearchState(Frozen):
    """What each stage found, and the times and errors of the search, for callers of `execute_search_pipeline`."""

    user_query: str
    search_mode: Mode = "balanced"
    search_params: SearchParams | None = None
    candidate_repos: tuple[Repository, ...] = ()
    coarse_filtered_repos: tuple[Repository, ...] = ()
    top_repos: tuple[RankedRepository, ...] = ()
    execution_time: ExecutionTime = ExecutionTime()
    errors: tuple[StageError, ...] = ()


def final_state(request: SearchRequest, events: Iterable[SearchEvent]) -> SearchState:
    """Collect the events of a search into the state after its last stage."""
    found: dict[str, object] = {}
    for event in events:
        match event.stage, event.result:
            case "translate", Translation() as translation:
                found["search_params"] = translation.params
            case "scout", list(batches):
                found["candidate_repos"] = unique_candidates(each for each in batches if isinstance(each, Batch))
            case "shortlist", Shortlist() as shortlist:
                found["coarse_filtered_repos"] = tuple(task.repository for task in shortlist.tasks)
        if answer := event.answer:
            section = answer.repositories
            found |= {"execution_time": answer.execution_time_ms, "errors": answer.errors}
            found["top_repos"] = section.results if section else ()
    return SearchState(user_query=request.query, search_mode=request.mode).model_copy(update=found)
