"""The same search on both sides, the state machine with its handlers and the pipeline, each with fakes of its own."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

from goldpan.aws.bootstrap import open_shared_stores
from goldpan.contracts import ExecutionTime, parse_request
from goldpan.engine import pipeline
from goldpan.engine.answers import page_of
from goldpan.engine.problem_details import Response, problem
from goldpan.errors import Defect, GoldpanError
from goldpan.kinds.answer import Answer

from tests.contract.openapi.gateway import execution as execution_result
from tests.contract.openapi.gateway import reply
from tests.support.dynamodb_service import TABLES
from tests.support.handlers import FUNCTIONS, Context, PlatformFailure, fixed_container, load_function
from tests.support.search_fakes import QUESTION, Fakes, FakeSource, SharedClock, repositories
from tests.support.simulated_aws import Platform
from tests.support.state_machine import Execution, StateMachine

import_module("aws_xray_sdk.core")  # makes a UDP socket at its import, which no test may do
NO_TIME = datetime(2026, 1, 1, tzinfo=UTC)
RETRY_AFTER_TOLERANCE = 60
"""Seconds that the second side may be slower on a busy machine; the limits in the tests end in an hour."""


@dataclass(frozen=True)
class Searched:
    """A search on the state machine: its execution, its response, the calls of each stage, and the repeated ones."""

    execution: Execution
    response: Response
    calls: Mapping[str, int]
    repeated: tuple[str, ...]

    @property
    def answer(self) -> Answer:
        """The answer without its times."""
        assert self.response.statusCode == 200, self.response.body
        return without_times(Answer.model_validate_json(self.response.body))

    @property
    def problem(self) -> Mapping[str, Any]:
        """The problem details."""
        assert self.response.contentType == "application/problem+json", self.response.body
        details: dict[str, Any] = json.loads(self.response.body)
        return details

    @property
    def statuses(self) -> dict[str, str]:
        """The status of each strategy."""
        return {row.strategy: row.status for row in self.answer.sources}

    @property
    def results(self) -> dict[str, Any]:
        """The ranked repositories by name, best first."""
        section = self.answer.sections["repositories"]
        return {result.name: result for result in section.results}


class Stack:
    """The state machine with the real handlers on a simulated platform."""

    def __init__(self, platform: Platform, machine: StateMachine) -> None:
        self.platform, self.machine = platform, machine
        self._modules = {name: load_function(name) for name in FUNCTIONS}
        platform.functions.handlers.update({name: module.handler for name, module in self._modules.items()})
        for module in self._modules.values():
            with suppress(Defect):  # loads Powertools, which two threads must not do at once
                module.handler({}, Context())

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events of all calls of the last search."""
        return [event for _, event in self.platform.functions.calls]

    def search(self, fakes: Fakes, *failures: PlatformFailure, **fields: Any) -> Searched:
        """Search on a platform that fails in these ways."""
        return self.execute(fakes, {"request": {"query": QUESTION, **fields}}, *failures)

    def execute(self, fakes: Fakes, value: Any, *failures: PlatformFailure, name: str | None = None) -> Searched:
        """Run an execution with this input, and with a name if given; a wait or a retry moves the clock."""
        with self.prepared(fakes, *failures, wait=fakes.clock.wait):
            return self._checked(self.machine.run(value, name))

    def crowd(self, fakes: Fakes, value: Any, *failures: PlatformFailure, size: int) -> list[Searched]:
        """Run several executions at once; each result has the calls of all. A wait does not move the clock."""
        with self.prepared(fakes, *failures, wait=lambda _: time.sleep(0.2)), ThreadPoolExecutor(size) as clients:
            executions = list(clients.map(self.machine.run, [value] * size))
            return [self._checked(execution) for execution in executions]

    def same(self, fakes: Callable[[], Fakes] = Fakes, **fields: Any) -> Searched:
        """Search on both sides, and assert that both give the same and that no call is made twice."""
        expected = run_pipeline(fakes(), {"query": QUESTION, **fields})
        searched = self.search(fakes(), **fields)
        assert not searched.repeated
        if isinstance(expected, Answer):
            assert searched.answer == without_times(expected)
            assert Answer.model_validate_json(searched.response.body).to_json() == searched.response.body
        else:
            assert searched.problem == json.loads(expected.body)
            assert searched.response.statusCode == expected.statusCode
            seconds = [int(each.retryAfter or 0) for each in (searched.response, expected)]
            assert abs(seconds[0] - seconds[1]) <= RETRY_AFTER_TOLERANCE
        return searched

    @contextmanager
    def prepared(self, fakes: Fakes, *failures: PlatformFailure, wait: Callable[[float], None]) -> Iterator[None]:
        """Let the handlers reach these fakes, on a platform that fails in these ways."""
        self.platform.functions.reset(*failures)
        self.platform.now, self.platform.wait = fakes.clock.now, wait
        for name, module in self._modules.items():
            module.CONTAINER = fixed_container(fakes.dependencies(name))  # type: ignore[attr-defined]
        yield

    def _checked(self, execution: Execution) -> Searched:
        """Assert that an execution ended as every one does, and return the response that the API makes of it."""
        assert not execution.uncatchable()
        assert not execution.oversized()
        if execution.status == "SUCCEEDED":
            assert execution.output.keys() == {"statusCode", "contentType", "retryAfter", "body"}
            response = Response.model_validate(execution.output)
        else:
            assert execution.states()[-1:] == ["Report the failure"], (execution.error, execution.output)
            given = reply(execution_result(execution.status, error=str(execution.error)))  # of the gateway
            kind, retry = given.headers["Content-Type"], given.headers.get("Retry-After", "")
            response = Response(statusCode=given.status, contentType=kind, retryAfter=retry, body=given.body.strip())
        media = "application/json" if response.statusCode == 200 else "application/problem+json"
        assert response.contentType == media
        assert isinstance(json.loads(response.body), dict)
        calls = self.platform.functions.calls
        counted = Counter(json.dumps(call, sort_keys=True) for call in calls)
        repeated = tuple(json.loads(call)[1]["stage"] for call, times in counted.items() if times > 1)
        return Searched(execution, response, Counter(str(event["stage"]) for _, event in calls), repeated)


