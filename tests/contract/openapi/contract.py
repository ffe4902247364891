"""Reads the contract as it is written, as API Gateway imports it, and in a plain form to compare with pydantic's."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft4Validator

ROOT = Path(__file__).resolve().parents[3]
TEXT = (ROOT / "api" / "openapi.yaml").read_text("utf-8")
CONTRACT: dict[str, Any] = yaml.safe_load(TEXT)
SCHEMAS: dict[str, Any] = CONTRACT["components"]["schemas"]
SEARCH: dict[str, Any] = CONTRACT["paths"]["/search"]["post"]
ANALYZE: dict[str, Any] = CONTRACT["paths"]["/analyze-repo"]["post"]
HEALTH: dict[str, Any] = CONTRACT["paths"]["/health"]["get"]
GATEWAY_RESPONSES: dict[str, Any] = CONTRACT["x-amazon-apigateway-gateway-responses"]
IMPORTED: dict[str, Any] = json.loads((ROOT / "api" / "gateway.json").read_text("utf-8"))
BY_LINK: dict[str, Any] = IMPORTED["paths"]["/search"]["get"]
MODELS: dict[str, Any] = IMPORTED["components"]["schemas"]
"""The models of API Gateway."""
DESCRIPTIVE = {"title", "description", "nullable", "propertyNames", "$defs"}
"""What is not compared: texts, null (see `plain`), and the length of names, which OpenAPI 3.0 cannot express."""


def as_written(name: str) -> Draft4Validator:
    """Return a validator for a schema of OpenAPI 3.0."""
    return _validator(
        name, lambda schema: {**schema, "type": [schema["type"], "null"]} if schema.get("nullable") else schema
    )


def as_imported(name: str) -> Draft4Validator:
    """Return a validator for a model of API Gateway."""
    return Draft4Validator({"$ref": f"#/components/schemas/{name}", "components": {"schemas": MODELS}})


def _validator(name: str, translate: Any) -> Draft4Validator:
    schemas = {key: _translated(value, translate) for key, value in SCHEMAS.items()}
    return Draft4Validator({"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}})


def _translated(schema: dict[str, Any], translate: Any) -> dict[str, Any]:
    """Translate a schema and those inside it; the names of properties are no keywords."""
    made = dict(translate(schema))
    for key in ("items", "not", "additionalProperties"):
        if isinstance(made.get(key), dict):
            made[key] = _translated(made[key], translate)
    if "anyOf" in made:
        made["anyOf"] = [_translated(inner, translate) for inner in made["anyOf"]]
    if "properties" in made:
        made["properties"] = {name: _translated(inner, translate) for name, inner in made["properties"].items()}
    return made


def described_default(schema: dict[str, Any]) -> object:
    """Return the default at the end of a description; with the keyword, generated clients would require the field."""
    match = re.search(r"Default (\S+)\.$", schema.get("description", ""))
    if match is None:
        return None
    empty: dict[str, object] = {"array": [], "object": {}}
    value = yaml.safe_load(match[1])
    return empty[schema["type"]] if value == "none" else [value] if schema.get("type") == "array" else value


def plain(schema: dict[str, Any], document: dict[str, Any], *without: str) -> dict[str, Any]:
    """Return a schema without references, texts and the given keywords, with `null: true` where null is allowed."""
    if "$ref" in schema:
        inner = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            inner = inner[part]
        return plain(inner, document, *without)
    found = described_default(schema) if schema.get("default") is None else schema["default"]
    default = {"default": found} if found is not None and "default" not in without else {}
    if "anyOf" in schema:
        [form] = [inner for inner in schema["anyOf"] if inner != {"type": "null"} and "not" not in inner]
        return {**plain(form, document, *without), **default, "null": True}
    made = {key: value for key, value in schema.items() if key not in DESCRIPTIVE | {"default", *without}} | default
    if schema.get("nullable"):
        made["null"] = True
    if isinstance(made.get("exclusiveMinimum"), int | float) and made["exclusiveMinimum"] is not True:
        made |= {"minimum": made["exclusiveMinimum"], "exclusiveMinimum": True}
    for key in ("items", "additionalProperties"):
        if isinstance(made.get(key), dict):
            made[key] = plain(made[key], document, *without)
    if "properties" in made:
        made["properties"] = {name: plain(inner, document, *without) for name, inner in made["properties"].items()}
    return made
