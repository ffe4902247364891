"""The file is OpenAPI for everyone, and for API Gateway and CloudFormation something that they can read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import goldpan
import pytest
import yaml
from openapi_spec_validator import validate

from tests.contract.openapi.contract import CONTRACT, HEALTH, SCHEMAS, SEARCH, TEXT

SUBSTITUTED = {"ApiAuthorization", "AWS::Partition", "AWS::Region", "SearchApiRole.Arn", "SearchMachine"}
"""What the template has to bring: a parameter, two of CloudFormation's own, a role and the machine."""
OPERATIONS = pytest.mark.parametrize("operation", [SEARCH, HEALTH], ids=["search", "health"])


def _walk(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, value
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _walk(inner, (*path, str(key)))


def test_the_file_is_openapi() -> None:
    """Any reader of OpenAPI 3.0 takes the file as it is."""
    validate(CONTRACT)


def test_the_version_is_the_package_s() -> None:
    """The contract has the version of what keeps it."""
    assert CONTRACT["info"]["version"] == goldpan.__version__


def test_there_are_two_routes() -> None:
    """A search is posted, and the gateway's health is read; there is nothing else."""
    assert {path: set(methods) for path, methods in CONTRACT["paths"].items()} == {
        "/search": {"post"},
        "/health": {"get"},
    }


def test_nothing_is_null() -> None:
    """CloudFormation refuses a template with a null in it, and this file becomes part of one."""
    assert [path for path, value in _walk(CONTRACT) if value is None] == []


def test_the_file_has_no_anchors() -> None:
    """CloudFormation reads no aliases of YAML."""
    assert not [event for event in yaml.parse(TEXT) if isinstance(event, yaml.AliasEvent)]


def test_what_is_for_cloudformation_stands_where_others_skip_it() -> None:
    """Intrinsic functions are long, stand under x-amazon-* alone, and need nothing but what the template brings."""
    texts = [(path, value) for path, value in _walk(CONTRACT) if isinstance(value, str) and "${" in value]
    assert {path[-1] for path, _ in texts} == {"Fn::Sub"}
    assert all(any(part.startswith("x-amazon-") for part in path) for path, _ in texts)
    assert {name for _, text in texts for name in re.findall(r"\$\{([^}]+)\}", text)} == SUBSTITUTED
    assert {path[-1] for path, _ in _walk(CONTRACT) if path and path[-1].startswith(("Fn::", "Ref"))} == {"Fn::Sub"}


def test_a_search_needs_a_key() -> None:
    """The key stands at the operation: the gateway overlooks one at the root."""
    assert SEARCH["security"] == [{"api_key": []}]
    assert "security" not in CONTRACT
    assert CONTRACT["components"]["securitySchemes"] == {
        "api_key": {"type": "apiKey", "name": "x-api-key", "in": "header"}
    }


def test_who_may_search_is_the_operator_s_choice() -> None:
    """IAM authorization is a parameter of the stack; health is open to all."""
    assert SEARCH["x-amazon-apigateway-auth"] == {"type": {"Fn::Sub": "${ApiAuthorization}"}}
    assert HEALTH["x-amazon-apigateway-auth"] == {"type": "NONE"}


def test_the_body_is_checked_at_the_gateway() -> None:
    """A body is checked before anything is started; one of another type is refused rather than passed by the check."""
    name = SEARCH["x-amazon-apigateway-request-validator"]
    assert CONTRACT["x-amazon-apigateway-request-validators"][name]["validateRequestBody"] is True
    integration = SEARCH["x-amazon-apigateway-integration"]
    assert integration["passthroughBehavior"] == "never"
    assert set(integration["requestTemplates"]) == set(SEARCH["requestBody"]["content"]) == {"application/json"}


def test_the_gateway_waits_longer_than_the_machine_runs() -> None:
    """A search that is cut is told by the machine, not by the gateway."""
    assert SEARCH["x-amazon-apigateway-integration"]["timeoutInMillis"] == 29_000


@OPERATIONS
def test_every_response_of_an_integration_is_declared(operation: dict[str, Any]) -> None:
    """The gateway imports no response that the operation does not name."""
    integration = operation["x-amazon-apigateway-integration"]
    assert {made["statusCode"] for made in integration["responses"].values()} <= set(operation["responses"])


def test_the_schemas_keep_the_limits_of_the_gateway() -> None:
    """Names are alphanumeric, no $ref stands in an anyOf, and a model has 400 KB at most."""
    assert all(name.isalnum() for name in SCHEMAS)
    assert not [path for path, _ in _walk(SCHEMAS) if path and path[-1] == "$ref" and "anyOf" in path]
    assert len(json.dumps(SCHEMAS)) < 400_000


def test_no_response_is_a_reference() -> None:
    """The gateway takes the responses of an operation only where they stand."""
    assert not [code for op in (SEARCH, HEALTH) for code, response in op["responses"].items() if "$ref" in response]


@OPERATIONS
def test_an_override_is_spelled_as_the_gateway_knows_it(operation: dict[str, Any]) -> None:
    """Headers and status are overridden under $context.responseOverride; anything else would be overlooked."""
    templates = json.dumps(operation["x-amazon-apigateway-integration"])
    names = set(re.findall(r"\$context\.(responseOverride[\w.-]*)", templates))
    assert names <= {f"responseOverride.{name}" for name in ("status", "header.Content-Type", "header.Retry-After")}
