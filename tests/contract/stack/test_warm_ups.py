"""The warm-ups start on schedule with the operator's choice, and their state machine is bounded."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.stack.documents import SEARCH, WARM_UP, read, resources, states, strings, template
from tests.contract.stack.evaluated import evaluate

PARAMETERS = template()["Parameters"]
[SCHEDULE] = resources("AWS::Scheduler::Schedule").values()
MACHINE = read(WARM_UP)
STATES = dict(states(MACHINE))
SEARCHES = [state for state in STATES.values() if str(state.get("Resource")).endswith(":startSyncExecution")]
QUESTIONS = st.lists(
    st.text(max_size=9) | st.sampled_from(["Rust web framework", "C++ & Go: \u00fcber, {}", 'a "b"', "<c>"]), max_size=3
)


def _values(first: int, listed: str) -> dict[str, Any]:
    return {"WarmUpQuestions": first, "WarmUpList": listed, "WarmUpMinutes": 10}


@given(first=st.integers(0, 25), questions=QUESTIONS, ascii_only=st.booleans())
def test_a_list_that_deploys_arrives_unchanged(*, first: int, questions: list[str], ascii_only: bool) -> None:
    """The machine receives the operator's questions as JSON; a list that would break it does not deploy."""
    listed = json.dumps(questions, ensure_ascii=ascii_only)
    if re.fullmatch(PARAMETERS["WarmUpList"]["AllowedPattern"], listed):
        received = json.loads(evaluate(SCHEDULE["Target"]["Input"], _values(first, listed)))
        assert received == {"first": first, "questions": questions}


@pytest.mark.parametrize(
    ("listed", "accepted"),
    [
        ("[]", True), ('[ "a", "b" ]', True), ('["C++ \u00fcber", "\u68af"]', True),
        ("", False), ("Rust", False), ("[1]", False), ('["a"', False), ('["a",]', False), ('[""]', False),
        ('["a\\"b"]', False), ('["<aws.scheduler.x>"]', False), ('[["a"]]', False),
    ],
)  # fmt: skip
def test_only_a_list_of_questions_deploys(listed: str, accepted: bool) -> None:  # noqa: FBT001
    """No text reaches the schedule that would make every warm-up fail, or that the scheduler would substitute."""
    assert bool(re.fullmatch(PARAMETERS["WarmUpList"]["AllowedPattern"], listed)) == accepted


def test_the_schedule_runs_while_there_is_something_to_keep_warm() -> None:
    """Without questions and list nothing starts; by default answers are renewed before they expire after 15 minutes."""
    chosen = {state: evaluate(SCHEDULE["State"], _values(*state)) for state in ((0, "[]"), (3, "[]"), (0, '["a"]'))}
    assert list(chosen.values()) == ["DISABLED", "ENABLED", "ENABLED"]
    assert evaluate(SCHEDULE["ScheduleExpression"], _values(3, "[]")) == "rate(10 minutes)"
    assert PARAMETERS["WarmUpMinutes"]["Default"] < 15
    assert SCHEDULE["FlexibleTimeWindow"] == {"Mode": "OFF"}
    assert SCHEDULE["Target"]["RetryPolicy"] == {"MaximumRetryAttempts": 2, "MaximumEventAgeInSeconds": 60}


def test_the_machine_reads_the_input_of_the_schedule() -> None:
    """It reads both fields of the input; every substitution is given by the template."""
    received = json.loads(evaluate(SCHEDULE["Target"]["Input"], _values(3, "[]")))
    read_fields = {name for text in strings(MACHINE) for name in re.findall(r"^\$\.(first|questions)$", text)}
    assert read_fields == set(received)
    substituted = set(re.findall(r"\$\{(\w+)\}", WARM_UP.read_text("utf-8")))
    given_to_it = resources("AWS::Serverless::StateMachine")["WarmUpMachine"]["DefinitionSubstitutions"]
    assert given_to_it == {name: {"Ref": name} for name in substituted}


def test_every_search_is_bounded_and_isolated() -> None:
    """Each waits longer than the search machine runs, catches all failures in its own iteration, two run at once."""
    iterations = [state for state in STATES.values() if state["Type"] == "Map"]
    assert [state["MaxConcurrency"] for state in iterations] == [2, 2]
    assert len(SEARCHES) == 2
    for search in SEARCHES:
        assert search["TimeoutSeconds"] > read(SEARCH)["TimeoutSeconds"]
        assert [catcher["ErrorEquals"] for catcher in search["Catch"]] == [["States.ALL"]]
        assert search["Parameters"]["StateMachineArn"] == "${SearchMachine}"
    assert all(state["TimeoutSeconds"] for state in STATES.values() if state["Type"] == "Task")


def test_the_machine_has_time_for_all_questions() -> None:
    """25 questions, two at once, take longer than the five minutes of an Express execution."""
    assert resources("AWS::Serverless::StateMachine")["WarmUpMachine"]["Type"] == "STANDARD"
    assert MACHINE["TimeoutSeconds"] > PARAMETERS["WarmUpQuestions"]["MaxValue"] / 2 * read(SEARCH)["TimeoutSeconds"]


def test_every_state_is_explained() -> None:
    """A comment for each state, and a question mark for each choice, make an execution readable in the console."""
    for name, state in STATES.items():
        assert state["Comment"].endswith("."), name
        assert name.endswith("?") == (state["Type"] == "Choice")
