"""The end of a search: its answer is assembled, cached and counted; of one in several rounds, their answers are joined.

Each round is an execution of the search machine, which ends with the key of its response: as a text within texts, a
page alone could exceed what a state carries.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from goldpan.aws.events import AssembleEvent, CombineEvent, CombineResult, KindOutcome
from goldpan.aws.failures import reported_error
from goldpan.aws.stages import KEPT, ROUND, keep, read_kept
from goldpan.aws.telemetry import measure_response
from goldpan.contracts import SearchRequest, parse_request
from goldpan.contracts.request import require_waiting
from goldpan.engine import answers
from goldpan.engine.answer_cache import AnswerCache, is_complete
from goldpan.engine.answers import page_of
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.events import execution_time, latest
from goldpan.engine.payload import RESERVED_BYTES, STATE_BYTES, json_text_size
from goldpan.engine.problem_details import Response, answered, problem
from goldpan.engine.rounds import Rounds, next_request, with_round, without_round
from goldpan.engine.stage_values import KindFailure, KindResult
from goldpan.errors import Defect, GoldpanError, Overloaded
from goldpan.infra.cache import STALE_TTL
from goldpan.infra.table import BestEffortUpdates, Change
from goldpan.kinds.answer import Answer

COUNTER_RETENTION = STALE_TTL + timedelta(hours=1)
"""How long a counter of requests is kept after its last count: until after its day, when it is no longer read."""
OK, LOST = 200, "what was found could not be stored"


def assemble(event: AssembleEvent, shared: Dependencies) -> Response:
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
        if event.key and shared.locks:
            shared.locks.release(event.key, event.owner)
    measure_response(response, answer)
    if event.refresh:
        return response.model_copy(update={"body": "{}"})
    return response.model_copy(update={"body": keep(response.body, shared)}) if is_round else response


def _answer(event: AssembleEvent, shared: Dependencies) -> tuple[SearchRequest, Answer]:
    """Return the request, and the answer with all results; with one page of a kind whose others were lost."""
    now, outcomes = datetime.now(UTC), [_whole(outcome, shared) for outcome in event.outcomes]
    answers.raise_terminal_error(outcomes)
    parsed = next((each.request for each in event.outcomes if each.request), None)
    request = parsed or require_waiting(parse_request(event.request))
    if not outcomes:
        raise Defect("no kind was searched, although the request is valid")
    times = execution_time(event.started_at, latest(pair for each in event.outcomes for pair in each.ended()), now)
    answer = answers.assemble(request, outcomes, times, now)
    answers.log_summary(answer, answer.execution_time_ms.model_dump(exclude={"total"}))
    return request, answer


def _whole(outcome: KindOutcome, shared: Dependencies) -> KindResult | KindFailure:
    kept = read_kept(outcome.whole_key, shared)
    return outcome.unwrap() if kept is None else KindResult.model_validate_json(kept)


def _record(event: AssembleEvent, request: SearchRequest, answer: Answer, shared: Dependencies) -> None:
    """Cache the answer, and count its request; warm-ups are not counted.

    A warm-up has only a share of the limits, so an incomplete answer of it does not replace that of a client.
    """
    if not event.key:
        return
    if shared.cache and (is_complete(answer) or not event.refresh):
        AnswerCache(shared.cache, shared.clock).put(event.key, request, answer)
    if shared.popularity and not event.refresh:
        count_request(shared.popularity, event.key, event.request_text, shared.clock.now())


def count_request(counters: BestEffortUpdates, key: str, request: str, now: datetime) -> None:
    """Count a request, as JSON text, on its day: an index returns the highest counters of a day.

    The state machine writes items of the same format for answers that it finds in the cache without a function.
    """
    day, digest, ttl = f"{now:%Y-%m-%d}", key.partition(":")[2], int((now + COUNTER_RETENTION).timestamp())
    counters.update(f"asked:{day}:{digest}", Change({"day": day, "request": request, "ttl": ttl}, {"asked": 1}))


def combine(event: CombineEvent, shared: Dependencies) -> CombineResult:
    """Join the last round with those before it; return the request of the next one, or the response to the search."""
    key = ""
    try:
        request, kept = parse_request(event.request), read_kept(event.rounds_key, shared)
        if event.rounds_key and kept is None:
            raise Overloaded(LOST)
        rounds = Rounds() if kept is None else Rounds.model_validate_json(kept)
        if event.round:
            last = _ended(event.round, shared)
            if last.statusCode == OK:
                rounds = with_round(request, rounds, Answer.model_validate_json(last.body))
            elif rounds.answer is None:
                return CombineResult(number=1, rounds_key="", response=last)
            else:
                rounds = without_round(rounds, str(json.loads(last.body)["detail"]))
        spent = (datetime.now(UTC) - event.started_at).total_seconds()
        following = next_request(request, rounds, request.max_seconds - spent)
    except GoldpanError as error:
        return CombineResult(number=1, rounds_key="", response=_problem(error))
    if rounds.answer is not None:
        key = keep(rounds.model_dump_json(), shared) if following else ""
        if read_kept(key, shared) is None:  # the answer is returned, because a further round would lose it
            response = _response(rounds.answer, request, len(json.dumps(event.request)))
            return CombineResult(number=rounds.count, rounds_key="", response=response)
    return CombineResult(number=rounds.count + 1, rounds_key=key, request=following)


def _ended(ended: Mapping[str, object], shared: Dependencies) -> Response:
    """Return the response of the execution of a round; a problem if it failed, or if its response is lost.

    What the machine refuses itself has no key but a body.
    """
    if "Output" not in ended:
        return _problem(reported_error(ended))
    response = Response.model_validate_json(str(ended["Output"]))
    if response.body and not response.body.startswith(KEPT):
        return response
    kept = read_kept(response.body, shared)
    return response.model_copy(update={"body": kept.decode()}) if kept else _problem(Overloaded(LOST))


def _problem(error: GoldpanError) -> Response:
    """Describe an error that no round has described, and count it."""
    response = problem(error, datetime.now(UTC))
    measure_response(response, None)
    return response


def _response(whole: Answer, request: SearchRequest, request_bytes: int) -> Response:
    """Return the page of an answer; half of it, with a warning, and so on, if no state has room beside the request."""
    body, count = page_of(whole, request).to_json(), request.max_results
    while json_text_size(body) > STATE_BYTES - RESERVED_BYTES - request_bytes and count > 1:
        count //= 2
        note = f"This page has {count} results of each kind at most: no more fit."
        part = page_of(whole, request.model_copy(update={"max_results": count}))
        body = part.model_copy(update={"warnings": (*part.warnings, note)}).to_json()
    return answered(body)
