"""The last stage: assemble the answer of all kinds, cache it, and release the lock of the search."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise

from goldpan.aws.events import AssembleEvent
from goldpan.aws.telemetry import measure_response
from goldpan.contracts import ExecutionTime
from goldpan.engine import answers
from goldpan.engine.answer_cache import AnswerCache
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.problem_details import ANSWER_TYPE, Response, problem
from goldpan.engine.query_string import parse_unmapped
from goldpan.errors import Defect, GoldpanError, Misconfigured, Overloaded
from goldpan.kinds.answer import Answer

MAX_TEXT_BYTES = 160 * 1024
"""A state holds a cached answer as text in JSON, where each quote takes two bytes, and the request twice: 58 KiB."""
_LOG = logging.getLogger(__name__)


def assemble(event: AssembleEvent, dependencies: Callable[[], Dependencies]) -> Response:
    """Assemble the answer of all kinds and cache it, or describe the terminal error; release the lock of the search."""
    answer, shared = None, _try_dependencies(dependencies) if event.key else None
    try:
        answer = _answer(event)
        response = Response(statusCode=200, contentType=ANSWER_TYPE, retryAfter="", body=answer.to_json())
        _record(event, answer, shared)
    except GoldpanError as error:
        response = problem(error, datetime.now(UTC))
    finally:
        if shared and shared.locks:
            shared.locks.release(event.key, event.owner)
    measure_response(response, answer)
    return response


def _answer(event: AssembleEvent) -> Answer:
    now, outcomes = datetime.now(UTC), [outcome.unwrap() for outcome in event.outcomes]
    answers.raise_terminal_error(outcomes)
    request = next((each.request for each in event.outcomes if each.request), None) or parse_unmapped(event.request)
    if not outcomes:
        raise Defect("no kind was searched, although the request is valid")
    answer = answers.assemble(request, outcomes, execution_time(event, now), now)
    answers.log_summary(answer, answer.execution_time_ms.model_dump(exclude={"total"}))
    return answer


def execution_time(event: AssembleEvent, now: datetime) -> ExecutionTime:
    """Divide the time since the start among the functions; kinds run side by side, so the slowest counts."""
    translated = max((each.translated_at for each in event.outcomes if each.translated_at), default=event.started_at)
    scouted = max((each.scouted_at for each in event.outcomes if each.scouted_at), default=translated)
    times = (event.started_at, translated, scouted, now)
    spent = [max(0, round(1000 * (end - begin).total_seconds())) for begin, end in pairwise(times)]
    total = max(0, round(1000 * (now - event.started_at).total_seconds()))
    return ExecutionTime(query_translator=spent[0], scout=spent[1], screener=spent[2], total=total)


def _record(event: AssembleEvent, answer: Answer, shared: Dependencies | None) -> None:
    """Cache the answer if a state can carry it, and count its request; warm-ups are not counted."""
    if shared is None:
        return
    size = len(json.dumps(answer.to_json(), ensure_ascii=False).encode())
    if shared.cache and size <= MAX_TEXT_BYTES:
        AnswerCache(shared.cache, shared.clock).put(event.key, answer)
    if shared.popularity and not event.refresh:
        shared.popularity.count(event.key, event.request_text)


def _try_dependencies(dependencies: Callable[[], Dependencies]) -> Dependencies | None:
    """Make the dependencies; neither a wrong setting nor a throttled SSM may hide the answer or the error to report."""
    try:
        return dependencies()
    except (Misconfigured, Overloaded) as error:
        _LOG.warning("The answer of this search is not cached: %s", error)
        return None
