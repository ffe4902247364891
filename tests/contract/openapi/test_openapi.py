"""The contract is valid OpenAPI, and API Gateway and CloudFormation can read it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import goldpan
import yaml
from openapi_spec_validator import validate

from tests.contract.openapi.contract import CONTRACT, HEALTH, SCHEMAS, SEARCH, TEXT

INTEGRATION = SEARCH["x-amazon-apigateway-integration"]


def _walk(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, value
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _walk(inner, (*path, str(key)))


def test_cloudformation_can_include_it() -> None:
    """It is valid OpenAPI without null and alias; intrinsic functions are long, and under x-amazon-* only."""
    validate(CONTRACT)
    assert CONTRACT["info"]["version"] == goldpan.__version__
    assert [path for path, value in _walk(CONTRACT) if value is None] == []
    assert not [event for event in yaml.parse(TEXT) if isinstance(event, yaml.AliasEvent)]
    assert {path[-1] for path, _ in _walk(CONTRACT) if path and path[-1].startswith(("Fn::", "Ref"))} == {"Fn::Sub"}
    paths = [path for path, value in _walk(CONTRACT) if isinstance(value, str) and "${" in value]
    assert all(path[-1] == "Fn::Sub" and any(part.startswith("x-amazon-") for part in path) for path in paths)


def test_api_gateway_can_import_it() -> None:
    """Model names are alphanumeric, and no $ref is inside anyOf; only declared responses and overrides have effect."""
    assert all(name.isalnum() for name in SCHEMAS)
    assert not [path for path, _ in _walk(SCHEMAS) if path and path[-1] == "$ref" and "anyOf" in path]
    for operation in (SEARCH, HEALTH):
        integration = operation["x-amazon-apigateway-integration"]
        assert {each["statusCode"] for each in integration["responses"].values()} <= set(operation["responses"])
        names = set(re.findall(r"\$context\.responseOverride\.([\w.-]*)", json.dumps(integration)))
        assert names <= {"status", "header.Content-Type", "header.Retry-After"}


def test_a_search_needs_a_key_and_a_valid_json_body() -> None:
    """The key is required at the operation, the body is validated before anything starts, health is open."""
    assert (SEARCH["security"], HEALTH["security"]) == ([{"api_key": []}], [])
    scheme = {"type": "apiKey", "name": "x-api-key", "in": "header"}
    assert CONTRACT["components"]["securitySchemes"] == {"api_key": scheme}
    assert SEARCH["x-amazon-apigateway-auth"] == {"type": {"Fn::Sub": "${ApiAuthorization}"}}
    assert HEALTH["x-amazon-apigateway-auth"] == {"type": "NONE"}
    name = SEARCH["x-amazon-apigateway-request-validator"]
    assert CONTRACT["x-amazon-apigateway-request-validators"][name]["validateRequestBody"] is True
    assert INTEGRATION["passthroughBehavior"] == "never"
    assert set(INTEGRATION["requestTemplates"]) == set(SEARCH["requestBody"]["content"]) == {"application/json"}
    assert INTEGRATION["timeoutInMillis"] == 29_000
