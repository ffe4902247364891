"""The functions of the template are those of the code, and each has what a function must have."""

from __future__ import annotations

from typing import Any

import pytest
from goldpan.config import PipelineConfig
from goldpan.engine.events import FUNCTIONS

from tests.contract.stack.documents import ROOT, function_id, functions, resources, template
from tests.contract.stack.evaluated import evaluated

NAMES = sorted(set(FUNCTIONS.values()))
BY_NAME = pytest.mark.parametrize("name", NAMES)
ACCOUNT_CONCURRENCY, UNRESERVED = 1000, 100
"""Calls at once that an account has by default, and those of them that Lambda lets nobody reserve.
https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html"""


def _function(name: str) -> dict[str, Any]:
    return functions()[function_id(name)]


def test_the_functions_are_those_of_the_code() -> None:
    """A function that the code names is deployed, and no other."""
    assert set(functions()) == {function_id(name) for name in NAMES}


@BY_NAME
def test_a_function_has_its_door(name: str) -> None:
    """Each function runs the door of its own name."""
    function = _function(name)
    assert function["CodeUri"] == f"functions/{name}"
    assert function["Handler"] == "app.handler"
    assert (ROOT / function["CodeUri"] / "app.py").is_file()


@BY_NAME
def test_a_function_says_its_stages(name: str) -> None:
    """Who looks at a function in the console reads which stages it runs."""
    stages = [stage for stage, function in FUNCTIONS.items() if function == name]
    assert _function(name)["Description"].startswith(f"{', '.join(stages)} - ")


@BY_NAME
def test_a_function_runs_on_what_the_design_says(name: str) -> None:
    """Python 3.13, the chosen processor, the library's layer, traced."""
    function = _function(name)
    assert function["Runtime"] == "python3.13"
    assert function["Architectures"] == [{"Ref": "Architecture"}]
    assert function["Layers"] == [{"Ref": "GoldpanLayer"}]
    assert function["Tracing"] == "Active"
    assert "EphemeralStorage" not in function, "SnapStart allows no more than the default"


@BY_NAME
def test_a_function_is_restored_from_a_snapshot(name: str) -> None:
    """A published version behind the alias, since nothing else has a snapshot."""
    function = _function(name)
    assert function["SnapStart"] == {"ApplyOn": "PublishedVersions"}
    assert function["AutoPublishAlias"] == "live"


def test_the_processor_is_arm_by_default() -> None:
    """A deployment without a choice runs on Graviton, and the layer is built for what the functions run on."""
    assert template()["Parameters"]["Architecture"]["Default"] == "arm64"
    layer = template()["Resources"]["GoldpanLayer"]
    assert layer["Metadata"] == {"BuildMethod": "python3.13", "BuildArchitecture": {"Ref": "Architecture"}}
    assert layer["Properties"]["CompatibleArchitectures"] == [{"Ref": "Architecture"}]


@BY_NAME
def test_a_function_logs_to_its_own_group(name: str) -> None:
    """Each function has a log group of the stack's, with a retention, and no other function writes there."""
    group = function_id(name).replace("Function", "Logs")
    assert _function(name)["LoggingConfig"]["LogGroup"] == {"Ref": group}
    assert resources("AWS::Logs::LogGroup")[group]["LogGroupName"] == {"Fn::Sub": f"/${{AWS::StackName}}/{name}"}


@BY_NAME
def test_a_function_writes_its_metrics_where_no_other_stack_does(name: str) -> None:
    """In the namespace that the alarms of its stack watch: the name of the stack, which no other in the region has."""
    assert _function(name)["Environment"]["Variables"]["POWERTOOLS_METRICS_NAMESPACE"] == {"Ref": "AWS::StackName"}


def test_every_log_group_forgets() -> None:
    """No log is kept for ever: a group a function, one a machine, and the API's two."""
    groups = resources("AWS::Logs::LogGroup")
    assert len(groups) == len(NAMES) + len(resources("AWS::Serverless::StateMachine")) + 2
    assert all(group["RetentionInDays"] == {"Ref": "LogRetentionDays"} for group in groups.values())


@pytest.mark.parametrize("machine", sorted(resources("AWS::Serverless::StateMachine")))
def test_the_log_of_a_machine_has_no_data(machine: str) -> None:
    """What was asked never reaches the log of a state machine; who looks for an execution has its trace."""
    properties = resources("AWS::Serverless::StateMachine")[machine]
    assert properties["Logging"]["Level"] == "ERROR"
    assert properties["Logging"]["IncludeExecutionData"] is False
    [destination] = properties["Logging"]["Destinations"]
    assert destination["CloudWatchLogsLogGroup"]["LogGroupArn"] == {"Fn::GetAtt": [f"{machine}Logs", "Arn"]}
    assert properties["Tracing"] == {"Enabled": True}


@BY_NAME
def test_calls_are_bounded_where_the_operator_says_how_many(name: str) -> None:
    """Nothing is reserved for 0; a function with nothing left would answer nobody."""
    parameter = function_id(name).replace("Function", "Concurrency")
    assert _function(name)["ReservedConcurrentExecutions"] == {
        "Fn::If": [f"Has{parameter}", {"Ref": parameter}, {"Ref": "AWS::NoValue"}]
    }
    condition = template()["Conditions"][f"Has{parameter}"]
    assert evaluated(condition, {parameter: 0}) is False
    assert evaluated(condition, {parameter: 1}) is True


def test_what_is_reserved_fits_an_account_and_a_search() -> None:
    """As many searches at once for each function: one translation, three scouts, ten scorings; 100 calls stay free."""
    reserved = {
        name: template()["Parameters"][function_id(name).replace("Function", "Concurrency")]["Default"]
        for name in NAMES
    }
    assert sum(reserved.values()) <= ACCOUNT_CONCURRENCY - UNRESERVED
    at_once = {
        "query_translator": 1,
        "scout": sum(weight > 0 for weight in PipelineConfig().strategy_weights.model_dump().values()),
        "screener": PipelineConfig().llm_concurrency,
    }
    assert len({reserved[name] / at_once[name] for name in NAMES}) == 1
    assert reserved["query_translator"] >= template()["Parameters"]["ApiBurst"]["Default"]
