"""The permissions of the template, statement by statement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.contract.stack.documents import resources

ROLES = resources("AWS::IAM::Role")


def statements(role: str) -> Iterator[tuple[str | None, dict[str, Any]]]:
    """Give each statement of a role with the condition under which it exists."""
    for policy in ROLES[role]["Policies"]:
        for statement in policy["PolicyDocument"]["Statement"]:
            if "Fn::If" in statement:
                condition, granted, otherwise = statement["Fn::If"]
                assert otherwise == {"Ref": "AWS::NoValue"}
                yield condition, granted
            else:
                yield None, statement


def listed(value: Any) -> list[Any]:
    """Give a list of what may stand alone."""
    return value if isinstance(value, list) else [value]


def actions(statement: dict[str, Any]) -> set[str]:
    """Give what a statement allows."""
    return set(listed(statement["Action"]))
