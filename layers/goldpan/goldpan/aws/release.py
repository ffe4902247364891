"""A deployment, before the state machine calls its functions: its secrets are checked and old versions deleted.

The versions of the deployment before are kept: executions that began with them still call them, and so does a rollback.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any
from urllib.request import Request, urlopen

from botocore.client import BaseClient

from goldpan.aws.secrets import read_settings
from goldpan.infra.settings import EmbeddingSettings, LLMSettings
from goldpan.kinds.registry import all_kinds

MAX_REASON = 1000
"""CloudFormation accepts 4 KB of response, and shows this much of a reason."""
SECONDS = 10
_LOG = logging.getLogger(__name__)
Event = Mapping[str, Any]


def release(event: Event, environment: Mapping[str, str], client: BaseClient) -> str:
    """Check the settings and delete old versions; returns why that failed, or an empty text.

    Every exception becomes a reason: CloudFormation waits for a report until the resource times out.
    """
    try:
        if event["RequestType"] != "Delete":
            check_settings(environment)
            delete_old_versions(client, kept_versions(event))
    except Exception as error:  # noqa: BLE001 - reported, and logged with its stack trace
        _LOG.exception("The release failed")
        return f"{type(error).__name__}: {error}"
    return ""


def check_settings(environment: Mapping[str, str]) -> None:
    """Read all settings and secrets. Raises `Misconfigured` by the name of the setting, or `Overloaded`."""
    read_settings(environment, LLMSettings).endpoint()
    read_settings(environment, EmbeddingSettings).endpoint()
    for kind in all_kinds():
        read_settings(environment, kind.connector().settings)


def kept_versions(event: Event) -> set[str]:
    """Return the ARNs of the versions of this deployment and of the one before."""
    described = (event.get(name, {}) for name in ("ResourceProperties", "OldResourceProperties"))
    return {version for properties in described for version in properties.get("Versions", ())}


def delete_old_versions(client: BaseClient, kept: set[str]) -> None:
    """Delete every other published version of the functions: its snapshot is billed as long as it exists."""
    for function in sorted({version.rpartition(":")[0] for version in kept}):
        for page in client.get_paginator("list_versions_by_function").paginate(FunctionName=function):
            for version in page["Versions"]:
                if version["Version"] != "$LATEST" and f"{function}:{version['Version']}" not in kept:
                    client.delete_function(FunctionName=function, Qualifier=version["Version"])


def report(event: Event, reason: str) -> None:
    """Report the result to CloudFormation, which fails the deployment if there is a reason."""
    result = {
        "Status": "FAILED" if reason else "SUCCESS",
        "Reason": reason[:MAX_REASON],
        "PhysicalResourceId": event.get("PhysicalResourceId", "release"),
        **{name: event[name] for name in ("StackId", "RequestId", "LogicalResourceId")},
    }
    body = json.dumps(result).encode()
    request = Request(event["ResponseURL"], body, {"content-type": ""}, method="PUT")  # noqa: S310 - of CloudFormation
    with urlopen(request, timeout=SECONDS):  # noqa: S310
        return
