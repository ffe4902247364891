"""A deployment: what is checked before the state machine calls its functions, deleted afterwards, and reported."""

import json
from contextlib import nullcontext
from functools import partial
from typing import Any

import pytest
from botocore.exceptions import ClientError
from goldpan.aws import release as module
from goldpan.aws.release import release, report

from tests.unit.aws.conftest import ENVIRONMENT

SCOUT, SCREENER = (f"arn:aws:lambda:eu-west-1:123456789012:function:{name}" for name in ("scout", "screener"))
MACHINE = "arn:aws:states:eu-west-1:123456789012:stateMachine:search"
OLD, NEW = [f"{SCOUT}:7", f"{SCREENER}:5"], [f"{SCOUT}:8", f"{SCREENER}:5"]
EVENT = {
    "RequestType": "Update", "ResponseURL": "https://cloudformation.example.org/report", "StackId": "stack",
    "RequestId": "request", "LogicalResourceId": "Release", "PhysicalResourceId": "release-7-5",
    "ResourceProperties": {"ServiceToken": "release", "Versions": NEW},
    "OldResourceProperties": {"ServiceToken": "release", "Versions": OLD},
}  # fmt: skip
CLEANED = {"RequestType": "Delete", "ResourceProperties": {"Versions": OLD}}
ROLLBACK = {"ResourceProperties": {"Versions": OLD}, "OldResourceProperties": {"Versions": NEW}}
BROKEN = {"GITHUB_API_URL": "undefined"}


class Account:
    """The published versions of all functions and of the state machine, as clients of AWS."""

    def __init__(self, live: str = "8") -> None:
        self.published = {SCOUT: ["$LATEST", "3", "6", "7", "8"], SCREENER: ["$LATEST", "4", "5"]}
        self.machines, self.live, self.refused = [9, 10, 8], {SCOUT: live, SCREENER: "5"}, ""

    def __call__(self, service: str) -> Any:
        """Return the client of a service, with every operation."""
        assert service in {"lambda", "stepfunctions", "cloudformation"}
        return self

    def __getattr__(self, operation: str) -> Any:
        """Return an operation, which is called with the names of boto3."""
        return partial(self._call, operation)

    def _call(self, operation: str, *_: object, **given: str) -> Any:
        answer: Any = None
        match operation:
            case "get_paginator":
                answer = self
            case "paginate":
                answer = [{"Versions": [{"Version": each}]} for each in self.published[given["FunctionName"]]]
            case "get_alias":
                answer = {"FunctionVersion": self.live[given["FunctionName"]]}
            case "delete_function" if given["Qualifier"] == self.refused:
                raise ClientError({"Error": {"Code": "TooManyRequestsException"}}, operation)
            case "delete_function":
                self.published[given["FunctionName"]].remove(given["Qualifier"])
            case "describe_stack_resource":
                answer = {"StackResourceDetail": {"PhysicalResourceId": MACHINE}}
            case "list_state_machine_versions":
                answer = {"stateMachineVersions": [{"stateMachineVersionArn": f"{MACHINE}:{n}"} for n in self.machines]}
            case _:
                self.machines.remove(int(given["stateMachineVersionArn"].rpartition(":")[2]))
        return answer


def test_the_versions_of_the_deployment_before_are_kept(caplog: pytest.LogCaptureFixture) -> None:
    """What is older costs money and is deleted, also of the machine; a deletion that is refused fails nothing."""
    account, layer = Account(), {"EMBEDDING_MODEL": "arn:aws:lambda:eu-west-1:123456789012:layer:goldpan-encoder:3"}
    assert not release(EVENT, ENVIRONMENT | layer, account)
    assert account.published == Account().published, "executions still call them"
    assert not release(EVENT | CLEANED, ENVIRONMENT | BROKEN, account)
    assert account.published == {SCOUT: ["$LATEST", "7", "8"], SCREENER: ["$LATEST", "4", "5"]}
    assert account.machines == [9, 10]
    account = Account()
    account.refused = "3"
    assert not release(EVENT | CLEANED, ENVIRONMENT, account)
    assert account.published[SCOUT] == ["$LATEST", "3", "7", "8"]
    assert f"{SCOUT}:3 was not cleaned up" in caplog.text


@pytest.mark.parametrize("request_type", ["Create", "Update"])
@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"LLM_BASE_URL": "https://llm.example.org/v1"}, "Misconfigured: LLM_API_KEY is not set"),
        (BROKEN, "Misconfigured: GITHUB_API_URL"),
        ({"EMBEDDING_MODEL": "own-model"}, "Misconfigured: EMBEDDING_BASE_URL is not set"),
    ],
)
def test_a_wrong_setting_fails_the_deployment_by_name(settings: dict[str, str], reason: str, request_type: str) -> None:
    """Nothing is deleted."""
    account, before = Account(), {} if request_type == "Create" else {"Versions": OLD}
    event = EVENT | {"RequestType": request_type, "OldResourceProperties": before}
    assert release(event, ENVIRONMENT | settings, account).startswith(reason)
    assert account.published == Account().published


def test_a_rollback_succeeds_and_the_same_code_can_be_deployed_again() -> None:
    """Whatever cannot be read; the failed versions are deleted, else Lambda would not publish the same code again."""
    for event in (EVENT | ROLLBACK | {"PhysicalResourceId": "release-8-5"}, EVENT | ROLLBACK):
        account = Account(live="7")
        assert not release(event, ENVIRONMENT | BROKEN, account)
        was_checked = event["PhysicalResourceId"] == "release-8-5"
        assert ("8" in account.published[SCOUT]) == was_checked, "the machine may still call it"
        failed = {"RequestType": "Delete", "ResourceProperties": {"Versions": NEW}}
        assert not was_checked or not release(EVENT | failed, ENVIRONMENT | BROKEN, account)
        assert account.published[SCOUT] == ["$LATEST", "6", "7"]


@pytest.mark.parametrize(
    ("event", "reason", "status", "name"),
    [
        (EVENT, "", "SUCCESS", "release-8-5"),
        (EVENT, f"Misconfigured: {'x' * 5000}", "FAILED", "release-7-5"),
        (EVENT | CLEANED, "", "SUCCESS", "release-7-5"),
    ],
)
def test_cloudformation_gets_a_report(
    event: dict[str, Any], reason: str, status: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without one it would wait, so the report also has the reason of a failure; another name replaces the resource."""
    sent = list[Any]()

    def urlopen(request: Any, timeout: float) -> nullcontext[None]:
        assert timeout <= 10
        sent.append(request)
        return nullcontext()

    monkeypatch.setattr(module, "urlopen", urlopen)
    report(event, reason)
    [request] = sent
    assert (request.full_url, request.method) == (EVENT["ResponseURL"], "PUT")
    body = json.loads(request.data)
    assert (body["Status"], body["Reason"], body["PhysicalResourceId"]) == (status, reason[:1000], name)
    assert {name: body[name] for name in ("StackId", "RequestId", "LogicalResourceId")}.items() <= EVENT.items()
