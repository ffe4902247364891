"""The warm-ups start on schedule with the operator's choice, and end in time."""

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.contract.stack.documents import SEARCH, WARM_UP, evaluate, read, resources, states, template

PARAMETERS = template()["Parameters"]
SCHEDULE = resources("AWS::Scheduler::Schedule")["WarmUpSchedule"]
MACHINE = read(WARM_UP)
STATES = dict(states(MACHINE))
MINUTES = 10
QUESTIONS = st.lists(
    st.text(max_size=9)
    | st.sampled_from(["rust web framework", "c++ & go: \u00fcber, {}", 'a "b"', "<c>", "Rust", "why?"]),
    max_size=3,
)


def _values(first: int, listed: str, *secrets: str) -> dict[str, Any]:
    return {"WarmUpQuestions": first, "WarmUpList": listed, "Secrets": secrets}


@given(first=st.integers(0, 25), questions=QUESTIONS, ascii_only=st.booleans())
def test_a_list_that_deploys_arrives_unchanged(*, first: int, questions: list[str], ascii_only: bool) -> None:
    """The machine receives the operator's questions as JSON; a list that would break it does not deploy."""
    listed = json.dumps(questions, ensure_ascii=ascii_only)
    if re.fullmatch(PARAMETERS["WarmUpList"]["AllowedPattern"], listed):
        received = json.loads(evaluate(SCHEDULE["Target"]["Input"], _values(first, listed)))
        assert received == {"first": first, "questions": questions}


def test_only_a_list_of_questions_deploys() -> None:
    """No text reaches the schedule that would make every warm-up fail, or that the scheduler would substitute."""
    accepted = ("[]", '[ "Rust", "why?" ]', '["c++ \u00fcber", "\u68af"]', json.dumps(["a"] * 25))
    too_long = json.dumps(["a"] * 26)  # they would not end in five minutes
    refused = (
        too_long, "", "rust", "[1]", '["a"', '["a",]', '[""]', '["a\\"b"]',
        '["<aws.scheduler.x>"]', '[["a"]]',
    )  # fmt: skip
    pattern = re.compile(PARAMETERS["WarmUpList"]["AllowedPattern"])
    assert [each for each in (*accepted, *refused) if pattern.fullmatch(each)] == [*accepted]


def test_a_schedule_runs_while_there_is_something_to_do() -> None:
    """Warm-ups renew answers before they expire after 15 minutes; they and updates need a token of GitHub."""
    token = ("llm-api-key", "github-token")
    given = ((0, "[]", *token), (3, "[]"), (3, "[]", "llm-api-key"), (3, "[]", *token), (0, '["a"]', "github-token"))
    found = [evaluate(SCHEDULE["State"], _values(*each)) for each in given]
    assert found == ["DISABLED"] * 3 + ["ENABLED"] * 2
    updates = [
        {"CatalogueUpdateHours": hours, "Secrets": secrets} for hours, secrets in ((6, token), (0, token), (6, ()))
    ]
    assert [evaluate({"Fn::If": ["HasCatalogueUpdates", 1, 0]}, each) for each in updates] == [1, 0, 0]
    assert SCHEDULE["ScheduleExpression"] == f"rate({MINUTES} minutes)"
    assert MINUTES < 15


def test_every_search_ends_before_its_warm_up() -> None:
    """Each outlasts the search machine; twice 25 questions, five at once, end in time."""
    searches = [state for state in STATES.values() if str(state.get("Resource")).endswith(":startSyncExecution")]
    assert all(search["TimeoutSeconds"] > read(SEARCH)["TimeoutSeconds"] for search in searches)
    [at_once] = {state["MaxConcurrency"] for state in STATES.values() if state["Type"] == "Map"}
    longest = 2 * (PARAMETERS["WarmUpQuestions"]["MaxValue"] / at_once) * read(SEARCH)["TimeoutSeconds"]
    assert longest < MACHINE["TimeoutSeconds"] < 300, "AWS ends an Express execution after five minutes"


def test_a_failure_reaches_the_operator() -> None:
    """What could not be started is kept for days; the alarm sees as many failed warm-ups as its time has."""
    assert SCHEDULE["Target"]["DeadLetterConfig"] == {"Arn": {"Fn::GetAtt": ["WarmUpDeadLetters", "Arn"]}}
    assert SCHEDULE["GroupName"] == {"Ref": "WarmUpScheduleGroup"}, "the default group has the metrics of other stacks"
    alarm = resources("AWS::CloudWatch::Alarm")["WarmUpsFailAlarm"]
    [period] = {row["MetricStat"]["Period"] for row in alarm["Metrics"] if "MetricStat" in row}
    assert period / (60 * MINUTES) >= alarm["Threshold"]
