"""Reads and writes what the paths of the Amazon States Language name, as far as the definition uses them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tests.unit.aws.intrinsics import evaluated


def filled(template: Any, data: Any, context: Mapping[str, Any]) -> Any:
    """Fill a template: what ends in `.$` is a path or a call, all else stands as it is."""
    if not isinstance(template, dict):
        return template
    return {
        key.removesuffix(".$"): read(value, data, context) if key.endswith(".$") else filled(value, data, context)
        for key, value in template.items()
    }


def read(path: str, data: Any, context: Mapping[str, Any]) -> Any:
    """Follow a path, or evaluate a call."""
    return evaluated(path, lambda one: _followed(one, data, context))


def _followed(path: str, data: Any, context: Mapping[str, Any]) -> Any:
    value: Any = context if path.startswith("$$") else data
    for name, place in re.findall(r"\.([\w*]+)|\[(\d+)\]", path):
        if place and not isinstance(value, list):
            raise TypeError(path)
        value = list(value.values()) if name == "*" else value[int(place)] if place else value[name]
    return value


def put(data: Any, path: str | None, result: Any) -> Any:
    """Put a result into the data where its path says, and leave all else as it was; without a path nothing is put."""
    if path is None:
        return data
    name, _, rest = path.removeprefix("$").removeprefix(".").partition(".")
    if not name:
        return result
    return {**data, name: put(data.get(name, {}), rest, result)}
