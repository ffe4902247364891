"""The search machine is bounded, retries only what Lambda broke, and catches every terminal error by name."""

import re
from typing import Any

import pytest
from goldpan.aws.stages import ANALYSIS_SECONDS
from goldpan.config import PipelineConfig
from goldpan.contracts.request import MAX_SECONDS, MAX_WAITING_SECONDS
from goldpan.engine.deadlines import STAGE_SECONDS
from goldpan.errors import Overloaded, TerminalError, terminal_errors
from goldpan.infra.locks import LOCK_TTL

from statemachine.generate import DEFINITION, SOURCE, generate, generated_values
from tests.contract.stack.documents import ACCEPT, ROUNDS, SEARCH, function_id, functions, read, resources, states
from tests.contract.stack.inlined import MACHINES
from tests.support.handlers import HANDLERS

MACHINE = read(SEARCH)
STATES = list(states(MACHINE))


ENDING_ERRORS = {error.__name__ for error in terminal_errors() if error not in {TerminalError, Overloaded}}


def _caught(state: dict[str, Any]) -> set[str]:
    return {error for catcher in state.get("Catch", ()) for error in catcher["ErrorEquals"]}


@pytest.mark.parametrize("name", MACHINES)
def test_every_substitution_is_given_and_used(name: str) -> None:
    """Step Functions would refuse the definition, or a state would call what its name says."""
    substituted = set(re.findall(r"\$\{(\w+)\}", MACHINES[name].read_text("utf-8")))
    assert substituted == set(resources("AWS::Serverless::StateMachine")[name]["DefinitionSubstitutions"])


def test_the_definition_is_up_to_date() -> None:
    """`make asl` changes nothing; every value is used, and a tag without a value is an error."""
    source, values = SOURCE.read_text("utf-8"), generated_values()
    assert generate(source, values) == DEFINITION.read_text("utf-8")
    assert set(re.findall(r"!generated ([a-z ]+)$", source, re.MULTILINE)) == values.keys()
    del values["ending errors"]
    with pytest.raises(KeyError, match="ending errors"):
        generate(source, values)


def test_a_task_is_bounded() -> None:
    """A task outlasts its stage, which reports why it ended; only errors of AWS itself are retried."""
    for name, state in STATES:
        for retrier in state.get("Retry", ()):
            assert all(error.startswith(("Lambda.", "DynamoDB.")) for error in retrier["ErrorEquals"]), name
            assert retrier["MaxAttempts"] <= 2, name
        function = str(state.get("Resource")).strip("${}")
        if function in functions() and "begin" not in state["Parameters"].values():
            longest = max(STAGE_SECONDS[stage] for stage in STAGE_SECONDS if function_id(HANDLERS[stage]) == function)
            longest = ANALYSIS_SECONDS if state["Parameters"]["stage"] == "analyze" else longest
            assert state["TimeoutSeconds"] > 1 + longest, name
        elif state["Type"] == "Task":
            assert state["TimeoutSeconds"] <= 7, f"{name} only saves work, so it must not cost much time"


def test_every_failure_is_caught() -> None:
    """Also what was retried in vain; no failure ends without problem details, and a task by a terminal error alone."""
    for name, state in STATES:
        retried = {error for retrier in state.get("Retry", ()) for error in retrier["ErrorEquals"]}
        assert retried <= _caught(state) or "States.ALL" in _caught(state), name
        assert all(retrier["JitterStrategy"] == "FULL" for retrier in state.get("Retry", ())), name
        assert "States.ALL" in _caught(state) or state["Type"] not in {"Task", "Map", "Parallel"}, name
        named = {error for error in _caught(state) if "." not in error}
        expected = {"Begin the search": {*ENDING_ERRORS, "Overloaded"}}
        expected |= dict.fromkeys(("Scout a strategy", "Score a candidate"), ENDING_ERRORS)
        assert named == expected.get(name, set())


def test_the_limits_are_nested() -> None:
    """A call ends before its stage, stages and rounds before their execution, that before the lock and the API."""
    longest, accepted = MAX_WAITING_SECONDS, read(ACCEPT)["States"]
    rounds = read(ROUNDS)
    assert MAX_SECONDS < rounds["TimeoutSeconds"] <= 300 < accepted["Allow several rounds"]["Result"]
    assert MACHINE["TimeoutSeconds"] < rounds["States"]["Run the round"]["TimeoutSeconds"]
    several = accepted["How long may it take?"]["Choices"][0]["And"]
    assert several[2]["NumericGreaterThan"] == longest
    assert several[3]["NumericLessThanEquals"] == MAX_SECONDS
    assert PipelineConfig().llm_timeout_seconds < STAGE_SECONDS["score"]
    assert max(longest, sum(STAGE_SECONDS.values())) < MACHINE["TimeoutSeconds"] < 29
    assert MACHINE["TimeoutSeconds"] < LOCK_TTL.total_seconds(), "two executions would run the same search"
