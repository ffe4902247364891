"""The rules that every role keeps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from goldpan.engine.events import FUNCTIONS

from tests.contract.stack.documents import (
    CONTRACT,
    TEMPLATE,
    CloudFormationLoader,
    function_id,
    functions,
    resources,
    strings,
)
from tests.contract.stack.permissions import ROLES, actions, listed, statements

TRACES = {"xray:PutTraceSegments", "xray:PutTelemetryRecords"}
LOG_DELIVERY = {
    "logs:CreateLogDelivery", "logs:GetLogDelivery", "logs:UpdateLogDelivery", "logs:DeleteLogDelivery",
    "logs:ListLogDeliveries", "logs:PutResourcePolicy", "logs:DescribeResourcePolicies", "logs:DescribeLogGroups",
}  # fmt: skip
SAMPLING = {"xray:GetSamplingRules", "xray:GetSamplingTargets"}
GATEWAY_LOGS = {
    "logs:CreateLogGroup", "logs:CreateLogStream", "logs:DescribeLogGroups", "logs:DescribeLogStreams",
    "logs:PutLogEvents", "logs:GetLogEvents", "logs:FilterLogEvents",
}  # fmt: skip
"""What API Gateway demands of the one role under which all APIs of an account log.
https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html"""
SERVICES = {
    **dict.fromkeys(("SearchMachineRole", "WarmUpMachineRole"), "states"),
    **dict.fromkeys(("SearchApiRole", "ApiGatewayAccountRole"), "apigateway"),
    "WarmUpScheduleRole": "scheduler",
}
"""Who takes a role that is not Lambda's."""
ON_ALL: dict[str, set[str]] = {
    **dict.fromkeys(("SearchMachineRole", "WarmUpMachineRole"), TRACES | LOG_DELIVERY | SAMPLING),
    "SearchApiRole": set(),
    "WarmUpScheduleRole": set(),
    "ApiGatewayAccountRole": GATEWAY_LOGS,
    **{function_id(name).replace("Function", "Role"): TRACES for name in FUNCTIONS.values()},
}
"""What AWS allows on `*` alone, by role; everything else names its resource."""
BY_ROLE = pytest.mark.parametrize("role", sorted(ROLES))


def test_every_role_is_of_one_only() -> None:
    """Each function, machine, schedule and API has a role of its own, and no role is left over."""
    users = {**functions(), **resources("AWS::Serverless::StateMachine")}
    named = [properties["Role"]["Fn::GetAtt"][0] for properties in users.values()]
    named += [
        schedule["Target"]["RoleArn"]["Fn::GetAtt"][0] for schedule in resources("AWS::Scheduler::Schedule").values()
    ]
    named += [
        account["CloudWatchRoleArn"]["Fn::GetAtt"][0] for account in resources("AWS::ApiGateway::Account").values()
    ]
    named += re.findall(r"\$\{(\w+)\.Arn\}", CONTRACT.read_text("utf-8"))
    assert sorted(named) == sorted(ROLES)


@BY_ROLE
def test_a_role_has_no_borrowed_policy(role: str) -> None:
    """AWS's ready policies give more than is needed; each permission stands in the template."""
    assert set(ROLES[role]) == {"AssumeRolePolicyDocument", "Policies"}


@BY_ROLE
def test_a_role_is_taken_by_one_service(role: str) -> None:
    """Lambda takes the roles of the functions, each other service that of its own part, nobody else any."""
    [trust] = ROLES[role]["AssumeRolePolicyDocument"]["Statement"]
    service = SERVICES.get(role, "lambda")
    assert trust["Principal"] == {"Service": f"{service}.amazonaws.com"}
    if service in {"states", "scheduler"}:
        assert trust["Condition"] == {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}


@BY_ROLE
def test_nothing_is_allowed_on_everything_but_what_aws_allows_nowhere_else(role: str) -> None:
    """`*` stands only where AWS knows no resource: traces, log deliveries, and the log role of all APIs."""
    found = set[str]()
    for _, statement in statements(role):
        if "*" in listed(statement["Resource"]):
            found |= actions(statement)
    assert found == ON_ALL[role]


@BY_ROLE
def test_everything_allowed_is_spelled_out(role: str) -> None:
    """No star stands for a part of an action or of a resource, and nothing is allowed by what it leaves out."""
    for _, statement in statements(role):
        assert not [action for action in actions(statement) if "*" in action]
        assert not {"NotAction", "NotResource", "NotPrincipal"} & set(statement)
        assert not [text for text in strings(statement["Resource"]) if "*" in text.removeprefix("*")]


def test_every_permission_has_its_reason_beside_it() -> None:
    """Above each statement stands a comment that says why."""
    lines = TEMPLATE.read_text("utf-8").splitlines()
    document = yaml.compose("\n".join(lines), Loader=CloudFormationLoader)
    begins = [first.start_mark.line for node in _sequences(document, "Statement") for first in node.value]
    assert len(begins) >= 40
    assert [line + 1 for line in begins if not lines[line - 1].strip().startswith("# ")] == []


def _sequences(node: Any, key: str) -> Iterator[yaml.SequenceNode]:
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            if name.value == key:
                assert isinstance(value, yaml.SequenceNode)
                yield value
            yield from _sequences(value, key)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _sequences(value, key)
