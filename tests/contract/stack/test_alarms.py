"""Each alarm watches a metric that is written, with the dimensions that it has."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from goldpan.aws.telemetry import DIMENSIONS, measure_call, measure_response
from goldpan.config import PipelineConfig
from goldpan.engine.problem_details import STATUSES, Response
from goldpan.kinds.answer import Answer

from alarms.generate import GENERATED, SOURCE, TOPIC, generate
from tests.contract.stack.documents import evaluate, functions, resources, template, text

ALARMS = resources("AWS::CloudWatch::Alarm")
Metric = tuple[str, str, tuple[tuple[str, str], ...]]
"""A namespace, a name, and the dimensions with their values."""
OF_AWS = {
    "AWS/ApiGateway": ["ApiName", "Stage"], "AWS/DynamoDB": ["TableName"], "AWS/Lambda": ["FunctionName"],
    "AWS/Scheduler": ["ScheduleGroup"], "AWS/States": ["StateMachineArn"],
}  # fmt: skip
"""The dimensions of the metrics of each service, as its documentation names them."""


def _watched(stack: str) -> Iterator[Metric]:
    """Yield what the alarms of a stack watch."""
    for alarm in ALARMS.values():
        sums = [row["MetricStat"]["Metric"] for row in alarm.get("Metrics", ()) if "MetricStat" in row]
        for metric in sums or [alarm]:
            dimensions = {row["Name"]: row["Value"] for row in metric["Dimensions"]}
            pairs = ((name, value["Ref"] if isinstance(value, dict) else value) for name, value in dimensions.items())
            namespace = evaluate(metric["Namespace"], {"AWS::StackName": stack})
            yield namespace, metric["MetricName"], tuple(sorted(pairs))


def _written(stack: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> set[Metric]:
    """Return every metric that the functions of a stack write, as CloudWatch reads it from their logs."""
    for name, value in template()["Globals"]["Function"]["Environment"]["Variables"].items():
        if name.startswith("POWERTOOLS_"):
            monkeypatch.setenv(name, evaluate(value, {"AWS::StackName": stack}))
    example = Answer.model_validate_json(text("docs/example-answer.json"))
    for status in {200, *(status for status, _ in STATUSES.values())}:
        response = Response(statusCode=status, contentType="", retryAfter="", body="")
        measure_response(response, example if status == 200 else None)
    measure_call("score", "an-id", 0.1, {"LlmStopped": 1}, cold=True)
    return {metric for line in capsys.readouterr().out.splitlines() for metric in _emitted(json.loads(line))}


def _emitted(line: dict[str, Any]) -> Iterator[Metric]:
    for directive in line["_aws"]["CloudWatchMetrics"]:
        for names in directive["Dimensions"]:
            for metric in directive["Metrics"]:
                yield directive["Namespace"], metric["Name"], tuple(sorted((name, line[name]) for name in names))


def test_an_alarm_watches_what_is_written(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each alarm watches metrics of AWS, or those that the functions of its own stack write."""
    watched = set(_watched("Goldpan-2"))
    own = {metric for metric in watched if metric[0] not in OF_AWS}
    for namespace, name, dimensions in watched - own:
        assert [each for each, _ in dimensions] == OF_AWS[namespace], name
    written = _written("Goldpan-2", monkeypatch, capsys)
    assert set() < own <= written
    assert not _written("goldpan", monkeypatch, capsys) & written, "two stacks must share no metric"


def test_the_alarms_are_up_to_date() -> None:
    """`make alarms` changes nothing; slow is above the target of a search and below its limit."""
    assert generate(SOURCE.read_text("utf-8"), TOPIC.read_text("utf-8")) == GENERATED.read_text("utf-8")
    target = PipelineConfig().papers_target_seconds or 0
    assert 1000 * (target + 1) < ALARMS["SlowSearchesAlarm"]["Threshold"] < 25_000


def test_the_dashboard_shows_metrics_that_are_written() -> None:
    """Its body is JSON; a metric of the stack has the dimensions that the code writes, one of AWS those of an alarm."""
    names = ("AWS::Region", "SearchMachine", "CacheTable", "BudgetTable", *functions())
    values = {"AWS::StackName": "Goldpan-2", **{name: name for name in names}}
    [dashboard] = resources("AWS::CloudWatch::Dashboard").values()
    body = evaluate(dashboard["DashboardBody"], values)
    widgets = [widget["properties"]["metrics"] for widget in json.loads(body)["widgets"]]
    searched = re.findall(r"SEARCH\('\{.\"Goldpan-2.\",service,([\w,]+)\} MetricName=.\"(\w+)", body)
    assert [name for _, name in searched] == ["Responses", "SourceStatus"]
    assert all(DIMENSIONS[name] == (*dimensions.split(","), "service") for dimensions, name in searched)
    [own] = [rows for rows in widgets if rows[0][0] == "Goldpan-2"]
    assert own[0][2:4] == ["service", "goldpan"]
    assert {DIMENSIONS[row[1]] for row in own} == {("service",)}
