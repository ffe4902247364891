"""Write alarms.json, which the template includes, from alarms.yaml and topic.yaml: `make alarms`."""

import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

SOURCE = Path(__file__).with_name("alarms.yaml")
TOPIC, GENERATED = SOURCE.with_name("topic.yaml"), SOURCE.with_suffix(".json")
Properties = dict[str, object]
DEFAULTS: Properties = {
    "EvaluationPeriods": 1,
    "ComparisonOperator": "GreaterThanOrEqualToThreshold",
    "TreatMissingData": "notBreaching",
    "AlarmActions": {"Fn::If": ["HasAlarmEmail", [{"Ref": "AlarmTopic"}], {"Ref": "AWS::NoValue"}]},
}
"""What every alarm has. Missing data mean that there were no requests, or nothing to count."""


class Loader(yaml.SafeLoader):
    """Reads YAML with `!Ref` and `!Sub`."""


Loader.add_constructor("!Ref", lambda _, node: {"Ref": node.value})
Loader.add_constructor("!Sub", lambda _, node: {"Fn::Sub": node.value})


def generate(text: str, topic: str) -> str:
    """Return the alarms, and the resources of the topic, as resources of CloudFormation in JSON."""
    alarms, further = (yaml.load(each, Loader) for each in (text, topic))  # noqa: S506 - it extends the safe loader
    return json.dumps({name: alarm(**given) for name, given in alarms.items()} | further, indent=1) + "\n"


def alarm(  # noqa: PLR0913 - the fields of the YAML
    *,
    namespace: object,
    metrics: list[str],
    dimensions: list[Mapping[str, object]],
    seconds: int,
    less: Mapping[str, Any] | None = None,
    condition: str = "",
    **properties: object,
) -> Properties:
    """Return one alarm: of its metric, or of the sum of several, in which a missing one counts as 0.

    `less` has the namespace, metrics and dimensions of what the sum does not count.
    """
    watched = _metrics(namespace, metrics, dimensions)
    statistic = {} if "ExtendedStatistic" in properties else {"Statistic": "Sum"}
    one = {**watched[0], **statistic, "Period": seconds}
    summed = _sum(watched, _metrics(**less) if less else [], seconds)
    made = {**DEFAULTS, **properties, **(one if len(watched) == 1 else {"Metrics": summed})}
    return {"Type": "AWS::CloudWatch::Alarm", **({"Condition": condition} if condition else {}), "Properties": made}


def _metrics(namespace: object, metrics: list[str], dimensions: list[Mapping[str, object]]) -> list[Properties]:
    """Return each metric with each of the dimensions."""
    return [
        {"Namespace": namespace, "MetricName": name, "Dimensions": [{"Name": k, "Value": v} for k, v in values.items()]}
        for name, values in itertools.product(metrics, dimensions)
    ]


def _sum(added: list[Properties], subtracted: list[Properties], seconds: int) -> list[Properties]:
    """Return the metrics with the expression of their sum."""
    rows: list[Properties] = [
        {"Id": f"part{number}", "ReturnData": False, "MetricStat": {"Metric": each, "Period": seconds, "Stat": "Sum"}}
        for number, each in enumerate([*added, *subtracted], 1)
    ]
    filled = [f"FILL({row['Id']}, 0)" for row in rows]
    expression = " - ".join([" + ".join(filled[: len(added)]), *filled[len(added) :]])
    return [{"Id": "total", "Expression": expression}, *rows]


if __name__ == "__main__":
    GENERATED.write_text(generate(SOURCE.read_text("utf-8"), TOPIC.read_text("utf-8")), "utf-8")
