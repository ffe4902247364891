"""The alarms: each watches a metric that exists, with the dimensions it has, and says what to look at (fault 31)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from tests.contract.stack.documents import TEMPLATE, flow, resources, template
from tests.contract.stack.watched import STACK, Metric, emitted, environment, watched, write_every_metric

ALARMS = resources("AWS::CloudWatch::Alarm")
BY_ALARM = pytest.mark.parametrize("name", sorted(ALARMS))
BY_STACK = pytest.mark.parametrize("stack", ["goldpan", STACK])
GATEWAY = ("4XXError", "5XXError", "CacheHitCount", "CacheMissCount", "Count", "IntegrationLatency", "Latency")
STATES = (
    "ExecutionTime", "ExecutionThrottled", "ExecutionsAborted", "ExecutionsFailed", "ExecutionsStarted",
    "ExecutionsSucceeded", "ExecutionsTimedOut",
)  # fmt: skip
DOCUMENTED: dict[str, tuple[tuple[str, ...], set[tuple[str, ...]]]] = {
    # https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html
    "AWS/ApiGateway": (GATEWAY, {("ApiName",), ("ApiName", "Stage"), ("ApiName", "Method", "Resource", "Stage")}),
    # https://docs.aws.amazon.com/step-functions/latest/dg/procedure-cw-metrics.html
    "AWS/States": (STATES, {("StateMachineArn",)}),
}
"""What AWS writes by itself: the names, and the sets of dimensions under which they are found."""
OPERATORS = ("GreaterThanOrEqualToThreshold", "GreaterThanThreshold")
WATCHED = [(name, metric) for name, alarm in ALARMS.items() for metric in watched(alarm)]


def _own(stack: str) -> set[Metric]:
    """Give what the alarms of a stack watch beside the metrics of AWS."""
    found = {metric for alarm in ALARMS.values() for metric in watched(alarm, stack)}
    return {metric for metric in found if not metric[0].startswith("AWS/")}


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[str], set[Metric]]:
    """Give every metric that the functions of a stack write, as CloudWatch reads the lines of their logs."""

    def of(stack: str) -> set[Metric]:
        for name, value in environment(stack).items():
            monkeypatch.setenv(name, value)
        write_every_metric()
        return {metric for line in capsys.readouterr().out.splitlines() for metric in emitted(json.loads(line))}

    return of


@BY_STACK
def test_an_alarm_on_a_metric_of_goldpan_watches_what_is_written(
    stack: str, written: Callable[[str], set[Metric]]
) -> None:
    """The very namespace, name, dimensions and values that the functions of its stack write, or it would never rise."""
    assert _own(stack)
    assert _own(stack) - written(stack) == set()


def test_two_stacks_share_no_metric(written: Callable[[str], set[Metric]]) -> None:
    """No alarm rises for the searches of another stack in the region, and no costs are added to another's."""
    assert not written("goldpan") & written(STACK)
    assert not _own("goldpan") & _own(STACK)
    assert {namespace for namespace, _, _ in _own(STACK)} == {STACK}


@pytest.mark.parametrize(("name", "metric"), [found for found in WATCHED if found[1][0] != STACK])
def test_an_alarm_on_a_metric_of_aws_watches_what_is_documented(name: str, metric: Metric) -> None:
    """AWS writes a metric under certain sets of dimensions alone."""
    namespace, metric_name, dimensions = metric
    names, sets = DOCUMENTED[namespace]
    assert metric_name in names, name
    assert tuple(key for key, _ in dimensions) in sets, name


def test_the_dimensions_are_those_of_the_stack() -> None:
    """The API's name and stage are those that it is deployed with, and a machine is one of the two."""
    values: dict[str, set[str]] = {"ApiName": set(), "Stage": set(), "StateMachineArn": set()}
    for _, (namespace, _, dimensions) in WATCHED:
        for name, value in dimensions if namespace != STACK else ():
            values[name].add(value)
    [api] = resources("AWS::Serverless::Api").values()
    assert values["ApiName"] == {api["Name"]["Ref"]}
    assert values["Stage"] == {api["StageName"]["Ref"]}
    assert values["StateMachineArn"] == set(resources("AWS::Serverless::StateMachine"))


