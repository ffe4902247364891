"""The warm-ups start on schedule with the operator's choice, and their state machine is bounded."""

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.contract.stack.documents import SEARCH, WARM_UP, evaluate, read, resources, states, strings, template

PARAMETERS = template()["Parameters"]
SCHEDULE = resources("AWS::Scheduler::Schedule")["WarmUpSchedule"]
MACHINE = read(WARM_UP)
STATES = dict(states(MACHINE))
AT_ONCE, MINUTES = 5, 10
QUESTIONS = st.lists(
    st.text(max_size=9)
    | st.sampled_from(["rust web framework", "c++ & go: \u00fcber, {}", 'a "b"', "<c>", "Rust", "why?"]),
    max_size=3,
)


def _values(first: int, listed: str) -> dict[str, Any]:
    return {"WarmUpQuestions": first, "WarmUpList": listed}


@given(first=st.integers(0, 25), questions=QUESTIONS, ascii_only=st.booleans())
def test_a_list_that_deploys_arrives_unchanged(*, first: int, questions: list[str], ascii_only: bool) -> None:
    """The machine receives the operator's questions as JSON; a list that would break it does not deploy."""
    listed = json.dumps(questions, ensure_ascii=ascii_only)
    if re.fullmatch(PARAMETERS["WarmUpList"]["AllowedPattern"], listed):
        received = json.loads(evaluate(SCHEDULE["Target"]["Input"], _values(first, listed)))
        assert received == {"first": first, "questions": questions}


def test_only_a_list_of_questions_deploys() -> None:
    """No text reaches the schedule that would make every warm-up fail, or that the scheduler would substitute."""
    accepted = ("[]", '[ "a", "b" ]', '["c++ \u00fcber", "\u68af"]', json.dumps(["a"] * 25))
    too_long = json.dumps(["a"] * 26)  # they would not end in five minutes
    refused = (
        too_long, "", "rust", '["Rust"]', '["why?"]', "[1]", '["a"', '["a",]', '[""]', '["a\\"b"]',
        '["<aws.scheduler.x>"]', '[["a"]]',
    )  # fmt: skip
    pattern = re.compile(PARAMETERS["WarmUpList"]["AllowedPattern"])
    assert [each for each in (*accepted, *refused) if pattern.fullmatch(each)] == [*accepted]


def test_the_schedule_runs_while_there_is_something_to_keep_warm() -> None:
    """It renews answers before they expire after 15 minutes; the machine reads its input and every substitution."""
    chosen = {state: evaluate(SCHEDULE["State"], _values(*state)) for state in ((0, "[]"), (3, "[]"), (0, '["a"]'))}
    assert list(chosen.values()) == ["DISABLED", "ENABLED", "ENABLED"]
    assert SCHEDULE["ScheduleExpression"] == f"rate({MINUTES} minutes)"
    assert MINUTES < 15
    received = json.loads(evaluate(SCHEDULE["Target"]["Input"], _values(3, "[]")))
    read_fields = {name for text in strings(MACHINE) for name in re.findall(r"^\$\.(first|questions)$", text)}
    assert read_fields == set(received)
    substituted = set(re.findall(r"\$\{(\w+)\}", WARM_UP.read_text("utf-8")))
    given_to_it = resources("AWS::Serverless::StateMachine")["WarmUpMachine"]["DefinitionSubstitutions"]
    others = {"Partition": "AWS::Partition", "SearchMachine": "SearchMachineAliaslive"}
    assert given_to_it == {name: {"Ref": others.get(name, name)} for name in substituted}


def test_every_search_is_bounded_and_isolated() -> None:
    """Each outlasts the search machine and catches its failures; twice 25 questions, five at once, end in time."""
    assert [state["MaxConcurrency"] for state in STATES.values() if state["Type"] == "Map"] == [AT_ONCE, AT_ONCE]
    searches = [state for state in STATES.values() if str(state.get("Resource")).endswith(":startSyncExecution")]
    assert len(searches) == 2
    for search in searches:
        assert search["TimeoutSeconds"] > read(SEARCH)["TimeoutSeconds"]
        assert [catcher["ErrorEquals"] for catcher in search["Catch"]] == [["States.ALL"]]
    assert all(state["TimeoutSeconds"] for state in STATES.values() if state["Type"] == "Task")
    longest = 2 * (PARAMETERS["WarmUpQuestions"]["MaxValue"] / AT_ONCE) * read(SEARCH)["TimeoutSeconds"]
    assert longest < MACHINE["TimeoutSeconds"] < 300, "AWS ends an Express execution after five minutes"


def test_a_failure_reaches_the_operator() -> None:
    """What could not be started is kept in an encrypted queue for days; warm-ups that fail raise the alarm."""
    assert SCHEDULE["Target"]["DeadLetterConfig"] == {"Arn": {"Fn::GetAtt": ["WarmUpDeadLetters", "Arn"]}}
    queue = resources("AWS::SQS::Queue")["WarmUpDeadLetters"]
    assert queue["SqsManagedSseEnabled"] is True
    assert queue["MessageRetentionPeriod"] < 5 * 86_400, "a message holds the operator's list of questions"
    assert SCHEDULE["GroupName"] == {"Ref": "WarmUpScheduleGroup"}, "the default group has the metrics of other stacks"
    alarm = resources("AWS::CloudWatch::Alarm")["WarmUpsFailAlarm"]
    [period] = {row["MetricStat"]["Period"] for row in alarm["Metrics"] if "MetricStat" in row}
    assert period / (60 * MINUTES) >= alarm["Threshold"]
