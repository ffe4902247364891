"""Reads what the roles of the template allow."""

import re
from collections.abc import Iterator
from typing import Any

from tests.contract.stack.documents import resources

ROLES = resources("AWS::IAM::Role")
SHARED = resources("AWS::IAM::ManagedPolicy")
TableCall = tuple[str, str, str]
"""An action, the logical id of a table or the path of its index, and the beginning of the key, such as `lock#`."""


def statements(role: str) -> Iterator[tuple[str | None, dict[str, Any]]]:
    """Yield each statement of a role with the condition under which it exists, also those of a shared policy."""
    shared = [SHARED[named["Ref"]] for named in ROLES[role].get("ManagedPolicyArns", ()) if "Ref" in named]
    for policy in (*ROLES[role].get("Policies", ()), *shared):
        for statement in policy["PolicyDocument"]["Statement"]:
            condition, granted, _ = statement.get("Fn::If", (None, statement, None))
            yield condition, granted


def listed(value: Any) -> list[Any]:
    """Return a list as it is, and a single value in a list."""
    return value if isinstance(value, list) else [value]


def grants(role: str, service: str) -> list[tuple[str | None, str, Any]]:
    """Return the condition, the action and the resource of everything that a role may do with a service."""
    return [
        (condition, action.partition(":")[2], statement["Resource"])
        for condition, statement in statements(role)
        for action in listed(statement["Action"])
        if action.startswith(f"{service}:") and statement["Resource"] != "*"
    ]


def granted_tables(role: str) -> set[TableCall]:
    """Return each call of a table that a role may make; the key of an index begins with anything."""
    return {
        (action.removeprefix("dynamodb:"), _table(statement["Resource"]), prefix)
        for _, statement in statements(role)
        for action in listed(statement["Action"])
        if action.startswith("dynamodb:")
        for prefix in _prefixes(statement)
    }


def _table(resource: dict[str, Any]) -> str:
    [named] = resource.values()
    return named[0] if isinstance(named, list) else re.sub(r"\$\{(\w+)\.Arn\}", r"\1", named)


def _prefixes(statement: dict[str, Any]) -> list[str]:
    if "Condition" not in statement:
        return [""]
    patterns = statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
    assert all(re.fullmatch(r"[a-z-]+[:#]\*", pattern) for pattern in patterns)
    return [pattern.removesuffix("*") for pattern in patterns]
