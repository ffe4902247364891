"""AWS as the state machines, the API and the schedules call it: each role allows these calls, and no others."""

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import boto3
import pytest

from tests.contract.openapi.contract import SERVED
from tests.contract.openapi.gateway import ACCEPTING, MACHINE, item_key, sent
from tests.contract.stack.documents import ACCEPT, ROUNDS, SEARCH, WARM_UP, evaluate, read, resources, states
from tests.contract.stack.grants import ACCOUNT, REGION, Call, Values, check
from tests.e2e.comparison import CachedStack
from tests.support.dynamodb_service import TABLES
from tests.support.recorded_calls import RecordedCalls, calls_of
from tests.support.search_fakes import QUESTION
from tests.support.state_machine import FUNCTIONS, SEARCH_ARN, Execution, WarmUps, accept_machine, rounds_machine

LAMBDA = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function"
VALUES = {f"{table}.Arn": f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{name}" for table, name in TABLES.items()}
VALUES |= {f"{logical_id}.Arn": f"{LAMBDA}:{name}" for logical_id, name in FUNCTIONS.items()}
ROUNDS_ARN = f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:rounds"
WITHOUT_WAITING = {"Prefer": "respond-async"}
TARGETS = {"WarmUpMachine": "states", "RefreshFunction.Arn": "lambda"}
STARTS = {"states": "states:StartExecution", "lambda": "lambda:InvokeFunction"}
"""What EventBridge Scheduler calls, by the service of a target."""


@pytest.fixture
def recorded(cached_stack: CachedStack) -> Iterator[RecordedCalls]:
    """Record what Step Functions calls by its own client, and nothing of the functions."""
    recorded, platform = RecordedCalls(), cached_stack.stack.platform
    platform.clients["dynamodb"] = client = boto3.client("dynamodb", region_name=REGION)
    recorded.clients[id(client)] = "machine"
    with recorded.installed():
        yield recorded
    platform.clients.clear()


def unentered(machine: Any, executions: list[Execution]) -> list[str]:
    """Return the states of a machine that call DynamoDB and that no execution entered."""
    entered = {state for execution in executions for state in execution.states()}
    return [name for name, state in states(machine) if "dynamodb" in state.get("Resource", "") and name not in entered]


def test_the_role_of_the_search_allows_the_calls_of_its_machine(
    cached_stack: CachedStack, recorded: RecordedCalls
) -> None:
    """A search without waiting, a cached answer and a project of a library; functions are called by version."""
    fakes, value = cached_stack.fakes(), {"request": {"query": QUESTION}}
    executions = [cached_stack.stack.execute(fakes, value, name="async_7").execution]
    called = {name for name, _ in cached_stack.stack.platform.functions.calls}
    executions.append(cached_stack.search().execution)
    request = {"query": "graphs", "kinds": ["papers"], "project_id": "thesis"}
    executions.append(cached_stack.stack.execute(cached_stack.fakes(), {"request": request}).execution)
    assert unentered(read(SEARCH), executions) == []
    calls = [Call("lambda:InvokeFunction", f"{LAMBDA}:{name}:1") for name in called]
    check("SearchMachineRole", recorded.calls["machine"] + calls, VALUES)


def test_the_role_of_what_accepts_searches_allows_its_calls(cached_stack: CachedStack, recorded: RecordedCalls) -> None:
    """It makes the item of a search, and starts that."""
    cached_stack.stack.platform.clients["stepfunctions"] = SimpleNamespace(start_execution=lambda **_: {})
    accepted = accept_machine(cached_stack.stack.platform).run(
        json.loads(sent("/search", "{}", **WITHOUT_WAITING)["input"])
    )
    assert (accepted.status, unentered(read(ACCEPT), [accepted])) == ("SUCCEEDED", [])
    calls = [*recorded.calls["machine"], *(Call("states:StartExecution", machine) for machine in (MACHINE, ROUNDS_ARN))]
    check("AcceptMachineRole", calls, VALUES | {"SearchMachine": MACHINE, "RoundsMachine": ROUNDS_ARN})


def test_the_role_of_the_rounds_allows_the_calls_of_their_machine(
    cached_stack: CachedStack, recorded: RecordedCalls
) -> None:
    """It calls the screener by version, starts searches, and stores the response, here that of a refused request."""
    fakes = cached_stack.fakes()
    with cached_stack.stack.prepared(fakes, wait=fakes.clock.wait):
        ended = rounds_machine(cached_stack.stack.platform).run({"id": "7", "input": {"request": {}}})
    assert unentered(read(ROUNDS), [ended]) == []
    calls = [Call("lambda:InvokeFunction", f"{LAMBDA}:screener:1"), Call("states:StartSyncExecution", SEARCH_ARN)]
    check("RoundsMachineRole", recorded.calls["machine"] + calls, VALUES | {"SearchMachine": SEARCH_ARN})


def test_the_role_of_the_warm_ups_allows_the_calls_of_its_machine(
    cached_stack: CachedStack, recorded: RecordedCalls
) -> None:
    """It reads the popular requests of a day, and starts searches for listed questions."""
    warm_ups = WarmUps(cached_stack.stack.platform)
    assert unentered(read(WARM_UP), [warm_ups.run(questions=["rust web framework"])]) == []
    assert warm_ups.searches.questions() == ["rust web framework"]
    calls = [*recorded.calls["machine"], Call("states:StartSyncExecution", SEARCH_ARN)]
    check("WarmUpMachineRole", calls, VALUES | {"SearchMachine": SEARCH_ARN})


def test_the_role_of_the_api_allows_the_calls_of_its_integrations() -> None:
    """Each path with an integration of AWS starts what its template names, by the action in its address."""
    calls = [Call("states:StartSyncExecution", sent("/search", "{}", **WITHOUT_WAITING)["stateMachineArn"])]
    for path, operation in SERVED.items():
        integration = operation["x-amazon-apigateway-integration"]
        action = str(integration.get("uri")).partition(":action/")[2].strip("'}")
        if action == "StartSyncExecution":
            calls.append(Call(f"states:{action}", sent(path, "{}")["stateMachineArn"]))
        elif action:
            calls += calls_of("dynamodb", action, item_key("async_7"))
    check("SearchApiRole", calls, VALUES | {"SearchMachine": MACHINE, "AcceptMachine": ACCEPTING})


def test_the_role_of_the_schedules_allows_their_targets() -> None:
    """Each schedule starts its target, and keeps what could not be started."""
    arns = {name: f"arn:aws:{service}:{REGION}:{ACCOUNT}:{name}" for name, service in TARGETS.items()}
    values, calls = Values(arns), list[Call]()
    for schedule in resources("AWS::Scheduler::Schedule").values():
        target = evaluate(schedule["Target"]["Arn"], values)
        calls.append(Call(STARTS[target.split(":")[2]], target))
        if "DeadLetterConfig" in schedule["Target"]:
            calls.append(Call("sqs:SendMessage", evaluate(schedule["Target"]["DeadLetterConfig"]["Arn"], values)))
    check("ScheduleRole", calls, values)
