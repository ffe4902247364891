"""One search on two sides: the state machine with its doors, and `pipeline.search`; each with fakes of its own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from goldpan.bootstrap import DEPLOYED_SOURCES
from goldpan.contracts import Answer, ExecutionTime, parse_request
from goldpan.engine.pipeline import search
from goldpan.engine.problem_details import ANSWER_TYPE, PROBLEM_TYPE, Response, problem
from goldpan.errors import Defect, GoldpanError

from tests.e2e.doors import Doors, stage_of, written
from tests.e2e.fakes import QUESTION, Fakes
from tests.e2e.lambda_service import PlatformFailure
from tests.e2e.machine import Ended, Machine

NO_TIME = datetime(2026, 1, 1, tzinfo=UTC)
SECONDS_APART = 5
"""How much later the second side of a comparison may end."""


@dataclass(frozen=True)
class Searched:
    """A search on the state machine.

    Attributes:
        ended: The execution.
        response: What it ended with.
        calls: How often each stage was called.
        repeated: The stages of which a call was made twice.
    """

    ended: Ended
    response: Response
    calls: Mapping[str, int]
    repeated: tuple[str, ...]

    @property
    def answer(self) -> Answer:
        """Give the answer without its times."""
        assert self.response.statusCode == 200, self.response.body
        return timeless(Answer.model_validate_json(self.response.body))

    @property
    def problem(self) -> Mapping[str, Any]:
        """Give the problem details."""
        assert self.response.contentType == PROBLEM_TYPE, self.response.body
        details: dict[str, Any] = json.loads(self.response.body)
        return details


class Stack:
    """The machine and its doors."""

    def __init__(self, machine: Machine, doors: Doors) -> None:
        self.machine, self._doors = machine, doors
        machine.functions.handlers.update(doors.handlers)

    def search(self, fakes: Fakes, *failures: PlatformFailure, **fields: Any) -> Searched:
        """Search with the machine, on a platform that fails in these ways."""
        return self.execute(fakes, {"request": {"query": QUESTION, **fields}}, *failures)

    def execute(self, fakes: Fakes, given: Any, *failures: PlatformFailure) -> Searched:
        """Run the machine on an input, and see that it ends as every execution does."""
        [searched] = self.crowd(fakes, given, *failures)
        return searched

    def crowd(self, fakes: Fakes, given: Any, *failures: PlatformFailure, size: int = 1) -> list[Searched]:
        """Run the machine on an input so many times at once; all have the calls of all."""
        functions = self.machine.functions
        functions.reset()
        for failure in failures:
            functions.fail(failure)
        self._doors.make_container(fakes)
        with ThreadPoolExecutor(size) as askers:
            executions = list(askers.map(self.machine.run, [given] * size))
        return [self._seen(ended) for ended in executions]

    def _seen(self, ended: Ended) -> Searched:
        """See that an execution ended as every one does."""
        assert ended.status == "SUCCEEDED", (ended.error, ended.cause)
        assert not ended.fatal(), ended.fatal()
        assert not ended.oversized(), [(large.state, large.moment, large.size) for large in ended.oversized()]
        assert ended.output.keys() == Response.model_fields.keys()
        response = Response.model_validate(ended.output)
        assert response.contentType == (ANSWER_TYPE if response.statusCode == 200 else PROBLEM_TYPE)
        assert isinstance(json.loads(response.body), dict)
        calls = self.machine.functions.calls
        again = [json.loads(call)[1]["stage"] for call, times in Counter(map(written, calls)).items() if times > 1]
        return Searched(ended, response, Counter(map(stage_of, calls)), tuple(again))

    def same(self, fakes: Callable[[], Fakes] = Fakes, **fields: Any) -> Searched:
        """Search on both sides, and see that both give the same, and that no call is made twice."""
        return self.same_of(fakes, {"query": QUESTION, **fields})

    def same_of(self, fakes: Callable[[], Fakes], request: Any) -> Searched:
        """Search on both sides for a request as it came in."""
        with ThreadPoolExecutor(1) as one_machine:  # meanwhile, for both may have to wait
            expecting = one_machine.submit(on_one_machine, fakes(), request)
            searched = self.execute(fakes(), {"request": request})
            expected = expecting.result()
        assert not {*searched.repeated} - {"begin"}
        if isinstance(expected, Answer):
            assert searched.answer == timeless(expected)
            assert Answer.model_validate_json(searched.response.body).to_json() == searched.response.body
        else:
            assert searched.problem == json.loads(expected.body)
            assert searched.response.statusCode == expected.statusCode
            assert abs(int(searched.response.retryAfter or 0) - int(expected.retryAfter or 0)) <= SECONDS_APART
        return searched


def on_one_machine(fakes: Fakes, request: Any) -> Answer | Response:
    """Search with `pipeline.search`: its answer, or the problem details of what ended it."""
    try:
        return search(parse_request(request), fakes.all(), sources=DEPLOYED_SOURCES)
    except GoldpanError as ending:
        return problem(ending, datetime.now(UTC))
    except Exception as broken:  # noqa: BLE001 - whatever else is raised is a defect
        return problem(Defect(str(broken)), datetime.now(UTC))


def timeless(answer: Answer) -> Answer:
    """Give an answer without its times."""
    errors = tuple(error.model_copy(update={"timestamp": NO_TIME}) for error in answer.errors)
    return answer.model_copy(update={"execution_time_ms": ExecutionTime(), "answered_at": NO_TIME, "errors": errors})
