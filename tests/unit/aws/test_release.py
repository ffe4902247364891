"""A deployment: what is checked and deleted before the state machine calls its functions, and what is reported."""

from __future__ import annotations

import json
from contextlib import nullcontext
from typing import Any

import pytest
from goldpan.aws import release as module
from goldpan.aws.release import release, report

from tests.unit.aws.conftest import ENVIRONMENT

SCOUT, SCREENER = (f"arn:aws:lambda:eu-west-1:123456789012:function:{name}" for name in ("scout", "screener"))
EVENT = {
    "RequestType": "Update", "ResponseURL": "https://cloudformation.example.org/report", "StackId": "stack",
    "RequestId": "request", "LogicalResourceId": "Release", "PhysicalResourceId": "release",
    "ResourceProperties": {"ServiceToken": "release", "Versions": [f"{SCOUT}:8", f"{SCREENER}:5"]},
    "OldResourceProperties": {"ServiceToken": "release", "Versions": [f"{SCOUT}:7", f"{SCREENER}:5"]},
}  # fmt: skip


class Versions:
    """The published versions of all functions, as a client of Lambda."""

    def __init__(self) -> None:
        self.published = {SCOUT: ["$LATEST", "3", "6", "7", "8"], SCREENER: ["$LATEST", "4", "5"]}

    def get_paginator(self, operation: str) -> Versions:
        """Return what pages through the versions."""
        assert operation == "list_versions_by_function"
        return self

    def paginate(self, *, FunctionName: str) -> list[dict[str, Any]]:  # noqa: N803 - boto3's names
        """Return one page for each version."""
        return [{"Versions": [{"Version": version}]} for version in self.published[FunctionName]]

    def delete_function(self, *, FunctionName: str, Qualifier: str) -> None:  # noqa: N803 - boto3's names
        """Delete a version."""
        self.published[FunctionName].remove(Qualifier)


def test_the_versions_of_the_deployment_before_are_kept() -> None:
    """A search that began with them can end with them; those before them are deleted, because they cost money."""
    client = Versions()
    assert not release(EVENT, ENVIRONMENT, client)
    assert client.published == {SCOUT: ["$LATEST", "7", "8"], SCREENER: ["$LATEST", "5"]}


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"LLM_BASE_URL": "https://llm.example.org/v1"}, "Misconfigured: LLM_API_KEY is not set"),
        ({"GITHUB_API_URL": "undefined"}, "Misconfigured: GITHUB_API_URL"),
        ({"EMBEDDING_MODEL": "own-model"}, "Misconfigured: EMBEDDING_BASE_URL is not set"),
    ],
)
def test_a_wrong_setting_fails_the_deployment_by_name(settings: dict[str, str], reason: str) -> None:
    """Nothing is deleted."""
    client = Versions()
    assert release(EVENT, ENVIRONMENT | settings, client).startswith(reason)
    assert client.published == Versions().published


@pytest.mark.parametrize("request_type", ["Create", "Delete"])
def test_a_stack_that_is_created_or_deleted(request_type: str) -> None:
    """The first deployment has no versions before it; a wrong setting does not keep a stack from being deleted."""
    event = {name: value for name, value in EVENT.items() if name != "OldResourceProperties"}
    broken = {"GITHUB_API_URL": "undefined"} if request_type == "Delete" else {}
    client = Versions()
    assert not release(event | {"RequestType": request_type}, ENVIRONMENT | broken, client)
    assert (client.published == Versions().published) == (request_type == "Delete")


@pytest.mark.parametrize(("reason", "status"), [("", "SUCCESS"), ("Misconfigured: LLM_MODEL is not set", "FAILED")])
def test_cloudformation_gets_a_report(reason: str, status: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one it would wait, so the report also has the reason of a failure."""
    sent = list[Any]()

    def urlopen(request: Any, timeout: float) -> nullcontext[None]:
        assert timeout <= 10
        sent.append(request)
        return nullcontext()

    monkeypatch.setattr(module, "urlopen", urlopen)
    report(EVENT, reason)
    [request] = sent
    assert (request.full_url, request.method) == (EVENT["ResponseURL"], "PUT")
    body = json.loads(request.data)
    assert (body["Status"], body["Reason"], body["PhysicalResourceId"]) == (status, reason, "release")
    assert {name: body[name] for name in ("StackId", "RequestId", "LogicalResourceId")}.items() <= EVENT.items()
