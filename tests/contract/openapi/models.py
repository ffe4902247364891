"""Schemas in one plain form, so that those of pydantic and those of the contract can be compared by `==`."""

from __future__ import annotations

from typing import Any

from tests.contract.openapi.contract import NOTHING

SILENT = {"title", "description", "nullable", "propertyNames", "$defs"}
"""Words for people, and what is told in another way: `null` below, and the length of names, which 3.0 cannot say."""


def plain(schema: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """Give a schema without references and titles, with `null: true` where null is allowed."""
    if "$ref" in schema:
        return plain(_at(schema["$ref"], whole), whole)
    if "anyOf" in schema:
        [form] = [inner for inner in schema["anyOf"] if inner not in ({"type": "null"}, NOTHING)]
        return {**plain(form, whole), **_default(schema), "null": True}
    made = {key: value for key, value in schema.items() if key not in SILENT | {"default"}} | _default(schema)
    if schema.get("nullable"):
        made["null"] = True
    if isinstance(made.get("exclusiveMinimum"), int | float) and made["exclusiveMinimum"] is not True:
        made |= {"minimum": made["exclusiveMinimum"], "exclusiveMinimum": True}
    for key in ("items", "additionalProperties"):
        if isinstance(made.get(key), dict):
            made[key] = plain(made[key], whole)
    if "properties" in made:
        made["properties"] = {name: plain(inner, whole) for name, inner in made["properties"].items()}
    if "required" in made:
        made["required"] = sorted(made["required"])
    return made


def _at(pointer: str, whole: dict[str, Any]) -> dict[str, Any]:
    for part in pointer.removeprefix("#/").split("/"):
        whole = whole[part]
    return whole


def _default(schema: dict[str, Any]) -> dict[str, Any]:
    """Give the default, unless it is null, which CloudFormation refuses to read."""
    return {"default": schema["default"]} if schema.get("default") is not None else {}


def without(schema: dict[str, Any], *keys: str) -> dict[str, Any]:
    """Leave keywords out, at every depth."""
    made = {key: value for key, value in schema.items() if key not in keys}
    if isinstance(made.get("items"), dict):
        made["items"] = without(made["items"], *keys)
    if "properties" in made:
        made["properties"] = {name: without(inner, *keys) for name, inner in made["properties"].items()}
    return made
