"""The functions of the template are those of the code, and each has what a function must have."""

from __future__ import annotations

from typing import Any

import pytest
from goldpan.progress import FUNCTIONS

from tests.infrastructure.documents import ROOT, function_id, functions, resources, template

NAMES = sorted(set(FUNCTIONS.values()))
BY_NAME = pytest.mark.parametrize("name", NAMES)


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


def test_every_log_group_forgets() -> None:
    """No log is kept for ever."""
    groups = resources("AWS::Logs::LogGroup")
    assert len(groups) == len(NAMES) + 1
    assert all(group["RetentionInDays"] == {"Ref": "LogRetentionDays"} for group in groups.values())


def test_the_log_of_the_machine_has_no_data() -> None:
    """What was asked never reaches the log of the state machine."""
    logging = resources("AWS::Serverless::StateMachine")["SearchMachine"]["Logging"]
    assert logging["Level"] == "ERROR"
    assert logging["IncludeExecutionData"] is False
    [destination] = logging["Destinations"]
    assert destination["CloudWatchLogsLogGroup"]["LogGroupArn"] == {"Fn::GetAtt": ["SearchMachineLogs", "Arn"]}
