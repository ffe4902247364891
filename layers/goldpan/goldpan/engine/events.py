"""How a search goes on: its state after every stage, its times, and the event that tells of them."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import Literal

from goldpan.contracts import Answer, ExecutionTime, SearchRequest, StageError
from goldpan.engine.deadlines import Clock
from goldpan.kinds.repositories.models import SearchState

Stage = Literal["translate", "scout", "shortlist", "score", "rank", "assemble"]
FUNCTIONS: dict[Stage, str] = {
    "translate": "query_translator",
    "scout": "scout",
    "shortlist": "screener",
    "score": "screener",
    "rank": "screener",
    "assemble": "screener",
}
_LOG = logging.getLogger(__name__)
"""Tells times and costs, never what was asked."""


@dataclass(frozen=True)
class SearchEvent:
    """A stage that ended: what it found in a short sentence, and the state after it; the last one has the answer."""

    stage: Stage
    message: str
    state: SearchState
    answer: Answer | None = None


class Progress:
    """The state of one search and the time that its functions take."""

    def __init__(self, request: SearchRequest, clock: Clock) -> None:
        self._clock = clock
        self.begun = self._last = clock.now()
        self._state = SearchState(user_query=request.query, search_mode=request.mode)

    @property
    def times(self) -> ExecutionTime:
        """Tell the milliseconds of each function so far."""
        return self._state.execution_time

    def ended(self, stage: Stage, message: str, errors: tuple[StageError, ...] = (), **grown: object) -> SearchEvent:
        """Note that a stage ended, and give the event; the state is a new one, with what the stage brought."""
        update = {**grown, "execution_time": self._lap(stage), "errors": (*self._state.errors, *errors)}
        self._state = self._state.model_copy(update=update)
        return SearchEvent(stage, message, self._state)

    def answered(self, answer: Answer) -> SearchEvent:
        """Give the last event, with the answer and all of its errors, and log what it took."""
        self._state = self._state.model_copy(update={"errors": answer.errors, "execution_time": self._lap("assemble")})
        told = answer.model_copy(update={"execution_time_ms": self.times})
        log_summary(told)
        return replace(SearchEvent("assemble", "Answered", self._state), answer=told)

    def _lap(self, stage: Stage) -> ExecutionTime:
        before, self._last = self._last, self._clock.now()
        function = FUNCTIONS[stage]
        spent = getattr(self.times, function) + _milliseconds((self._last - before).total_seconds())
        total = _milliseconds((self._last - self.begun).total_seconds())
        return self.times.model_copy(update={function: spent, "total": total})


def log_summary(answer: Answer) -> None:
    """Log what a search took and cost."""
    times = answer.execution_time_ms
    _LOG.info(
        "Pipeline completed in %d ms: query translator %d ms, scout %d ms, screener %d ms; %d LLM calls, $%.4f",
        times.total,
        times.query_translator,
        times.scout,
        times.screener,
        answer.usage.llm_calls,
        answer.usage.cost_usd,
    )


def _milliseconds(seconds: float) -> int:
    return round(1000 * seconds)
