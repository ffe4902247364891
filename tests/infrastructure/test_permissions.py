"""The rules that every role keeps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from goldpan.progress import FUNCTIONS

from tests.infrastructure.documents import TEMPLATE, CloudFormationLoader, function_id, functions, resources, strings
from tests.infrastructure.permissions import ROLES, actions, listed, statements

TRACES = {"xray:PutTraceSegments", "xray:PutTelemetryRecords"}
LOG_DELIVERY = {
    "logs:CreateLogDelivery", "logs:GetLogDelivery", "logs:UpdateLogDelivery", "logs:DeleteLogDelivery",
    "logs:ListLogDeliveries", "logs:PutResourcePolicy", "logs:DescribeResourcePolicies", "logs:DescribeLogGroups",
}  # fmt: skip
ON_ALL = {
    "SearchMachineRole": TRACES | LOG_DELIVERY | {"xray:GetSamplingRules", "xray:GetSamplingTargets"},
    **{function_id(name).replace("Function", "Role"): TRACES for name in FUNCTIONS.values()},
}
"""What AWS allows on `*` alone, by role; everything else names its resource."""
BY_ROLE = pytest.mark.parametrize("role", sorted(ROLES))


def test_every_role_is_of_one_only() -> None:
    """Each function and the machine have a role of their own, and no role is left over."""
    users = {**functions(), **resources("AWS::Serverless::StateMachine")}
    named = [properties["Role"]["Fn::GetAtt"] for properties in users.values()]
    assert sorted(role for role, _ in named) == sorted(ROLES)


@BY_ROLE
def test_a_role_has_no_borrowed_policy(role: str) -> None:
    """AWS's ready policies give more than is needed; each permission stands in the template."""
    assert set(ROLES[role]) == {"AssumeRolePolicyDocument", "Policies"}


@BY_ROLE
def test_a_role_is_taken_by_one_service(role: str) -> None:
    """Lambda takes the roles of the functions, Step Functions that of the machine, nobody else any."""
    [trust] = ROLES[role]["AssumeRolePolicyDocument"]["Statement"]
    service = "states" if role == "SearchMachineRole" else "lambda"
    assert trust["Principal"] == {"Service": f"{service}.amazonaws.com"}


@BY_ROLE
def test_nothing_is_allowed_on_everything_but_what_aws_allows_nowhere_else(role: str) -> None:
    """`*` stands only where AWS knows no resource: traces, and the log deliveries of Step Functions."""
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
    assert len(begins) >= 20
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
