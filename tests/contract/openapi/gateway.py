"""API Gateway as the contract sets it up: a body becomes a call of StartSyncExecution, its result a response."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.contract.openapi.contract import SEARCH
from tests.contract.openapi.velocity import Payload, render

INTEGRATION: dict[str, Any] = SEARCH["x-amazon-apigateway-integration"]
MACHINE = "arn:aws:states:eu-west-1:123456789012:stateMachine:SearchMachine-a1b2c3"
PROBLEM = "application/problem+json"
SECRET = "s3cr3t"


@dataclass(frozen=True)
class Reply:
    """What the asker receives."""

    status: int
    headers: dict[str, str]
    body: str

    @property
    def problem(self) -> dict[str, Any]:
        """The problem details; the body must be some."""
        assert self.headers["Content-Type"] == PROBLEM
        details: dict[str, Any] = json.loads(self.body)
        assert details["status"] == self.status
        return details


def start(payload: Payload, trace: str | None = None) -> dict[str, Any]:
    """Give what StartSyncExecution is asked with."""
    template = INTEGRATION["requestTemplates"]["application/json"]["Fn::Sub"].replace("${SearchMachine}", MACHINE)
    text, overrides = render(template, payload, trace)
    assert overrides == {"header": {}}
    asked: dict[str, Any] = json.loads(text)
    return asked


def reply(told: Mapping[str, Any], http: int = 200) -> Reply:
    """Give the response to what StartSyncExecution told, with its own HTTP status."""
    responses: dict[str, Any] = INTEGRATION["responses"]
    named = [made for pattern, made in responses.items() if pattern != "default" and re.fullmatch(pattern, str(http))]
    chosen = named[0] if named else responses["default"]
    text, overrides = render(chosen["responseTemplates"]["application/json"], Payload(json.dumps(told)))
    status = overrides.get("status", int(chosen["statusCode"]))
    assert type(status) is int, "API Gateway overlooks a status that is no integer"
    return Reply(status, {"Content-Type": "application/json", **overrides["header"]}, text)


def run(status: str, output: str | None = None, **more: str) -> dict[str, Any]:
    """Make what StartSyncExecution tells of a run, with all that belongs to nobody outside."""
    told = {
        "executionArn": f"arn:aws:states:eu-west-1:123456789012:express:SearchMachine:{SECRET}",
        "input": json.dumps({"request": {"query": SECRET}}),
        "name": SECRET,
        "stateMachineArn": f"{MACHINE}-{SECRET}",
        "startDate": 1.7e9,
        "status": status,
        **more,
    }
    return told if output is None else {**told, "output": output, "outputDetails": {"included": True}}


def ended(ending: Mapping[str, Any]) -> dict[str, Any]:
    """Make what StartSyncExecution tells of a run that ended as the machine ends."""
    return run("SUCCEEDED", json.dumps(ending))
