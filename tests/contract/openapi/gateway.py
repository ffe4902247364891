"""Runs the mapping templates of the contract as API Gateway does, and on Apache Velocity too if it is installed."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.contract.openapi.contract import IMPORTED, SERVED
from tests.support import apache_velocity, velocity
from tests.support.dynamodb_service import TABLES

INTEGRATION: dict[str, Any] = SERVED["/search"]["x-amazon-apigateway-integration"]
MACHINE = "arn:aws:states:eu-west-1:123456789012:stateMachine:SearchMachine-a1b2c3"
ACCEPTING = "arn:aws:states:eu-west-1:123456789012:stateMachine:AcceptMachine-d4e5f6"
READING: dict[str, Any] = SERVED["/search/{id}"]["x-amazon-apigateway-integration"]
NOW = 1_764_300_000
"""The time of each request, in seconds since 1970."""
NONE: Mapping[str, dict[str, str]] = {}
SECRET, REQUEST_ID = "s3cr3t", "33333333-4444-5555-6666-777777777777"
BOUND = "a1b2c3=thesis,notes;d4=team;unbound1=*"
"""The keys that are bound to projects."""


@dataclass(frozen=True)
class Reply:
    """The response that the client receives."""

    status: int
    headers: dict[str, str]
    body: str

    @property
    def problem(self) -> dict[str, Any]:
        """The problem details."""
        assert self.headers["Content-Type"] == "application/problem+json"
        details: dict[str, Any] = json.loads(self.body)
        assert details["status"] == self.status
        return details


def render(
    template: str, body: str, *, key: str = "unbound1", parameters: Mapping[str, dict[str, str]] = NONE, **more: str
) -> tuple[str, dict[str, Any]]:
    """Run a template; return its text and the overrides that it set. `more` are further variables of the context."""
    context: dict[str, Any] = {"identity": {"apiKeyId": key}, "requestId": REQUEST_ID}
    context |= {"path": "/live/search", "requestTimeEpoch": 1000 * NOW, **more}
    rendered = velocity.render(template, body, context, **parameters)
    if apache_velocity.IS_INSTALLED:
        given: dict[str, dict[str, str]] = {"path": {}, "header": {}, **parameters}
        assert apache_velocity.render(template, body, context, params=given) == rendered
    return rendered


def sent(path: str, body: str, trace: str | None = None, *, key: str = "unbound1", **headers: str) -> dict[str, Any]:
    """Return what the integration of a path receives for a body that came with a key and headers."""
    integration = IMPORTED["paths"][path]["post"]["x-amazon-apigateway-integration"]
    template, _ = integration["requestTemplates"]["application/json"]["Fn::Sub"]
    traced = {} if trace is None else {"xrayTraceId": trace}
    text, overrides = render(substituted(template), body, key=key, parameters={"header": headers}, **traced)
    assert overrides == {"header": {}}
    received: dict[str, Any] = json.loads(text)
    return received


def execution_input(path: str, body: str, *, key: str = "unbound1") -> dict[str, Any]:
    """Return the input of the execution that a body starts, without `*`."""
    value = started(path, body, key=key)
    return {name: part for name, part in value.items() if part != "*"}


def started(path: str, body: str, *, key: str = "unbound1") -> dict[str, Any]:
    """Return the whole input of the execution that a body starts."""
    value: dict[str, Any] = json.loads(sent(path, body, key=key)["input"])
    return value


def substituted(template: str, projects: str = BOUND, origin: str = "") -> str:
    """Return a template with the values of a stack."""
    values = {"Machine": MACHINE, "AcceptMachine": ACCEPTING, "ApiKeyProjects": projects, "CorsOrigin": origin}
    values["CacheTable"] = TABLES["CacheTable"]
    for name, value in values.items():
        template = template.replace(f"${{{name}}}", value)
    return template


def item_key(search_id: str) -> dict[str, Any]:
    """Return what DynamoDB receives for the id of a search."""
    template = READING["requestTemplates"]["application/json"]["Fn::Sub"]
    text, _ = render(substituted(template), "{}", parameters={"path": {"id": search_id}})
    received: dict[str, Any] = json.loads(text)
    return received


def reply(
    result: Mapping[str, Any], http: int = 200, integration: Mapping[str, Any] = INTEGRATION, **context: Any
) -> Reply:
    """Return the response for a result of an integration, with its HTTP status."""
    responses: dict[str, Any] = integration["responses"]
    matching = (each for pattern, each in responses.items() if re.fullmatch(pattern, str(http)))
    chosen = next(matching, responses["default"])
    template = chosen["responseTemplates"]["application/json"]["Fn::Sub"]
    text, overrides = render(substituted(template), json.dumps(result), **context)
    assert overrides["header"].pop("x-request-id") == REQUEST_ID
    status = overrides.get("status", int(chosen["statusCode"]))
    assert type(status) is int, "API Gateway ignores a status that is not an integer"
    return Reply(status, {"Content-Type": "application/json", **overrides["header"]}, text)


def execution(status: str, output: object = None, **more: str) -> dict[str, Any]:
    """Make the result of StartSyncExecution, with everything that must stay inside."""
    private = {"executionArn": f"arn:{SECRET}", "input": SECRET, "name": SECRET, "stateMachineArn": f"arn:{SECRET}"}
    written = output if isinstance(output, str) else json.dumps(output)
    return {**private, "status": status, **more} | ({} if output is None else {"output": written})
