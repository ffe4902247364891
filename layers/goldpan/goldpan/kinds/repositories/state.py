"""The state of the pipeline after its last stage, for callers of `execute_search_pipeline`."""

from collections.abc import Iterable

from goldpan.config import Frozen
from goldpan.contracts import ExecutionTime, Mode, SearchRequest, StageError
from goldpan.engine.events import SearchEvent
from goldpan.kinds.repositories.models import Batch, Repository, SearchParams, Shortlist, Translation
from goldpan.kinds.repositories.results import RankedRepository
from goldpan.kinds.repositories.scout import unique_candidates


class SearchState(Frozen):
    """What each stage of the repositories kind found, and the times and errors of the search."""

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
    state = SearchState(user_query=request.query, search_mode=request.mode)
    for event in events:
        state = state.model_copy(update=_found(event))
    return state


def _found(event: SearchEvent) -> dict[str, object]:
    match event.stage, event.result:
        case "translate", Translation() as translation:
            return {"search_params": translation.params}
        case "scout", list(batches):
            return {"candidate_repos": unique_candidates(each for each in batches if isinstance(each, Batch))}
        case "shortlist", Shortlist() as shortlist:
            return {"coarse_filtered_repos": tuple(task.repository for task in shortlist.tasks)}
    if event.answer is None:
        return {}
    times, section = event.answer.execution_time_ms, event.answer.repositories
    return {"execution_time": times, "errors": event.answer.errors, "top_repos": section.results if section else ()}
