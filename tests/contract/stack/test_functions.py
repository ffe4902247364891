"""The functions of the template are those of the code, and each is deployed, logged and limited correctly."""

from __future__ import annotations

from typing import Any

from goldpan.config import PipelineConfig
from goldpan.engine.deadlines import STAGE_SECONDS
from goldpan.engine.events import FUNCTIONS

from tests.contract.stack.documents import ROOT, function_id, functions, resources, template
from tests.contract.stack.evaluated import evaluate

NAMES = sorted(set(FUNCTIONS.values()))


def _function(name: str) -> dict[str, Any]:
    return functions()[function_id(name)]


def test_the_functions_are_those_of_the_code() -> None:
    """Every function that runs a stage is deployed, traced, from a snapshot, and outlasts its stages; no other is."""
    assert set(functions()) == {function_id(name) for name in NAMES}
    for name in NAMES:
        function, stages = _function(name), [stage for stage, user in FUNCTIONS.items() if user == name]
        assert (function["CodeUri"], function["Handler"]) == (f"functions/{name}", "app.handler")
        assert (ROOT / function["CodeUri"] / "app.py").is_file()
        assert (function["Runtime"], function["Tracing"]) == ("python3.13", "Active")
        assert (function["Architectures"], function["Layers"]) == ([{"Ref": "Architecture"}], [{"Ref": "GoldpanLayer"}])
        assert (function["SnapStart"], function["AutoPublishAlias"]) == ({"ApplyOn": "PublishedVersions"}, "live")
        assert "EphemeralStorage" not in function, "SnapStart allows no more than the default"
        assert function["Timeout"] > max(STAGE_SECONDS.get(stage, 0) for stage in stages)


def test_logs_and_metrics_are_separate_for_each_function_and_stack() -> None:
    """Two functions or two stacks in one region share no log group and no metric."""
    for name in NAMES:
        function, group = _function(name), function_id(name).replace("Function", "Logs")
        assert function["LoggingConfig"] == {"LogFormat": "JSON", "LogGroup": {"Ref": group}}
        assert resources("AWS::Logs::LogGroup")[group]["LogGroupName"] == {"Fn::Sub": f"/${{AWS::StackName}}/{name}"}
        assert function["Environment"]["Variables"]["POWERTOOLS_METRICS_NAMESPACE"] == {"Ref": "AWS::StackName"}


def test_every_log_expires_and_holds_no_question() -> None:
    """The groups of the functions, the two machines and the API expire; the machines log no data."""
    groups = resources("AWS::Logs::LogGroup")
    assert len(groups) == 7
    assert all(group["RetentionInDays"] == {"Ref": "LogRetentionDays"} for group in groups.values())
    for machine in resources("AWS::Serverless::StateMachine").values():
        assert (machine["Logging"]["Level"], machine["Logging"]["IncludeExecutionData"]) == ("ERROR", False)
        assert machine["Tracing"] == {"Enabled": True}


def test_the_reserved_concurrency_fits_an_account_and_a_search() -> None:
    """The defaults serve 20 searches at once, of a translation, three scouts and ten scorings; 0 reserves nothing."""
    reserved = {}
    for name in NAMES:
        parameter = function_id(name).replace("Function", "Concurrency")
        chosen = {"Fn::If": [f"Has{parameter}", {"Ref": parameter}, {"Ref": "AWS::NoValue"}]}
        assert _function(name)["ReservedConcurrentExecutions"] == chosen
        assert evaluate(template()["Conditions"][f"Has{parameter}"], {parameter: 0}) is False
        reserved[name] = template()["Parameters"][parameter]["Default"]
    assert PipelineConfig().llm_concurrency == 10
    assert reserved == {"query_translator": 20, "scout": 60, "screener": 200}
    assert sum(reserved.values()) <= 900, "AWS reserves 100 of the 1000 concurrent calls of an account"
