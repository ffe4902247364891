"""CloudWatch's embedded metric format: what a line of it has to be, and the metrics that are taken from it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from goldpan.aws.metrics import DIMENSIONS, UNITS
from jsonschema import Draft202012Validator

NAME = {"type": "string", "minLength": 1}
DIRECTIVE = {
    "type": "object",
    "required": ["Namespace", "Dimensions", "Metrics"],
    "additionalProperties": False,
    "properties": {
        "Namespace": {**NAME, "maxLength": 1024},
        "Dimensions": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "array", "maxItems": 30, "items": {**NAME, "maxLength": 250}},
        },
        "Metrics": {
            "type": "array",
            "minItems": 1,
            "maxItems": 100,
            "items": {
                "type": "object",
                "required": ["Name"],
                "additionalProperties": False,
                "properties": {
                    "Name": {**NAME, "maxLength": 1024},
                    "Unit": {"enum": ["Milliseconds", "Count", "None"]},
                },
            },
        },
    },
}
FORMAT = Draft202012Validator(
    {
        "type": "object",
        "required": ["_aws"],
        "properties": {
            "_aws": {
                "type": "object",
                "required": ["Timestamp", "CloudWatchMetrics"],
                "properties": {
                    "Timestamp": {"type": "integer"},
                    "CloudWatchMetrics": {"type": "array", "minItems": 1, "items": DIRECTIVE},
                },
            }
        },
    }
)
"""What the specification of the embedded metric format requires of a line, as far as a schema can tell."""
Row = tuple[str, dict[str, str], float]


def metric_lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Read the metrics that were written; each line keeps the format and names what the code says that it writes."""
    read = [line for text in capsys.readouterr().out.splitlines() if "_aws" in (line := json.loads(text))]
    for line in read:
        FORMAT.validate(line)
        assert abs(time.time() * 1000 - line["_aws"]["Timestamp"]) < 60_000
        assert len(json.dumps(line)) < 1024
    return read


def metrics_of(read: Sequence[dict[str, Any]]) -> Iterator[Row]:
    """Give each metric with the value of each of its dimensions, as CloudWatch would take it from the lines."""
    for line in read:
        for told in line["_aws"]["CloudWatchMetrics"]:
            assert told["Namespace"] == "goldpan"
            (names,) = told["Dimensions"]
            assert all(isinstance(line[name], str) and line[name].isascii() and line[name] for name in names)
            for metric in told["Metrics"]:
                assert metric["Unit"] == UNITS.get(metric["Name"], "Count")
                (value,) = line[metric["Name"]]
                yield metric["Name"], {name: line[name] for name in names}, value


def metrics_written(capsys: pytest.CaptureFixture[str]) -> dict[str, list[tuple[dict[str, str], float]]]:
    """Give what was written by name; every metric has its own dimensions, and no other."""
    told: dict[str, list[tuple[dict[str, str], float]]] = {}
    for name, dimensions, value in metrics_of(metric_lines(capsys)):
        assert {*dimensions} == {*DIMENSIONS[name]}
        assert dimensions.pop("service") == "goldpan"
        told.setdefault(name, []).append((dimensions, value))
    return told
