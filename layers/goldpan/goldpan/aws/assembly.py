"""The last stage: assemble the answer of all kinds, cache it, and release the lock of the search."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from goldpan.aws.events import AssembleEvent, KindOutcome
from goldpan.aws.kept import keep, read_kept
from goldpan.aws.stages import ROUND
from goldpan.aws.telemetry import measure_response
from goldpan.contracts import ExecutionTime, SearchRequest, parse_request
from goldpan.contracts.request import require_waiting
from goldpan.engine import answers
from goldpan.engine.answer_cache import AnswerCache
from goldpan.engine.answers import page_of
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.problem_details import Response, answered, problem
from goldpan.engine.stage_values import KindFailure, KindResult
from goldpan.errors import Defect, GoldpanError
from goldpan.infra.cache import STALE_TTL
from goldpan.infra.table import BestEffortUpdates, Change
from goldpan.kinds.answer import Answer

COUNTER_RETENTION = STALE_TTL + timedelta(hours=1)
"""How long a counter of requests is kept after its last count: until after its day, when it is no longer read."""


def assemble(event: AssembleEvent, shared: Dependencies | None) -> Response:
    """Assemble the answer of all kinds and cache it, or describe the terminal error; release the lock of the search.

    The response of one round of a search has the key of its body: the next round reads all of its results. That of a
    warm-up has no answer: as a text within texts it could exceed what a state carries, and only its status is read.
    """
    answer, is_round = None, ROUND.fullmatch(event.execution)
    try:
        request, whole = _answer(event, shared)
        answer = whole if is_round else page_of(whole, request)
        response = answered(answer.to_json())
        if not is_round:
            _record(event, request, whole, shared)
    except GoldpanError as error:
        response = problem(error, datetime.now(UTC))
    finally:
        if event.key and shared and shared.locks:
            shared.locks.release(event.key, event.owner)
    measure_response(response, answer)
    if event.refresh:
        return response.model_copy(update={"body": "{}"})
    return response.model_copy(update={"body": keep(response.body, shared)}) if is_round else response


def _answer(event: AssembleEvent, shared: Dependencies | None) -> tuple[SearchRequest, Answer]:
    """Return the request, and the answer with all results; with one page of a kind whose others were lost."""
    now, outcomes = datetime.now(UTC), [_whole(outcome, shared) for outcome in event.outcomes]
    answers.raise_terminal_error(outcomes)
    parsed = next((each.request for each in event.outcomes if each.request), None)
    request = parsed or require_waiting(parse_request(event.request))
    if not outcomes:
        raise Defect("no kind was searched, although the request is valid")
    answer = answers.assemble(request, outcomes, execution_time(event, now), now)
    answers.log_summary(answer, answer.execution_time_ms.model_dump(exclude={"total"}))
    return request, answer


def _whole(outcome: KindOutcome, shared: Dependencies | None) -> KindResult | KindFailure:
    kept = read_kept(outcome.whole_key, shared)
    return outcome.unwrap() if kept is None else KindResult.model_validate_json(kept)


def execution_time(event: AssembleEvent, now: datetime) -> ExecutionTime:
    """Divide the time since the start among the functions; kinds run side by side, so the slowest counts."""
    translated = max((each.translated_at for each in event.outcomes if each.translated_at), default=event.started_at)
    scouted = max((each.scouted_at for each in event.outcomes if each.scouted_at), default=translated)
    times = (event.started_at, translated, scouted, now)
    spent = [max(0, round(1000 * (end - begin).total_seconds())) for begin, end in pairwise(times)]
    total = max(0, round(1000 * (now - event.started_at).total_seconds()))
    return ExecutionTime(query_translator=spent[0], scout=spent[1], screener=spent[2], total=total)


def _record(event: AssembleEvent, request: SearchRequest, answer: Answer, shared: Dependencies | None) -> None:
    """Cache the answer, and count its request; warm-ups are not counted."""
    if shared is None or not event.key:
        return
    if shared.cache:
        AnswerCache(shared.cache, shared.clock).put(event.key, request, answer)
    if shared.popularity and not event.refresh:
        count_request(shared.popularity, event.key, event.request_text, shared.clock.now())


def count_request(counters: BestEffortUpdates, key: str, request: str, now: datetime) -> None:
    """Count a request, as JSON text, on its day: an index returns the highest counters of a day.

    The state machine writes items of the same format for answers that it finds in the cache without a function.
    """
    day, digest, ttl = f"{now:%Y-%m-%d}", key.partition(":")[2], int((now + COUNTER_RETENTION).timestamp())
    counters.update(f"asked:{day}:{digest}", Change({"day": day, "request": request, "ttl": ttl}, {"asked": 1}))