@BY_ALARM
def test_a_sum_has_no_gaps(name: str) -> None:
    """Each part of a sum counts as nothing where it was not written; one gap would make a gap of the whole."""
    rows = ALARMS[name].get("Metrics", [])
    parts = [row["Id"] for row in rows if "MetricStat" in row]
    sums = [row["Expression"] for row in rows if "Expression" in row]
    assert sums == [" + ".join(f"FILL({part}, 0)" for part in parts)] * bool(rows)
    assert all(row["ReturnData"] is False for row in rows if "MetricStat" in row)


@BY_ALARM
def test_an_alarm_is_told_to_whoever_wants_to_know(name: str) -> None:
    """With an address it is sent; without one it exists, and is seen in the console."""
    alarm = ALARMS[name]
    assert "Condition" not in template()["Resources"][name]
    assert alarm["AlarmActions"]["Fn::If"] == ["HasAlarmEmail", [{"Ref": "AlarmTopic"}], {"Ref": "AWS::NoValue"}]
    assert alarm["ComparisonOperator"] in OPERATORS
    assert len(alarm["AlarmDescription"].split()) >= 8, "says what is wrong, and where to look"


def test_missing_data_are_quiet_and_every_figure_has_its_reason() -> None:
    """No questions are no trouble; a threshold without its reason cannot be changed."""
    assert {alarm["TreatMissingData"] for alarm in ALARMS.values()} == {"notBreaching"}
    text = TEMPLATE.read_text("utf-8")
    assert len(re.findall(r"TreatMissingData: notBreaching # \w+", text)) == len(ALARMS)
    bare = re.findall(r"^ +Threshold: [\d.]+$", text, re.MULTILINE)
    assert bare == []


def test_a_search_is_slow_before_it_is_cut() -> None:
    """The alarm rises while searches still answer: below what they are given, and below what the machine has."""
    threshold = ALARMS["SlowSearchesAlarm"]["Threshold"]
    assert 1000 * 12 < threshold < 1000 * 25 < 1000 * flow()["TimeoutSeconds"]


def test_the_cost_of_a_day_is_held_against_the_operator_s_limit() -> None:
    """A whole day's sum, in the unit of the metric."""
    alarm = ALARMS["CostAlarm"]
    assert (alarm["Statistic"], alarm["Period"], alarm["EvaluationPeriods"]) == ("Sum", 86_400, 1)
    assert alarm["Threshold"] == {"Ref": "DailyCostLimit"}


def test_the_topic_is_encrypted_so_that_cloudwatch_can_still_write_to_it() -> None:
    """Its own key lets the alarms of this account use it; the account's own aws/sns key lets no alarm through."""
    topic, key = resources("AWS::SNS::Topic")["AlarmTopic"], resources("AWS::KMS::Key")["AlarmKey"]
    assert topic["KmsMasterKeyId"] == {"Ref": "AlarmKey"}
    assert topic["Subscription"] == [{"Protocol": "email", "Endpoint": {"Ref": "AlarmEmail"}}]
    own = {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}
    _, used = key["KeyPolicy"]["Statement"]
    [published] = resources("AWS::SNS::TopicPolicy")["AlarmTopicPolicy"]["PolicyDocument"]["Statement"]
    for statement in (used, published):
        assert statement["Principal"] == {"Service": "cloudwatch.amazonaws.com"}
        assert statement["Condition"] == own
    assert set(used["Action"]) == {"kms:Decrypt", "kms:GenerateDataKey*"}
    assert key["EnableKeyRotation"] is True


@pytest.mark.parametrize("name", ["AlarmTopic", "AlarmTopicPolicy", "AlarmKey"])
def test_without_an_address_nothing_of_the_topic_is_made(name: str) -> None:
    """A key costs by the month."""
    assert template()["Resources"][name]["Condition"] == "HasAlarmEmail"
