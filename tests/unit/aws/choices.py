"""Decides the Choice states of the Amazon States Language, as far as the definition uses them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from tests.unit.aws.paths import read

TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "IsString": lambda value, wanted: isinstance(value, str) is wanted,
    "BooleanEquals": lambda value, wanted: value is wanted,
    "StringEquals": lambda value, wanted: value == wanted,
    "StringMatches": lambda value, wanted: isinstance(value, str) and _pattern(wanted).fullmatch(value) is not None,
    "StringGreaterThanPath": lambda value, wanted: isinstance(value, str) and value > wanted,
}


def chosen(state: Mapping[str, Any], data: Any) -> str:
    """Name the state that comes next."""
    taken = (choice["Next"] for choice in state["Choices"] if _holds(choice, data))
    return str(next(taken, state["Default"]))


def _holds(rule: Mapping[str, Any], data: Any) -> bool:
    """Tell whether a rule holds; one that asks for the value of what is not there is a fault of the definition."""
    if "And" in rule:
        return all(_holds(inner, data) for inner in rule["And"])
    if "Or" in rule:
        return any(_holds(inner, data) for inner in rule["Or"])
    [(test, wanted)] = ((name, value) for name, value in rule.items() if name not in {"Variable", "Next"})
    if test == "IsPresent":
        return _is_there(rule["Variable"], data) is wanted
    value = read(rule["Variable"], data, {})
    return TESTS[test](value, read(wanted, data, {}) if test.endswith("Path") else wanted)


def _is_there(path: str, data: Any) -> bool:
    try:
        read(path, data, {})
    except (LookupError, TypeError):
        return False
    return True


def _pattern(wanted: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, wanted.split("*"))), re.DOTALL)
