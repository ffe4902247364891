"""The state of the pipeline after its last stage, for callers of `execute_search_pipeline`."""

from __future__ import annotations

from collections.abc import Iterable

from goldpan.config import Frozen
from goldpan.contracts import ExecutionTime, Mode, SearchRequest, StageError
from goldpan.engine.events import SearchEvent
from goldpan.kinds.repositories.models import RankedRepository, Repository, SearchParams
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
    found: dict[str, object] = {}
    for event in events:
        if event.stage == "translate":
            found["search_params"] = event.result.params
        elif event.stage == "scout":
            found["candidate_repos"] = unique_candidates(event.result)
        elif event.stage == "shortlist":
            found["coarse_filtered_repos"] = tuple(task.repository for task in event.result.tasks)
        elif event.stage == "rank":
            found["top_repos"] = event.result.section.results
        elif event.answer is not None:
            found |= {"execution_time": event.answer.execution_time_ms, "errors": event.answer.errors}
    return SearchState(user_query=request.query, search_mode=request.mode, **found)  # type: ignore[arg-type]
