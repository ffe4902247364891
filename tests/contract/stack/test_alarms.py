"""Each alarm watches a metric that is written, with the dimensions that it has; so does the page for operators."""

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from goldpan.aws.telemetry import measure_call, measure_refusal, measure_response
from goldpan.config import PipelineConfig
from goldpan.engine.problem_details import STATUSES, Response
from goldpan.kinds.answer import Answer

from alarms.generate import GENERATED, SOURCE, TOPIC, generate
from tests.contract.stack.documents import ROOT, evaluate, functions, resources, template, text

LIBRARY, PAGE = ROOT / "layers" / "goldpan" / "goldpan", text("docs/operation.md")
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


def _counted() -> set[str]:
    """Return the names of all that the library counts while a stage runs."""
    counted = set[str]()
    for path in LIBRARY.rglob("*.py"):
        for call in (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)):
            if re.fullmatch(r"(?:.*\.)?(?:CircuitBreaker|_?count|add)", ast.unparse(call.func)):
                words = [part.value for each in call.args for part in ast.walk(each) if isinstance(part, ast.Constant)]
                counted |= {word for word in words if isinstance(word, str) and re.fullmatch(r"[A-Z][A-Za-z]+", word)}
    return counted


def _lines(
    stack: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[tuple[dict[str, Any], dict[str, str], list[str]]]:
    """Yield what the functions of a stack write: a line, a metric, and its dimensions, as CloudWatch reads them."""
    for name, value in template()["Globals"]["Function"]["Environment"]["Variables"].items():
        if name.startswith("POWERTOOLS_"):
            monkeypatch.setenv(name, evaluate(value, {"AWS::StackName": stack}))
    example = Answer.model_validate_json(text("docs/example-answer.json"))
    for status in {200, *(status for status, _ in STATUSES.values())}:
        response = Response(statusCode=status, contentType="", retryAfter="", body="")
        measure_response(response, example if status == 200 else None)
    measure_refusal()
    for stage in ("score", "analyze"):
        measure_call(stage, "an-id", 0.1, dict.fromkeys(_counted(), 1), cold=True)
    for line in map(json.loads, capsys.readouterr().out.splitlines()):
        [directive] = line["_aws"]["CloudWatchMetrics"]
        [dimensions] = directive["Dimensions"]
        for metric in directive["Metrics"]:
            yield line | {"Namespace": directive["Namespace"]}, metric, dimensions


def _written(*of: Any) -> set[Metric]:
    """Return every metric that the functions of a stack write."""
    return {
        (line["Namespace"], metric["Name"], tuple(sorted((name, line[name]) for name in names)))
        for line, metric, names in _lines(*of)
    }


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


def _section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def documented() -> dict[str, tuple[list[str], str]]:
    """Return each metric of the page with its dimensions and its unit."""
    listed = re.findall(r"^\| `([A-Z]\w+)` \| ([^|]+) \| (\w+) \|", _section("Metrics"), re.MULTILINE)
    return {name: ([*re.findall(r"`(\w+)`", where), "service"], unit) for name, where, unit in listed}


def test_the_page_has_every_metric_and_alarm_and_no_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A metric with its dimensions and unit as the code writes them, an alarm with the names of its metrics."""
    lines = list(_lines("goldpan", monkeypatch, capsys))
    assert documented() == {metric["Name"]: (names, metric["Unit"]) for _, metric, names in lines}
    alarms = re.findall(r"^\| `(\w+Alarm)` \| ([^|]+) \|", _section("Alarms"), re.MULTILINE)
    assert {name: {*re.findall(r"`(\w+)`", watches)} for name, watches in alarms} == {
        name: {*re.findall(r'"MetricName": "(\w+)"', json.dumps(alarm))} for name, alarm in ALARMS.items()
    }


def test_the_dashboard_shows_metrics_that_are_written() -> None:
    """Its body is JSON; a metric of the stack has the dimensions that the code writes, one of AWS those of an alarm."""
    names = ("AWS::Region", "SearchMachine", "CacheTable", "BudgetTable", *functions())
    values = {"AWS::StackName": "Goldpan-2", **{name: name for name in names}}
    [dashboard] = resources("AWS::CloudWatch::Dashboard").values()
    body = evaluate(dashboard["DashboardBody"], values)
    widgets = [widget["properties"]["metrics"] for widget in json.loads(body)["widgets"]]
    searched = re.findall(r"SEARCH\('\{.\"Goldpan-2.\",service,([\w,]+)\} MetricName=.\"(\w+)", body)
    assert [name for _, name in searched] == ["Responses", "SourceStatus"]
    assert all(documented()[name][0] == [*dimensions.split(","), "service"] for dimensions, name in searched)
    [own] = [rows for rows in widgets if rows[0][0] == "Goldpan-2"]
    assert own[0][2:4] == ["service", "goldpan"]
    assert all(documented()[row[1]][0] == ["service"] for row in own)
