"""Each role may do what its function does, and nothing else."""

from __future__ import annotations

import pytest

from tests.contract.stack.documents import functions, template
from tests.contract.stack.permissions import actions, statements

BY_FUNCTION = pytest.mark.parametrize("function", sorted(functions()))


@BY_FUNCTION
def test_a_function_writes_to_its_own_log_alone(function: str) -> None:
    """Its own group, which the stack makes; no right to make another."""
    role = function.replace("Function", "Role")
    granted = [statement for _, statement in statements(role) if any("logs:" in name for name in actions(statement))]
    assert [(actions(statement), statement["Resource"]) for statement in granted] == [
        (
            {"logs:CreateLogStream", "logs:PutLogEvents"},
            {"Fn::GetAtt": [function.replace("Function", "Logs"), "Arn"]},
        )
    ]


@BY_FUNCTION
def test_a_function_reads_the_secrets_of_its_settings_alone(function: str) -> None:
    """Each secret that its environment names may be read where it has a name; query_translator reads no token."""
    environment = functions()[function]["Environment"]["Variables"]
    expected = {
        (f"Has{parameter.removesuffix('Parameter')}", parameter)
        for name, value in environment.items()
        if name.endswith("_PARAMETER")
        for parameter in [value["Ref"]]
    }
    if function == "QueryTranslatorFunction":
        expected -= {("HasGitHubToken", "GitHubTokenParameter")}
    granted = {
        (condition, statement["Resource"]["Fn::Sub"].partition(":parameter")[2].strip("${}"))
        for condition, statement in statements(function.replace("Function", "Role"))
        if actions(statement) == {"ssm:GetParameter"}
    }
    assert granted == expected


@BY_FUNCTION
def test_a_key_decrypts_by_way_of_ssm_alone(function: str) -> None:
    """A key of the operator's own is used where it is given, and for nothing but the secrets in SSM."""
    [(condition, statement)] = [
        found for found in statements(function.replace("Function", "Role")) if actions(found[1]) == {"kms:Decrypt"}
    ]
    assert condition == "HasSecretsKey"
    assert statement["Resource"] == {"Ref": "SecretsKeyArn"}
    assert statement["Condition"] == {
        "StringEquals": {"kms:ViaService": {"Fn::Sub": "ssm.${AWS::Region}.amazonaws.com"}}
    }


def test_the_machine_calls_the_three_aliases_alone() -> None:
    """What the flow calls is what its role may call: published versions, never $LATEST."""
    [invoked] = [
        statement for _, statement in statements("SearchMachineRole") if actions(statement) == {"lambda:InvokeFunction"}
    ]
    given = template()["Resources"]["SearchMachine"]["Properties"]["DefinitionSubstitutions"]
    called = {name: value for name, value in given.items() if name.endswith("Function")}
    assert invoked["Resource"] == list(called.values())
    assert called == {name: {"Ref": f"{name}.Alias"} for name in functions()}


def test_a_starter_starts_its_machine_alone() -> None:
    """The API starts searches and waits for them, the schedule starts warm-ups; nothing else is theirs."""
    started = {
        role: [(actions(statement), statement["Resource"]) for _, statement in statements(role)]
        for role in ("SearchApiRole", "WarmUpScheduleRole")
    }
    assert started == {
        "SearchApiRole": [({"states:StartSyncExecution"}, {"Ref": "SearchMachine"})],
        "WarmUpScheduleRole": [({"states:StartExecution"}, {"Ref": "WarmUpMachine"})],
    }
