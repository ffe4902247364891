"""What the alarms of a stack watch and what its functions write, as CloudWatch tells metrics apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from goldpan.aws.metrics import measure_call, measure_response
from goldpan.contracts import Answer
from goldpan.engine.problem_details import STATUSES, Response

from tests.contract.stack.documents import ROOT, template
from tests.contract.stack.evaluated import evaluated

Metric = tuple[str, str, tuple[tuple[str, str], ...]]
"""A namespace, a name, and the dimensions with what they are filled with."""
STACK = "Goldpan-2"
"""The name of a stack that is not called what the project is called."""


def watched(alarm: dict[str, Any], stack: str = STACK) -> Iterator[Metric]:
    """Give what an alarm of a stack watches, one metric or those of its sum."""
    for metric in [row["MetricStat"]["Metric"] for row in alarm.get("Metrics", ()) if "MetricStat" in row] or [alarm]:
        dimensions = ((row["Name"], _text(row["Value"])) for row in metric["Dimensions"])
        namespace = evaluated(metric["Namespace"], {"AWS::StackName": stack})
        yield namespace, metric["MetricName"], tuple(sorted(dimensions))


def _text(value: Any) -> str:
    return str(value["Ref"]) if isinstance(value, dict) else str(value)


def environment(stack: str) -> dict[str, str]:
    """Give what the functions of a stack are told of their logs, metrics and traces."""
    shared = template()["Globals"]["Function"]["Environment"]["Variables"]
    told = {name: value for name, value in shared.items() if name.startswith("POWERTOOLS_")}
    return {name: evaluated(value, {"AWS::StackName": stack}) for name, value in told.items()}


def write_every_metric() -> None:
    """Measure a call and all endings of a search."""
    example = Answer.model_validate_json((ROOT / "docs" / "example-answer.json").read_text("utf-8"))
    for status in {200, *(status for status, _ in STATUSES.values())}:
        told = Response(statusCode=status, contentType="", retryAfter="", body="")
        measure_response(told, example if status == 200 else None)
    measure_call("rank", "an-id", 0.1, {"CacheHit": 1}, cold=True)


def emitted(line: dict[str, Any]) -> Iterator[Metric]:
    """Give the metrics that CloudWatch takes from a line of a log."""
    for directive in line["_aws"]["CloudWatchMetrics"]:
        for names in directive["Dimensions"]:
            for metric in directive["Metrics"]:
                yield directive["Namespace"], metric["Name"], tuple(sorted((name, line[name]) for name in names))
