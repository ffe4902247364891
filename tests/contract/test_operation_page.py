"""The page for operators describes what the code writes."""

from __future__ import annotations

import ast
import json
import re
from importlib import import_module

import pytest
from goldpan.aws.telemetry import COUNTED, DIMENSIONS, UNITS, measure_response
from goldpan.contracts import Answer
from goldpan.engine.problem_details import Response

from tests.contract.stack.documents import resources
from tests.support.handlers import ROOT, event, handler, reset_loggers, sample_dependencies

import_module("aws_xray_sdk.core")  # makes a UDP socket at its import, which no test may do
PAGE = (ROOT / "docs" / "operation.md").read_text("utf-8")
COMMANDS = ("fields", "filter", "stats", "sort", "limit", "by", "as", "desc", "asc")
CALLS = ("ispresent", "count", "sum", "avg", "max", "min", "pct", "latest", "bin")
LAMBDA = (
    "@timestamp", "type", "requestId", "errorType", "errorMessage",
    "record.metrics.maxMemoryUsedMB", "record.metrics.memorySizeMB",
)  # fmt: skip
"""Fields of the lines that Lambda writes itself."""


def test_everything_that_is_counted_has_its_metric() -> None:
    """What stores count is in the table of metrics, and nothing else."""
    counted = set[str]()
    for path in (ROOT / "layers" / "goldpan" / "goldpan").rglob("*.py"):
        for call in (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)):
            if re.fullmatch(r"(?:.*\.)?(?:CircuitBreaker|_?count|add)", ast.unparse(call.func)):
                words = [part.value for each in call.args for part in ast.walk(each) if isinstance(part, ast.Constant)]
                counted |= {word for word in words if isinstance(word, str) and re.fullmatch(r"[A-Z][A-Za-z]+", word)}
    assert counted == {*COUNTED}


def _section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_the_page_has_every_metric_and_no_other() -> None:
    """The page lists each metric with its dimensions and unit, as the code writes them."""
    listed = re.findall(r"^\| `([A-Z]\w+)` \| ([^|]+) \| (\w+) \|", _section("Metrics"), re.MULTILINE)
    assert len(listed) == len({name for name, _, _ in listed})
    assert {(name, tuple(re.findall(r"`(\w+)`", where)), unit) for name, where, unit in listed} == {
        (name, tuple(where for where in dimensions if where != "service"), UNITS.get(name, "Count"))
        for name, dimensions in DIMENSIONS.items()
    }


def test_the_page_has_every_alarm_with_what_it_watches() -> None:
    """The page lists the alarms of the template, each with the names of its metrics, and no other."""
    listed = re.findall(r"^\| `(\w+Alarm)` \| ([^|]+) \|", _section("Alarms"), re.MULTILINE)
    assert {name: {*re.findall(r"`(\w+)`", watches)} for name, watches in listed} == {
        name: {*re.findall(r'"MetricName": "(\w+)"', json.dumps(alarm))}
        for name, alarm in resources("AWS::CloudWatch::Alarm").items()
    }


def _written(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """Return the fields of what the functions write, as Logs Insights names them; a list has numbered fields."""
    reset_loggers()
    monkeypatch.setenv("_X_AMZN_TRACE_ID", "Root=1-65f0c1a2-0123456789abcdef01234567")
    response = Response.model_validate(handler("screener", sample_dependencies())(event("assemble")))
    measure_response(response, Answer.model_validate_json(response.body))
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(isinstance(line[name], list) for line in lines for name in line if name in DIMENSIONS)
    return {name for line in lines for name in line if name not in DIMENSIONS} | {f"{name}.0" for name in DIMENSIONS}


def test_the_queries_name_fields_that_are_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each query of the page consists of the words of its language and of fields that some line has."""
    (api,) = resources("AWS::Serverless::Api").values()
    fields = _written(monkeypatch, capsys) | {*LAMBDA, *json.loads(api["AccessLogSetting"]["Format"])}
    queries = re.findall(r"^```\n(.+?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(queries) > 5
    for query in queries:
        used = re.findall(r"(?<![\w.])[@A-Za-z][\w.]*", re.sub(r'"[^"]*"', "", query))
        named = {*re.findall(r" as (\w+)", query)}
        assert {*used} <= {*COMMANDS, *CALLS, *named} | fields, query
        assert query.startswith(COMMANDS)
