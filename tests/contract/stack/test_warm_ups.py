"""The warm-ups: started by the clock with what the operator chose, and written by the rules of the house."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.contract.stack.documents import WARM_UP, flow, resources, states, strings, template, warm_up
from tests.contract.stack.evaluated import evaluated
from tests.contract.stack.permissions import actions, statements

PARAMETERS = template()["Parameters"]
[SCHEDULE] = resources("AWS::Scheduler::Schedule").values()
STATES = list(states(warm_up()))
BY_STATE = pytest.mark.parametrize(("name", "state"), STATES, ids=[name for name, _ in STATES])
TASKS = [state for _, state in STATES if state["Type"] == "Task"]
SEARCHES = [state for state in TASKS if state["Resource"].endswith(":startSyncExecution")]
ANSWER_MINUTES = 15
QUESTIONS = st.lists(
    st.text(max_size=9) | st.sampled_from(["Rust web framework", "C++ & Go: \u00fcber, {}", 'a "b"', "<c>"]), max_size=3
)


def _values(first: int, listed: str, minutes: int = 10) -> dict[str, Any]:
    return {"WarmUpQuestions": first, "WarmUpList": listed, "WarmUpMinutes": minutes}


@given(first=st.integers(0, 25), questions=QUESTIONS, ascii_only=st.booleans())
def test_whatever_list_deploys_is_a_list_of_questions(*, first: int, questions: list[str], ascii_only: bool) -> None:
    """The flow is given JSON with the very questions of the operator; what would break it does not deploy."""
    listed = json.dumps(questions, ensure_ascii=ascii_only)
    if re.fullmatch(PARAMETERS["WarmUpList"]["AllowedPattern"], listed):
        told = json.loads(evaluated(SCHEDULE["Target"]["Input"], _values(first, listed)))
        assert told == {"first": first, "questions": questions}


@pytest.mark.parametrize("listed", ["[]", '["Rust web framework"]', '[ "a", "b" ]', '["C++ \u00fcber", "\u68af"]'])
def test_a_plain_list_deploys(listed: str) -> None:
    """Words of any script, with blanks between them or without."""
    assert re.fullmatch(PARAMETERS["WarmUpList"]["AllowedPattern"], listed)


@pytest.mark.parametrize(
    "listed", ["", "Rust", "[1]", '["a"', '["a",]', '[""]', '["a\\"b"]', '["<aws.scheduler.x>"]', '[["a"]]']
)
def test_what_is_no_list_of_questions_is_refused_before_it_is_deployed(listed: str) -> None:
    """Nothing reaches the schedule that would make every warm-up fail, or that the scheduler would fill in."""
    assert not re.fullmatch(PARAMETERS["WarmUpList"]["AllowedPattern"], listed)


@pytest.mark.parametrize(
    ("first", "listed", "state"),
    [(0, "[]", "DISABLED"), (3, "[]", "ENABLED"), (0, '["a"]', "ENABLED"), (3, '["a"]', "ENABLED")],
)
def test_where_nothing_is_to_be_warmed_nothing_is_started(first: int, listed: str, state: str) -> None:
    """No question and no list: the schedule rests."""
    assert evaluated(SCHEDULE["State"], _values(first, listed)) == state


def test_an_answer_is_made_anew_before_it_is_forgotten() -> None:
    """By default the next warm-up comes while the last one's answers are remembered."""
    minutes = PARAMETERS["WarmUpMinutes"]["Default"]
    assert minutes < ANSWER_MINUTES
    assert evaluated(SCHEDULE["ScheduleExpression"], _values(3, "[]", minutes)) == f"rate({minutes} minutes)"
    assert SCHEDULE["FlexibleTimeWindow"] == {"Mode": "OFF"}


def test_a_start_that_fails_is_not_made_up_for_late() -> None:
    """Within a minute or not at all: the next start comes soon."""
    assert SCHEDULE["Target"]["RetryPolicy"] == {"MaximumRetryAttempts": 2, "MaximumEventAgeInSeconds": 60}
    assert SCHEDULE["Target"]["Arn"] == {"Ref": "WarmUpMachine"}


def test_the_flow_reads_what_the_schedule_gives() -> None:
    """Both fields of the input, and no other."""
    told = json.loads(evaluated(SCHEDULE["Target"]["Input"], _values(3, "[]")))
    read = {name for text in strings(warm_up()) for name in re.findall(r"^\$\.(first|questions)$", text)}
    assert read == set(told)


def test_every_substitution_is_used_and_given() -> None:
    """What the flow asks for is what the template puts in."""
    asked = set(re.findall(r"\$\{(\w+)\}", WARM_UP.read_text("utf-8")))
    given_to_it = resources("AWS::Serverless::StateMachine")["WarmUpMachine"]["DefinitionSubstitutions"]
    assert given_to_it == {name: {"Ref": name} for name in asked}


@BY_STATE
def test_a_state_says_what_it_does(name: str, state: dict[str, Any]) -> None:
    """A short phrase for a name, a question where it chooses, and a sentence beside it."""
    assert state["Comment"].endswith("."), name
    assert name.endswith("?") == (state["Type"] == "Choice")
    assert len(name) <= 40


def test_everything_ends_in_time() -> None:
    """Each call has a limit, above the search's own; the whole has one above what 25 questions take two at once."""
    assert all(state["TimeoutSeconds"] for state in TASKS)
    assert {state["TimeoutSeconds"] for state in SEARCHES} == {flow()["TimeoutSeconds"] + 2}
    assert warm_up()["TimeoutSeconds"] > PARAMETERS["WarmUpQuestions"]["MaxValue"] / 2 * flow()["TimeoutSeconds"]


def test_one_question_never_stops_the_others() -> None:
    """Whatever happens to a search is caught inside its own iteration, and nothing is tried again blindly."""
    iterations = [state for _, state in STATES if state["Type"] == "Map"]
    assert len(iterations) == len(SEARCHES) == 2
    for iteration in iterations:
        assert iteration["MaxConcurrency"] == 2
        [search] = [state for state in iteration["ItemProcessor"]["States"].values() if state in SEARCHES]
        assert [catcher["ErrorEquals"] for catcher in search["Catch"]] == [["States.ALL"]]
    assert not [row for _, state in STATES for row in state.get("Retry", ()) if "States.ALL" in row["ErrorEquals"]]


def test_the_flow_searches_and_reads_and_nothing_else() -> None:
    """Its role may start the search machine, and no other; what the table allows is tested with the tables."""
    [started] = [row for _, row in statements("WarmUpMachineRole") if actions(row) == {"states:StartSyncExecution"}]
    assert started["Resource"] == {"Ref": "SearchMachine"}
    assert {state["Parameters"]["StateMachineArn"] for state in SEARCHES} == {"${SearchMachine}"}


def test_the_machine_outlives_five_minutes() -> None:
    """An Express one would be cut."""
    assert resources("AWS::Serverless::StateMachine")["WarmUpMachine"]["Type"] == "STANDARD"
    assert warm_up()["TimeoutSeconds"] > 300
