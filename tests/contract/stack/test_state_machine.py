"""The search machine is bounded, retries only what Lambda broke, and catches every terminal error by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from goldpan.config import PipelineConfig
from goldpan.contracts import SearchRequest
from goldpan.engine.deadlines import STAGE_SECONDS
from goldpan.errors import TerminalError

from tests.contract.stack.documents import SEARCH, functions, read, resources, states, strings, text

MACHINE = read(SEARCH)
STATES = list(states(MACHINE))
TASKS = [(name, state) for name, state in STATES if state["Type"] == "Task"]
BY_TASK = pytest.mark.parametrize(("name", "state"), TASKS, ids=[name for name, _ in TASKS])
LAMBDA_ERRORS = {
    "Lambda.AWSLambdaException", "Lambda.ClientExecutionTimeoutException", "Lambda.SdkClientException",
    "Lambda.ServiceException", "Lambda.TooManyRequestsException",
    "Lambda.SnapStartException", "Lambda.SnapStartNotReadyException", "Lambda.SnapStartTimeoutException",
}  # fmt: skip
"""Lambda's own service errors: the function did not run, or its response was lost."""
GATEWAY_SECONDS = 29


def _leaves(root: type[Exception]) -> Iterator[str]:
    for below in root.__subclasses__():
        yield below.__name__
        yield from _leaves(below)


TERMINAL_ERRORS = set(_leaves(TerminalError))


def _caught(state: dict[str, Any]) -> set[str]:
    return {error for catcher in state.get("Catch", ()) for error in catcher["ErrorEquals"]}


def test_it_is_written_in_json_path_and_explained() -> None:
    """The simulation of the end-to-end tests reads JSONPath only; names and comments explain every state."""
    assert MACHINE["QueryLanguage"] == "JSONPath"
    assert [name for name, state in STATES if "QueryLanguage" in state] == []
    assert [each for each in strings(MACHINE) if each.startswith("{%")] == []
    names = [name for name, _ in STATES]
    assert sorted(set(names)) == sorted(names), "two states with one name look alike in a log"
    for name, state in STATES:
        assert state["Comment"].endswith("."), name
        assert name.endswith("?") == (state["Type"] == "Choice"), name


def test_every_substitution_is_given_and_used() -> None:
    """The template gives what the definition needs: the functions, two tables and the versions."""
    substituted = set(re.findall(r"\$\{(\w+)\}", SEARCH.read_text("utf-8")))
    assert substituted == set(resources("AWS::Serverless::StateMachine")["SearchMachine"]["DefinitionSubstitutions"])
    assert substituted == {*functions(), "CacheTable", "PopularityTable", "SearchVersion"}


def test_the_key_is_computed_the_same_way_twice() -> None:
    """An answer is stored under the key by which it is looked up."""
    keys = {" ".join(each.split()) for each in strings(MACHINE) if "States.Hash" in each}
    assert len(keys) == 1
    assert "'${SearchVersion}'" in keys.pop()


def test_retries_are_for_errors_of_lambda_itself() -> None:
    """A function that failed would fail again, and the time is short."""
    retries = [(name, retrier) for name, state in STATES for retrier in state.get("Retry", ())]
    assert retries
    for name, retrier in retries:
        assert set(retrier["ErrorEquals"]) == LAMBDA_ERRORS, name
        assert retrier["MaxAttempts"] <= 2, name


@BY_TASK
def test_a_task_is_bounded(name: str, state: dict[str, Any]) -> None:
    """A state waits longer than its function may run, so that the function can report why it ended."""
    function = str(state["Resource"]).strip("${}")
    if function in functions() and "begin" not in state["Parameters"].values():
        assert state["TimeoutSeconds"] > functions()[function]["Timeout"], name
    else:
        assert state["TimeoutSeconds"] <= 7, "what only saves work must not cost much time"


def test_the_limits_are_nested() -> None:
    """A call ends before its stage; the stages and the longest request end before the machine, that before the API."""
    [longest] = [limit.le for limit in SearchRequest.model_fields["max_seconds"].metadata if hasattr(limit, "le")]
    assert PipelineConfig().llm_timeout_seconds < STAGE_SECONDS["score"]
    assert max(longest, sum(STAGE_SECONDS.values())) < MACHINE["TimeoutSeconds"] < GATEWAY_SECONDS


def test_every_terminal_error_is_caught_by_its_name() -> None:
    """Where one is caught by name all are, except for a part of a search that is lost by `Overloaded` alone."""
    caught = [{error for error in _caught(state) if "." not in error} for _, state in STATES]
    assert [errors for errors in caught if errors not in (set(), {"Overloaded"}, TERMINAL_ERRORS)] == []
    assert TERMINAL_ERRORS in caught


def test_every_failure_is_caught() -> None:
    """No failure ends the execution, which would leave the caller without problem details."""
    for name, state in MACHINE["States"].items():
        if state["Type"] in {"Task", "Map", "Parallel"}:
            assert "States.ALL" in _caught(state), name


def test_every_state_is_reached() -> None:
    """No state is left over from an earlier version of the flow."""
    assert {name for name, _ in STATES} == set(_targets(MACHINE))


def _targets(machine: dict[str, Any]) -> Iterator[str]:
    yield machine["StartAt"]
    for state in machine["States"].values():
        for holder in (state, *state.get("Choices", ()), *state.get("Catch", ())):
            yield from (holder[key] for key in ("Next", "Default") if key in holder)
        for inner in (state.get("ItemProcessor"), *state.get("Branches", ())):
            if inner is not None:
                yield from _targets(inner)


def test_the_diagram_names_states_that_exist() -> None:
    """docs/architecture.md draws the way of a search, with the names of the states."""
    section = text("docs/architecture.md").partition("## The state machine")[2].partition("## ")[0]
    drawn = set(re.findall(r"\w+ ?\[([A-Z][a-z ]+)\]", section))
    assert len(drawn) >= 12
    assert drawn <= {name for name, _ in STATES}
