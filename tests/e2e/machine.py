"""A state machine on a simulated Step Functions, from the definition as it is deployed."""

from __future__ import annotations

import io
import json
import re
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import boto3
import yaml

from tests.e2e.history import MAX_PAYLOAD_BYTES, Payload, Problem, caught, payloads, problems
from tests.e2e.lambda_service import LambdaService

REGION = "us-east-1"
DEFINITION = Path(__file__).parents[2] / "statemachine" / "search.asl.yaml"
FUNCTIONS = {
    "QueryTranslatorFunction": "query_translator",
    "ScoutFunction": "scout",
    "ScreenerFunction": "screener",
}
TABLES = {"CacheTable": "cache", "BudgetTable": "budget", "PopularityTable": "popularity"}
VERSION = "1 1 1"
"""Of the deployed functions, which is a part of every key."""
# Step Functions ends the execution on these whatever a Catch says; the simulator lets States.ALL catch them.
UNCATCHABLE = frozenset({"States.Runtime", "States.DataLimitExceeded"})


@dataclass(frozen=True)
class Ended:
    """An execution that has ended."""

    status: str
    output: Any
    error: str | None
    cause: str | None
    payloads: tuple[Payload, ...]
    problems: tuple[Problem, ...]
    seconds: float

    def states(self) -> list[str]:
        """Name the states that were entered, in order; those of a Map come in the order of its threads."""
        return [payload.state for payload in self.payloads if payload.moment.endswith("StateEntered")]

    def oversized(self) -> list[Payload]:
        """Give the payloads that Step Functions would refuse."""
        return [payload for payload in self.payloads if payload.size > MAX_PAYLOAD_BYTES]

    def fatal(self) -> list[Problem]:
        """Give the errors on which Step Functions would have ended the execution."""
        seen = (*self.problems, *caught(self.payloads))
        return [problem for problem in seen if problem.error in UNCATCHABLE]


class Machine:
    """A state machine that was created from a definition; `${Name}` stands for a function's alias, a table, a version.

    Attributes:
        functions: What runs behind the aliases; it remembers its calls, and can be told to fail.
    """

    def __init__(self, functions: LambdaService, definition: Path = DEFINITION, version: str = VERSION) -> None:
        self.functions = functions
        role = _role()
        aliases = {logical_id: _alias(name, role) for logical_id, name in FUNCTIONS.items()}
        given = {**aliases, **TABLES, "SearchVersion": version}
        text = re.sub(r"\$\{(\w+)\}", lambda found: given[found[1]], definition.read_text(encoding="utf-8"))
        self._client = boto3.client("stepfunctions", region_name=REGION)
        created = self._client.create_state_machine(
            name=f"search-{uuid4()}", definition=json.dumps(yaml.safe_load(text)), roleArn=role
        )
        self._arn = created["stateMachineArn"]

    def run(self, given: Any, seconds: float = 60) -> Ended:
        """Start an execution and wait for its end. Raises `TimeoutError`."""
        began = time.monotonic()
        started = self._client.start_execution(
            stateMachineArn=self._arn,
            name=str(uuid4()),  # the simulator makes up none
            input=json.dumps(given, ensure_ascii=False),
        )
        arn = started["executionArn"]
        while (told := self._client.describe_execution(executionArn=arn))["status"] == "RUNNING":
            if time.monotonic() - began > seconds:
                raise TimeoutError(f"the execution has not ended within {seconds} s")
            time.sleep(0.05)
        events = self._client.get_execution_history(executionArn=arn, includeExecutionData=True)["events"]
        return Ended(
            status=told["status"],
            output=json.loads(told["output"]) if "output" in told else None,
            error=told.get("error"),
            cause=told.get("cause"),
            payloads=tuple(payloads(events)),
            problems=tuple(problems(events)),
            seconds=time.monotonic() - began,
        )


def _role() -> str:
    """Create the role that the simulator asks for."""
    client = boto3.client("iam", region_name=REGION)
    arn: str = client.create_role(RoleName=f"simulated-{uuid4()}", AssumeRolePolicyDocument="{}")["Role"]["Arn"]
    return arn


def _alias(name: str, role: str) -> str:
    """Create a function with a published alias and give the alias's address."""
    code = io.BytesIO()
    with zipfile.ZipFile(code, "w") as archive:
        archive.writestr("app.py", "")
    client = boto3.client("lambda", region_name=REGION)
    if name in {known["FunctionName"] for known in client.list_functions()["Functions"]}:
        return str(client.get_alias(FunctionName=name, Name="live")["AliasArn"])
    client.create_function(
        FunctionName=name,
        Runtime="python3.13",
        Role=role,
        Handler="app.handler",
        Code={"ZipFile": code.getvalue()},
        Publish=True,
    )
    arn: str = client.create_alias(FunctionName=name, Name="live", FunctionVersion="1")["AliasArn"]
    return arn
