"""The flow on AWS keeps the rules of the house, and names what the template and the code name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from goldpan.config import PipelineConfig
from goldpan.contracts import SearchRequest, parse_request
from goldpan.engine.events import FUNCTIONS
from goldpan.engine.schedule import SECONDS
from goldpan.errors import TerminalError

from tests.contract.stack.documents import FLOW, flow, function_id, functions, resources, states, strings

STATES = list(states(flow()))
TASKS = [(name, state) for name, state in STATES if state["Type"] == "Task"]
BY_STATE = pytest.mark.parametrize(("name", "state"), STATES, ids=[name for name, _ in STATES])
BY_TASK = pytest.mark.parametrize(("name", "state"), TASKS, ids=[name for name, _ in TASKS])
GATEWAY_SECONDS = 29
RETRIED = {
    "Lambda.AWSLambdaException", "Lambda.ClientExecutionTimeoutException", "Lambda.SdkClientException",
    "Lambda.ServiceException", "Lambda.TooManyRequestsException",
    "Lambda.SnapStartException", "Lambda.SnapStartNotReadyException", "Lambda.SnapStartTimeoutException",
}  # fmt: skip
"""Lambda's own service errors: the function has not run, or its answer was lost."""


SERVICES = {
    "Look for the answer": "arn:aws:states:::dynamodb:getItem",
    "Count the asking": "arn:aws:states:::dynamodb:updateItem",
}
"""What the machine does by itself."""
GIVEN_UP_EARLY = {*SERVICES, "Begin the search"}
"""What only saves work: a search does not wait for it longer than that would take."""
FUNCTION_TASKS = [(name, state) for name, state in TASKS if name not in SERVICES]


def _called(state: dict[str, Any]) -> str:
    return str(state["Resource"]).strip("${}")


def _caught(state: dict[str, Any]) -> set[str]:
    return {error for catcher in state.get("Catch", ()) for error in catcher["ErrorEquals"]}


def _endings(root: type[Exception]) -> Iterator[str]:
    for below in root.__subclasses__():
        yield below.__name__
        yield from _endings(below)


ENDINGS = set(_endings(TerminalError))
[LINE] = [state["ItemProcessor"]["States"] for state in flow()["States"].values() if state["Type"] == "Map"]
"""The stages that each kind goes through."""


def test_the_flow_is_written_in_json_path() -> None:
    """One query language, which moto runs offline too; no state has another."""
    assert flow()["QueryLanguage"] == "JSONPath"
    assert [name for name, state in STATES if "QueryLanguage" in state] == []
    assert [text for text in strings(flow()) if text.startswith("{%")] == []


def test_every_substitution_is_used_and_given() -> None:
    """What the flow asks for is what the template puts in."""
    asked = set(re.findall(r"\$\{(\w+)\}", FLOW.read_text("utf-8")))
    assert asked == set(resources("AWS::Serverless::StateMachine")["SearchMachine"]["DefinitionSubstitutions"])
    assert {_called(state) for _, state in FUNCTION_TASKS} | {"CacheTable", "PopularityTable", "SearchVersion"} == asked


def test_what_the_machine_does_by_itself_is_to_read_and_to_count() -> None:
    """It reads what is remembered and counts what is asked; all else is the functions'."""
    assert {name: state["Resource"] for name, state in TASKS if "$" not in state["Resource"]} == SERVICES
    assert {name: state["Parameters"]["TableName"] for name, state in TASKS if name in SERVICES} == {
        "Look for the answer": "${CacheTable}",
        "Count the asking": "${PopularityTable}",
    }


def test_the_defaults_are_those_of_the_contract() -> None:
    """A request with the defaults of the flow is the request without them, field by field."""
    [filled] = [state["Result"] for _, state in STATES if "Result" in state]
    defaults = SearchRequest(query="React").model_dump(exclude={"query", "config"}, mode="json")
    assert filled["request"] == defaults | {"config": {}}
    assert parse_request({"query": "React", **filled["request"]}) == SearchRequest(query="React")
    assert filled["refresh"] is False


def test_every_field_is_in_the_key() -> None:
    """The key has the version and each field by its name once, and it is worked out the same way twice."""
    look, keep = flow()["States"]["Look for the answer"], flow()["States"]["Keep the key"]
    key = " ".join(keep["Parameters"]["key.$"].split())
    assert " ".join(look["Parameters"]["Key"]["pk"]["S.$"].split()) == key
    assert sorted(re.findall(r"\$\.request\.(\w+)", key)) == sorted(SearchRequest.model_fields)
    assert "'${SearchVersion}', $.read.fields," in key


