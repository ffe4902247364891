"""The page for operators says what the code writes."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from goldpan.aws.metrics import COUNTED, DIMENSIONS, UNITS, measure_response
from goldpan.contracts import Answer
from goldpan.engine.problem_details import Response

from tests.contract.stack.documents import resources, template
from tests.unit.aws.doors import ROOT, door, event, sample_ports

PAGE = (ROOT / "docs" / "operation.md").read_text("utf-8")
COMMANDS = ("fields", "filter", "stats", "sort", "limit", "by", "as", "desc", "asc")
CALLS = ("ispresent", "count", "sum", "avg", "max", "min", "pct", "latest", "bin")
LAMBDA = (
    "type",
    "requestId",
    "errorType",
    "errorMessage",
    "record.metrics.maxMemoryUsedMB",
    "record.metrics.memorySizeMB",
)
"""Fields of the lines that Lambda writes itself."""


def _counted_in_the_code() -> Iterator[str]:
    """Find what is counted by name anywhere in the library."""
    for path in (ROOT / "layers" / "goldpan" / "goldpan").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            words = [part.value for given in node.args for part in ast.walk(given) if isinstance(part, ast.Constant)]
            if called == "Tolerance":
                yield f"{words[0]!s}Failed"
            if called in {"_count", "count", "add"}:
                yield from (word for word in words if isinstance(word, str) and re.fullmatch(r"[A-Z][A-Za-z]+", word))


def test_everything_that_is_counted_has_its_metric() -> None:
    """What stores count stands in the table of metrics, and nothing stands there that nobody counts."""
    assert {*_counted_in_the_code()} == {*COUNTED}


def _section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_the_page_has_every_metric_and_no_other() -> None:
    """The page of the operation lists each metric with its dimensions and unit, as the code writes them."""
    listed = re.findall(r"^\| `([A-Z]\w+)` \| ([^|]+) \| (\w+) \|", _section("Metrics"), re.MULTILINE)
    assert len(listed) == len({name for name, _, _ in listed})
    assert {(name, tuple(re.findall(r"`(\w+)`", where)), unit) for name, where, unit in listed} == {
        (name, tuple(where for where in dimensions if where != "service"), UNITS.get(name, "Count"))
        for name, dimensions in DIMENSIONS.items()
    }


def _watched(alarm: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give the metrics of an alarm, one or several."""
    yield from (each["MetricStat"]["Metric"] for each in alarm.get("Metrics", ()) if "MetricStat" in each)
    if "MetricName" in alarm:
        yield alarm


def test_the_page_has_every_alarm_with_what_it_watches() -> None:
    """The page lists the alarms of the template, each with the names of its metrics, and no other."""
    listed = re.findall(r"^\| `(\w+Alarm)` \| ([^|]+) \|", _section("Alarms"), re.MULTILINE)
    assert listed
    assert {name: {*re.findall(r"`(\w+)`", watches)} for name, watches in listed} == {
        name: {metric["MetricName"] for metric in _watched(alarm)}
        for name, alarm in resources("AWS::CloudWatch::Alarm").items()
    }


def test_an_alarm_watches_a_metric_that_is_written() -> None:
    """Every alarm on a metric of goldpan names it with exactly the dimensions that it is written with (fault 31)."""
    alarms = resources("AWS::CloudWatch::Alarm").values()
    written = template()["Globals"]["Function"]["Environment"]["Variables"]["POWERTOOLS_METRICS_NAMESPACE"]
    own = [metric for alarm in alarms for metric in _watched(alarm) if metric["Namespace"] == written]
    assert own
    for metric in own:
        assert {each["Name"] for each in metric["Dimensions"]} == {*DIMENSIONS[metric["MetricName"]]}


def test_the_page_has_every_log_group() -> None:
    """The page lists the output of every log group that the stack makes, and no other."""
    listed = {*re.findall(r"^\| `(\w+LogGroup)` \|", _section("Logs"), re.MULTILINE)}
    outputs = {name: each["Value"] for name, each in template()["Outputs"].items() if name.endswith("LogGroup")}
    assert listed == {*outputs}
    assert {value["Ref"] for value in outputs.values()} == {*resources("AWS::Logs::LogGroup")}


@pytest.fixture
def fields(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """Give the fields of what the functions write, as Logs Insights calls them: lists are written out."""
    monkeypatch.setenv("_X_AMZN_TRACE_ID", "Root=1-65f0c1a2-0123456789abcdef01234567")
    response = Response.model_validate(door("screener", sample_ports())(event("assemble")))
    measure_response(response, Answer.model_validate_json(response.body))
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(isinstance(line[name], list) for line in lines for name in line if name in DIMENSIONS)
    return {name for line in lines for name in line if name not in DIMENSIONS} | {f"{name}.0" for name in DIMENSIONS}


def test_the_queries_ask_for_fields_that_are_written(fields: set[str]) -> None:
    """Each query of the page is made of the words of its language, and of fields that some line really has."""
    (api,) = resources("AWS::Serverless::Api").values()
    fields |= {"@timestamp", *LAMBDA, *json.loads(api["AccessLogSetting"]["Format"])}
    queries = re.findall(r"^```\n(.+?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(queries) > 5
    for query in queries:
        said = re.findall(r"(?<![\w.])[@A-Za-z][\w.]*", re.sub(r'"[^"]*"', "", query))
        named = {*re.findall(r" as (\w+)", query)}
        assert {*said} <= {*COMMANDS, *CALLS, *named} | fields, query
        assert not named & fields
        assert query.startswith(COMMANDS)
