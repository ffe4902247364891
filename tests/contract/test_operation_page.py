"""The page for operators lists what the code counts and what the alarms watch."""

import ast
import json
import re

from goldpan.aws.telemetry import COUNTED, DIMENSIONS, UNITS

from tests.contract.stack.documents import resources
from tests.support.handlers import ROOT

PAGE = (ROOT / "docs" / "operation.md").read_text("utf-8")


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