def test_a_memory_that_fails_ends_no_search() -> None:
    """Whatever becomes of a table, or of asking whose turn it is, the flow goes on and keeps nothing of the failure."""
    for name in GIVEN_UP_EARLY:
        [catcher] = flow()["States"][name]["Catch"]
        assert (catcher["ErrorEquals"], catcher["ResultPath"]) == (["States.ALL"], None)
        assert "Retry" not in flow()["States"][name]


def test_a_state_s_name_is_its_own() -> None:
    """No two states have one name, so that a log tells which it was."""
    names = [name for name, _ in STATES]
    assert sorted(set(names)) == sorted(names)


@BY_STATE
def test_a_state_explains_itself(name: str, state: dict[str, Any]) -> None:
    """Each state is a short phrase, with a comment; a choice is a question."""
    assert re.fullmatch(r"[A-Z].{2,59}", name)
    assert state.get("Comment"), "a reader of the console sees no other explanation"
    assert name.endswith("?") == (state["Type"] == "Choice")


@BY_STATE
def test_only_what_lambda_broke_is_tried_again(name: str, state: dict[str, Any]) -> None:
    """A function that failed would fail again, and the time is short; only Lambda's own failures are retried."""
    for retrier in state.get("Retry", ()):
        assert set(retrier["ErrorEquals"]) <= RETRIED, name
        assert retrier["MaxAttempts"] <= 2, name


@BY_TASK
def test_a_task_ends_in_time(name: str, state: dict[str, Any]) -> None:
    """A state waits at least as long as its function may run, so that the function says what was wrong."""
    assert isinstance(state["TimeoutSeconds"], int), name
    if name in GIVEN_UP_EARLY:
        assert state["TimeoutSeconds"] <= 3
    else:
        assert state["TimeoutSeconds"] >= functions()[_called(state)]["Timeout"]


@pytest.mark.parametrize("stage", SECONDS)
def test_a_function_ends_in_time(stage: Any) -> None:
    """A function runs at least as long as its stage, so that the stage ends itself."""
    assert functions()[function_id(FUNCTIONS[stage])]["Timeout"] >= SECONDS[stage]


def test_a_call_ends_in_time() -> None:
    """One call of the language model is given up before the stage is that waits for it."""
    assert PipelineConfig().llm_timeout_seconds <= SECONDS["score"]


def test_the_whole_ends_before_the_gateway() -> None:
    """What an asker may allow fits into the machine's time, as do all stages, and the machine's into the gateway's."""
    [longest] = [limit.le for limit in SearchRequest.model_fields["max_seconds"].metadata if hasattr(limit, "le")]
    assert max(longest, sum(SECONDS.values())) <= flow()["TimeoutSeconds"] < GATEWAY_SECONDS


def test_every_ending_is_caught_by_its_name() -> None:
    """All that ends a search is caught by the name of its class, and no name is caught that the code does not have."""
    caught = {error for _, state in STATES for error in _caught(state)}
    assert {error for error in caught if "." not in error} == ENDINGS


@BY_STATE
def test_no_ending_is_forgotten_in_one_place(name: str, state: dict[str, Any]) -> None:
    """Where one ending is caught by its name all are, and every stage of a line catches them.

    But for one: a part that is lost because too much was asked at once is lost as any other is, and the rest goes on.
    """
    named = [set(catcher["ErrorEquals"]) for catcher in state.get("Catch", ())]
    endings = [errors & ENDINGS for errors in named if any("." not in error for error in errors)]
    assert [errors for errors in endings if errors not in (ENDINGS, {"Overloaded"})] == []
    if name in LINE and state["Type"] in {"Task", "Map"}:
        assert ENDINGS in named


@BY_TASK
def test_a_task_s_failure_has_a_way(name: str, state: dict[str, Any]) -> None:
    """No failure of a function ends the execution beyond any catch."""
    assert _caught(state), name


def test_every_state_is_reached() -> None:
    """Nothing is left over from an earlier form of the flow."""
    assert [name for name, _ in STATES if name not in set(_targets(flow()))] == []


def _targets(machine: dict[str, Any]) -> Iterator[str]:
    yield machine["StartAt"]
    for state in machine["States"].values():
        for holder in (state, *state.get("Choices", ()), *state.get("Catch", ())):
            yield from (holder[key] for key in ("Next", "Default") if key in holder)
        for inner in (state.get("ItemProcessor"), *state.get("Branches", ())):
            if inner is not None:
                yield from _targets(inner)
