"""The contract as it is written, as a reader of OpenAPI takes it, and as API Gateway keeps it after the import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft4Validator

ROOT = Path(__file__).resolve().parents[3]
TEXT = (ROOT / "api" / "openapi.yaml").read_text("utf-8")
CONTRACT: dict[str, Any] = yaml.safe_load(TEXT)
SCHEMAS: dict[str, Any] = CONTRACT["components"]["schemas"]
SEARCH: dict[str, Any] = CONTRACT["paths"]["/search"]["post"]
HEALTH: dict[str, Any] = CONTRACT["paths"]["/health"]["get"]
GATEWAY_RESPONSES: dict[str, Any] = CONTRACT["x-amazon-apigateway-gateway-responses"]
NOTHING = {
    "not": {
        "anyOf": [
            {"type": "boolean"},
            {"type": "number"},
            {"type": "string"},
            {"type": "array", "items": {}},
            {"type": "object"},
        ]
    }
}
"""Null, in the one form that the gateway keeps."""
DROPPED = {"nullable", "default", "example", "exclusiveMinimum", "minItems", "maxItems"}
"""What API Gateway's import does not know, by its documentation; `allOf` and the like without a $ref it does know."""


def as_written(name: str) -> Draft4Validator:
    """Read a schema as OpenAPI 3.0 means it, with `nullable` in the words of JSON Schema."""
    return _validator(name, _with_null)


def as_imported(name: str) -> Draft4Validator:
    """Read a schema as API Gateway keeps it: what it does not know is gone."""
    return _validator(name, lambda schema: {key: value for key, value in schema.items() if key not in DROPPED})


def _with_null(schema: dict[str, Any]) -> dict[str, Any]:
    if not schema.get("nullable"):
        return schema
    return {**schema, "type": [schema["type"], "null"]}


def _validator(name: str, translate: Any) -> Draft4Validator:
    schemas = {key: _schema(value, translate) for key, value in SCHEMAS.items()}
    return Draft4Validator({"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}})


def _schema(schema: dict[str, Any], translate: Any) -> dict[str, Any]:
    """Translate a schema and those within it; the names of properties are no keywords."""
    made = dict(translate(schema))
    for key in ("items", "not", "additionalProperties"):
        if isinstance(made.get(key), dict):
            made[key] = _schema(made[key], translate)
    if "anyOf" in made:
        made["anyOf"] = [_schema(inner, translate) for inner in made["anyOf"]]
    if "properties" in made:
        made["properties"] = {name: _schema(inner, translate) for name, inner in made["properties"].items()}
    return made