def run_pipeline(fakes: Fakes, request: Any) -> Answer | Response:
    """Search with the pipeline: its answer, or the problem details of its terminal error."""
    try:
        asked, dependencies = parse_request(request), fakes.dependencies()
        events = pipeline.run(asked, dependencies, sources=tuple(dependencies.sources))
        answer = [page_of(event.answer, asked) for event in events if event.answer][-1]
    except GoldpanError as error:
        return problem(error, datetime.now(UTC))
    return answer


def without_times(answer: Answer) -> Answer:
    """Return an answer without its times."""
    errors = tuple(error.model_copy(update={"timestamp": NO_TIME}) for error in answer.errors)
    sources = tuple(row.model_copy(update={"duration_ms": None}) for row in answer.sources)
    times = {"execution_time_ms": ExecutionTime(), "answered_at": NO_TIME}
    return answer.model_copy(update={**times, "errors": errors, "sources": sources})


CACHE, BUDGET, POPULARITY = TABLES["CacheTable"], TABLES["BudgetTable"], TABLES["PopularityTable"]
Item = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class CachedStack:
    """The stack and a client of its tables."""

    stack: Stack
    client: Any

    def search(self, fakes: Fakes | None = None, *, refresh: bool = False, **fields: Any) -> Searched:
        """Search for the question, or for what the fields say."""
        value = {"request": {"query": QUESTION, **fields}, **({"refresh": True} if refresh else {})}
        return self.stack.execute(fakes or self.fakes(), value)

    def fakes(self, **parts: Any) -> Fakes:
        """Make fakes whose stores are the tables."""
        clock = SharedClock()
        stores = {name: open_shared_stores([name], clock, lambda _: None, {})[0] for name in FUNCTIONS}
        return Fakes(**{"sources": {"github": FakeSource(repositories(1))}, **parts}, clock=clock, stores=stores)

    def items(self, table: str, prefix: str = "") -> list[Item]:
        """Return the items of a table whose key has the prefix."""
        found: list[Item] = self.client.scan(TableName=table)["Items"]
        return [item for item in found if item["pk"]["S"].startswith(prefix)]

    def answers(self) -> list[Item]:
        """Return the cached pages of answers."""
        return self.items(CACHE, "answer:")

    def delete_answers(self) -> str:
        """Delete the cached pages, and the answer with all results, whose key is returned."""
        [whole] = self.items(CACHE, "search:")
        for item in (whole, *self.answers()):
            self.client.delete_item(TableName=CACHE, Key={"pk": item["pk"]})
        return str(whole["pk"]["S"])
