"""One search for all executions with the same request at the same time, and its answer for later ones."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from goldpan.aws.events import AssembleEvent, BeginEvent, BeginResult, Decision
from goldpan.contracts import Answer
from goldpan.engine.deadlines import Clock
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.search import MAX_WAIT_SHARE, AnswerCache
from goldpan.errors import Misconfigured, Overloaded

MAX_TEXT_BYTES = 160 * 1024
"""A state holds a cached answer as text in JSON, where each quote takes two bytes, and the request twice: 58 KiB."""
_LOG = logging.getLogger(__name__)


def begin(event: BeginEvent, dependencies: Dependencies) -> BeginResult:
    """Decide whether to search, to wait for another execution, or to read what another one has just stored."""
    return BeginResult(decision=_decide(event, dependencies), kinds=event.request.kinds)


def _decide(event: BeginEvent, dependencies: Dependencies) -> Decision:
    """An execution that has waited long enough, or could not read what was stored, searches whatever is cached."""
    answers, key, owner = dependencies.answers, event.key, event.owner
    if answers is None or not key:
        return "search"
    if not answers.acquire(key, owner, event.request, event.requested_at):
        return "wait"
    unreadable = event.last_decision == "read"
    if unreadable or _has_waited_long(event, dependencies.clock) or not _is_stored(answers, event):
        return "search"
    answers.release(key, owner)
    return "read"


class AnswerRecorder:
    """Caches the answer of one search and counts its request; without dependencies it does nothing."""

    def __init__(self, event: AssembleEvent, dependencies: Dependencies | None) -> None:
        self._event, self._dependencies = event, dependencies

    def record(self, answer: Answer) -> None:
        """Cache the answer if a state can carry it; warm-ups are not counted as requests."""
        event, dependencies = self._event, self._dependencies
        if dependencies is None:
            return
        size = len(json.dumps(answer.to_json(), ensure_ascii=False).encode())
        if dependencies.answers and size <= MAX_TEXT_BYTES:
            dependencies.answers.put(event.key, answer)
        if dependencies.popularity and not event.refresh:
            dependencies.popularity.count(event.key, event.request_text)

    def release(self) -> None:
        """Let waiting executions search, if they still have to."""
        if self._dependencies and self._dependencies.answers:
            self._dependencies.answers.release(self._event.key, self._event.owner)


@contextmanager
def answer_recorder(event: AssembleEvent, dependencies: Callable[[], Dependencies]) -> Iterator[AnswerRecorder]:
    """Provide the recorder of a search, and release its lock at the end, however the search ends."""
    recorder = AnswerRecorder(event, _try_dependencies(dependencies) if event.key else None)
    try:
        yield recorder
    finally:
        recorder.release()


def _try_dependencies(dependencies: Callable[[], Dependencies]) -> Dependencies | None:
    """Make the dependencies; neither a wrong setting nor a throttled SSM may hide the answer or the error to report."""
    try:
        return dependencies()
    except (Misconfigured, Overloaded) as error:
        _LOG.warning("The answer of this search is not cached: %s", error)
        return None


def _has_waited_long(event: BeginEvent, clock: Clock) -> bool:
    waited = (clock.now() - event.requested_at).total_seconds()
    return waited >= MAX_WAIT_SHARE * event.request.max_seconds


def _is_stored(answers: AnswerCache, event: BeginEvent) -> bool:
    """Return whether there is an answer that was missing when the execution looked; for a warm-up, a newer one."""
    return answers.get(event.key, event.requested_at if event.refresh else None) is not None
