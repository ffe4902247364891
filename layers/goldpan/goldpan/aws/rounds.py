"""Between the rounds of a search that no client waits for: join their answers, and decide whether another one is run.

Each round is an execution of the search machine, which ends with the key of its response: as a text within texts, a
page alone could exceed what a state carries.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime

from goldpan.aws.events import CombineEvent, CombineResult
from goldpan.aws.failures import kind_failure
from goldpan.aws.kept import keep, read_kept
from goldpan.contracts import SearchRequest, parse_request
from goldpan.engine.answers import page_of
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.payload import RESERVED_BYTES, STATE_BYTES, json_text_size
from goldpan.engine.problem_details import Response, answered, problem
from goldpan.engine.rounds import Rounds, next_request, with_round, without_round
from goldpan.errors import GoldpanError, Overloaded, terminal_error_named
from goldpan.kinds.answer import Answer
from goldpan.known import Known

OK, LOST = 200, "what was found could not be stored"


def combine(event: CombineEvent, shared: Dependencies | None) -> CombineResult:
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
        return CombineResult(number=1, rounds_key="", response=problem(error, datetime.now(UTC)))
    if rounds.answer is not None:
        key = keep(rounds.model_dump_json(), shared) if following else ""
        if read_kept(key, shared) is None:  # the answer is returned, because a further round would lose it
            return CombineResult(number=rounds.count, rounds_key="", response=_response(rounds.answer, request))
    return CombineResult(number=rounds.count + 1, rounds_key=key, request=following)


def _ended(ended: Mapping[str, object], shared: Dependencies | None) -> Response:
    """Return the response of the execution of a round; a problem if it failed, or if its response is lost."""
    if "Output" not in ended:
        failed = kind_failure("", {name: str(ended.get(name, "")) for name in ("Error", "Cause")}, Known())
        return problem(terminal_error_named(failed.error, failed.message), datetime.now(UTC))
    response = Response.model_validate_json(str(ended["Output"]))
    kept = read_kept(response.body, shared)
    return response.model_copy(update={"body": kept.decode()}) if kept else problem(Overloaded(LOST), datetime.now(UTC))


def _response(whole: Answer, request: SearchRequest) -> Response:
    """Return the page of an answer; half of it, with a warning, and so on, if no state could carry it."""
    body, count = page_of(whole, request).to_json(), request.max_results
    while json_text_size(body) > STATE_BYTES - RESERVED_BYTES and count > 1:
        count //= 2
        note = f"This page has {count} results of each kind at most: no more fit."
        part = page_of(whole, request.model_copy(update={"max_results": count}))
        body = part.model_copy(update={"warnings": (*part.warnings, note)}).to_json()
    return answered(body)
