"""The functions of the template are those of the code, and each is deployed, logged and limited correctly."""

from __future__ import annotations

from typing import Any

import pytest
from goldpan.config import PipelineConfig
from goldpan.engine.deadlines import STAGE_SECONDS
from goldpan.engine.events import FUNCTIONS

from tests.contract.stack.documents import ROOT, function_id, functions, resources, template
from tests.contract.stack.evaluated import evaluate

NAMES = ("query_translator", "scout", "screener")
BY_NAME = pytest.mark.parametrize("name", NAMES)
ACCOUNT_CONCURRENCY, UNRESERVED = 1000, 100
"""Concurrent calls of an account by default, and those that cannot be reserved.
https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html"""


def _function(name: str) -> dict[str, Any]:
    return functions()[function_id(name)]


def test_the_functions_are_those_of_the_code() -> None:
    """Every function that runs a stage is deployed, and no other."""
    assert set(functions()) == {function_id(name) for name in NAMES}
    assert set(FUNCTIONS.values()) == set(NAMES)


@BY_NAME
def test_a_function_runs_its_handler_on_the_specified_platform(name: str) -> None:
    """Each function runs its handler on Python 3.13 with the layer, traced, from a snapshot behind an alias."""
    function = _function(name)
    assert (function["CodeUri"], function["Handler"]) == (f"functions/{name}", "app.handler")
    assert (ROOT / function["CodeUri"] / "app.py").is_file()
    assert function["Runtime"] == "python3.13"
    assert function["Architectures"] == [{"Ref": "Architecture"}]
    assert function["Layers"] == [{"Ref": "GoldpanLayer"}]
    assert function["Tracing"] == "Active"
    assert (function["SnapStart"], function["AutoPublishAlias"]) == ({"ApplyOn": "PublishedVersions"}, "live")
    assert "EphemeralStorage" not in function, "SnapStart allows no more than the default"


@BY_NAME
def test_a_function_outlasts_its_stages(name: str) -> None:
    """A stage ends itself, and reports why, before Lambda stops its function; the description names the stages."""
    stages = [stage for stage, function in FUNCTIONS.items() if function == name]
    assert _function(name)["Description"].startswith(f"{', '.join(stages)} - ")
    assert _function(name)["Timeout"] > max(STAGE_SECONDS.get(stage, 0) for stage in stages)


def test_the_layer_is_built_for_the_processor_of_the_functions() -> None:
    """Without a choice both are for arm64."""
    assert template()["Parameters"]["Architecture"]["Default"] == "arm64"
    layer = template()["Resources"]["GoldpanLayer"]
    assert layer["Metadata"] == {"BuildMethod": "python3.13", "BuildArchitecture": {"Ref": "Architecture"}}
    assert layer["Properties"]["CompatibleArchitectures"] == [{"Ref": "Architecture"}]


@BY_NAME
def test_logs_and_metrics_are_separate_for_each_function_and_stack(name: str) -> None:
    """Two functions or two stacks in one region share no log group and no metric."""
    function, group = _function(name), function_id(name).replace("Function", "Logs")
    assert function["LoggingConfig"] == {"LogFormat": "JSON", "LogGroup": {"Ref": group}}
    assert resources("AWS::Logs::LogGroup")[group]["LogGroupName"] == {"Fn::Sub": f"/${{AWS::StackName}}/{name}"}
    assert function["Environment"]["Variables"]["POWERTOOLS_METRICS_NAMESPACE"] == {"Ref": "AWS::StackName"}


def test_every_log_expires() -> None:
    """No log group keeps its lines for ever: those of the functions, of the two machines and of the API."""
    groups = resources("AWS::Logs::LogGroup")
    assert len(groups) == 7
    assert all(group["RetentionInDays"] == {"Ref": "LogRetentionDays"} for group in groups.values())


@pytest.mark.parametrize("machine", ["SearchMachine", "WarmUpMachine"])
def test_the_log_of_a_machine_holds_no_data(machine: str) -> None:
    """No question reaches the log of a state machine; executions are found by their traces."""
    properties = resources("AWS::Serverless::StateMachine")[machine]
    assert (properties["Logging"]["Level"], properties["Logging"]["IncludeExecutionData"]) == ("ERROR", False)
    assert properties["Tracing"] == {"Enabled": True}


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
    assert sum(reserved.values()) <= ACCOUNT_CONCURRENCY - UNRESERVED
