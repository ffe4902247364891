"""The simulated AWS itself: what the other tests rely on, seen on small machines of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Deploy
from tests.e2e.lambda_service import PlatformFailure
from tests.e2e.machine import Ended

State = dict[str, Any]
Run = Callable[..., Ended]

SCOUT: State = {"Type": "Task", "Resource": "${ScoutFunction}", "TimeoutSeconds": 1, "End": True}
DONE: State = {"Type": "Pass", "End": True}


def over(items: str, states: dict[str, State], **more: object) -> State:
    """Make a Map state over these items; the first state of an iteration is the first named."""
    inner = {"ProcessorConfig": {"Mode": "INLINE"}, "StartAt": next(iter(states)), "States": states}
    return {"Type": "Map", "ItemsPath": items, "ItemProcessor": inner, "End": True, **more}


def caught(*names: str) -> list[State]:
    """Make a Catch that keeps the error beside the input."""
    return [{"ErrorEquals": list(names), "ResultPath": "$.failure", "Next": "Done"}]


@pytest.fixture
def run(deploy: Deploy, tmp_path: Path) -> Run:
    """Give a function that runs a machine of the given states, with one handler and perhaps a failure."""

    def ran(states: dict[str, State], given: Any, handler: Any, failure: PlatformFailure | None = None) -> Ended:
        definition = tmp_path / "machine.json"
        definition.write_text(json.dumps({"StartAt": next(iter(states)), "States": states}), encoding="utf-8")
        machine = deploy({"scout": handler}, definition)
        if failure:
            machine.functions.fail(failure)
        return machine.run(given)

    return ran


def refuse(_event: Any, _context: Any) -> None:
    """Raise, as a door does."""
    raise PermissionError("the key is wrong: für ö")


def test_an_error_keeps_its_name_through_nested_maps(run: Run) -> None:
    """A Catch on the outermost Map sees the class and the message of what a handler raised two Maps below."""
    inner = over("$.tasks", {"Scout": SCOUT})
    outer = over("$.kinds", {"Each": inner}, Catch=caught("PermissionError"))
    ended = run({"Lines": outer, "Done": DONE}, {"kinds": [{"tasks": [1, 2]}]}, refuse)
    assert ended.output["failure"]["Error"] == "PermissionError"
    assert json.loads(ended.output["failure"]["Cause"])["errorMessage"] == "the key is wrong: für ö"
    assert ended.problems[0].error == "PermissionError"


@pytest.mark.parametrize("name", ["Sandbox.Timedout", "Runtime.ExitError", "Lambda.TooManyRequestsException"])
def test_a_failure_of_the_platform_is_caught_inside_the_iteration(run: Run, name: str) -> None:
    """Where the platform fails for one item, the other items have their results."""
    states = {"Scout": SCOUT | {"Catch": caught(name)}, "Done": DONE}
    failure = PlatformFailure("scout", name, where={"n": 2})
    ended = run({"Each": over("$", states)}, [{"n": 1}, {"n": 2}], lambda event, _: event, failure)
    assert ended.output[0] == {"n": 1}
    assert ended.output[1]["failure"]["Error"] == name


def test_a_retry_meets_a_platform_that_works_again(run: Run) -> None:
    """A Retry on the service's own errors calls the function once more."""
    retry = {"ErrorEquals": ["Lambda.ServiceException"], "IntervalSeconds": 1, "MaxAttempts": 1}
    failure = PlatformFailure("scout", "Lambda.ServiceException", times=1)
    ended = run({"Scout": SCOUT | {"Retry": [retry]}}, {}, lambda *_: {"answered": True}, failure)
    assert ended.output == {"answered": True}


def test_a_payload_that_is_too_large_is_found(run: Run) -> None:
    """A value of more than 256 KiB is named with its state, though the simulator lets an input pass."""
    ended = run({"Scout": SCOUT}, {"text": "x" * 262_144}, lambda *_: {})
    assert {"TaskStateEntered", "LambdaFunctionScheduled"} <= {
        large.moment for large in ended.oversized() if large.state == "Scout"
    }


def test_an_error_that_nothing_catches_on_aws_is_found(run: Run) -> None:
    """Results of more than 256 KiB together count as fatal, though the simulator lets an outer Map catch them."""
    line = over("$.tasks", {"Scout": SCOUT})
    lines = over("$.kinds", {"Each": line}, Catch=caught("States.ALL"))
    given = {"kinds": [{"tasks": [1, 2]}]}
    ended = run({"Lines": lines, "Done": DONE}, given, lambda *_: {"text": "x" * 150_000})
    assert ended.status == "SUCCEEDED"
    assert ended.fatal()


@pytest.mark.parametrize(
    ("result", "error"),
    [
        ({1, 2}, "Runtime.MarshalError"),
        (float("nan"), "Runtime.MarshalError"),
        ("x" * 6_291_557, "Function.ResponseSizeTooLarge"),
    ],
)
def test_a_result_that_lambda_refuses_is_an_error(run: Run, result: object, error: str) -> None:
    """What is no JSON, or over 6 MB, comes back as the error that Lambda makes of it."""
    assert run({"Scout": SCOUT}, {}, lambda *_: result).error == error
