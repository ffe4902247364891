"""A deployment, before the state machine calls its functions: its secrets are checked; afterwards old versions go.

The name of the resource is that of its versions, so CloudFormation replaces it in every deployment, and asks to delete
the one that it replaced when all else has ended: after a success the one before, after a rollback the failed one. Only
then no execution calls the versions that are deleted. Those of the deployment before are kept.
"""

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.request import Request, urlopen

from botocore.client import BaseClient
from botocore.exceptions import BotoCoreError, ClientError

from goldpan.aws.settings import EncoderSettings, Environment
from goldpan.infra.settings import LLMSettings
from goldpan.kinds.registry import all_kinds

MAX_REASON = 1000
"""CloudFormation accepts 4 KB of response, and shows this much of a reason."""
SECONDS = 10
ALIAS, MACHINE = "live", "SearchMachine"
_LOG = logging.getLogger(__name__)
Event = Mapping[str, Any]
Clients = Callable[[str], BaseClient]


def release(event: Event, environment: Mapping[str, str], clients: Clients) -> str:
    """Check the settings of a new release, or delete old versions; returns why a check failed, or an empty text.

    A rollback checks nothing, because the release to which it returns worked. Every exception becomes a reason, since
    CloudFormation waits for a report until the resource times out; one of the deletions is logged.
    """
    try:
        if event["RequestType"] == "Delete":
            delete_old_versions(event, clients)
        elif not is_rollback(event):
            check_settings(Environment(environment))
        elif event["PhysicalResourceId"] == physical_id(event):  # the check itself had failed, so no deletion follows
            _delete_others(versions(event), clients("lambda"))
    except Exception as error:  # noqa: BLE001 - reported, and logged with its stack trace
        _LOG.exception("The release failed")
        return f"{type(error).__name__}: {error}"
    return ""


def versions(event: Event, properties: str = "ResourceProperties") -> dict[str, int]:
    """Return the versions of a deployment: the numbers by the ARNs of the functions."""
    parts = (version.rpartition(":") for version in event.get(properties, {}).get("Versions", ()))
    return {function: int(number) for function, _, number in parts}


def is_rollback(event: Event) -> bool:
    """Return whether the deployment returns to versions before those that it replaces."""
    before = versions(event, "OldResourceProperties")
    return any(number < before.get(function, 0) for function, number in versions(event).items())


def physical_id(event: Event) -> str:
    """Return the name of the resource."""
    return "-".join(("release", *map(str, versions(event).values())))


def check_settings(environment: Environment) -> None:
    """Read all settings and secrets. Raises `Misconfigured` by the name of the setting, or `Overloaded`."""
    environment.read(LLMSettings).endpoint()
    environment.read(EncoderSettings).endpoint()
    for kind in all_kinds():
        environment.read(kind.connector().settings)


def delete_old_versions(event: Event, clients: Clients) -> None:
    """Delete all versions but the current ones and those before them: a snapshot is billed as long as it exists."""
    client, current = clients("lambda"), dict[str, int]()
    for function in versions(event):
        with _logged(function):
            alias = client.get_alias(FunctionName=function, Name=ALIAS)
            current[function] = int(alias["FunctionVersion"])
    _delete_others(current, client)
    with _logged(MACHINE):
        stack = {"StackName": event["StackId"], "LogicalResourceId": MACHINE}
        described = clients("cloudformation").describe_stack_resource(**stack)
        _delete_machines(described["StackResourceDetail"]["PhysicalResourceId"], clients("stepfunctions"))


def _delete_others(current: Mapping[str, int], client: BaseClient) -> None:
    for function, number in current.items():
        with _logged(function):
            pages = client.get_paginator("list_versions_by_function").paginate(FunctionName=function)
            listed = (version["Version"] for page in pages for version in page["Versions"])
            published = {int(each) for each in listed if each.isdecimal()}
            kept = {number, max((each for each in published if each < number), default=number)}
            for each in sorted(published - kept):
                with _logged(f"{function}:{each}"):
                    client.delete_function(FunctionName=function, Qualifier=str(each))


def _delete_machines(machine: str, client: BaseClient) -> None:
    """Delete the versions of a state machine but the last two; one to which an alias points is refused."""
    listed = client.list_state_machine_versions(stateMachineArn=machine)["stateMachineVersions"]
    arns = sorted((each["stateMachineVersionArn"] for each in listed), key=lambda arn: int(arn.rpartition(":")[2]))
    for arn in arns[:-2]:
        with _logged(arn):
            client.delete_state_machine_version(stateMachineVersionArn=arn)


@contextmanager
def _logged(name: str) -> Iterator[None]:
    """Log what AWS refuses: the next deployment tries again, and none fails for it."""
    try:
        yield
    except (ClientError, BotoCoreError) as error:
        _LOG.warning("%s was not cleaned up: %s", name, error)


def report(event: Event, reason: str) -> None:
    """Report the result to CloudFormation, which fails the deployment if there is a reason."""
    is_new = not reason and event["RequestType"] != "Delete"
    result = {
        "Status": "FAILED" if reason else "SUCCESS",
        "Reason": reason[:MAX_REASON],
        "PhysicalResourceId": physical_id(event) if is_new else event.get("PhysicalResourceId", physical_id(event)),
        **{name: event[name] for name in ("StackId", "RequestId", "LogicalResourceId")},
    }
    body = json.dumps(result).encode()
    request = Request(event["ResponseURL"], body, {"content-type": ""}, method="PUT")  # noqa: S310 - of CloudFormation
    with urlopen(request, timeout=SECONDS):  # noqa: S310
        return
