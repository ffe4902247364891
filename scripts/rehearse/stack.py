"""Deploys, describes and calls the stack in the emulator, with the commands and clients of a real deployment."""

import json
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3
import httpx2

from scripts.rehearse.world import REGION, ROOT
from scripts.smoke.endpoint import Endpoint
from scripts.smoke.stack import Stack

NAME, ALIAS = "goldpan", "live"
FUNCTIONS = ("QueryTranslatorFunction", "ScoutFunction", "ScreenerFunction")
SAM = ROOT / ".venv-sam" / "bin" / "sam"


@dataclass
class RehearsedStack:
    """The stack, with the parameters of its last deployment."""

    built: Path
    parameters: dict[str, str] = field(default_factory=dict)

    def deploy(self, **parameters: str) -> subprocess.CompletedProcess[str]:
        """Run `sam deploy` with the parameters so far and these; a failure is returned as it is."""
        self.parameters |= parameters
        overrides = [f"{name}={value}" for name, value in self.parameters.items()]
        command = [
            str(SAM), "deploy", "--template-file", str(self.built / "template.yaml"), "--stack-name", NAME,
            "--region", REGION, "--capabilities", "CAPABILITY_IAM", "--resolve-s3", "--no-confirm-changeset",
            "--no-progressbar", "--parameter-overrides", *overrides,
        ]  # fmt: skip
        return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603

    @property
    def architecture(self) -> str:
        """The processor for which it was built, which the name of the folder says."""
        return self.built.name.removeprefix("sam-")

    def resources(self) -> list[Any]:
        """List the resources of the stack."""
        pages = boto3.client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=NAME)
        return [each for page in pages for each in page["StackResourceSummaries"]]

    @property
    def status(self) -> str:
        """The status of the stack; empty when there is none."""
        stacks = boto3.client("cloudformation").get_paginator("describe_stacks").paginate()
        found = [each["StackStatus"] for page in stacks for each in page["Stacks"] if each["StackName"] == NAME]
        return str(found[0]) if found else ""

    def events(self) -> list[Any]:
        """List the events of the stack, newest first."""
        listed: list[Any] = boto3.client("cloudformation").describe_stack_events(StackName=NAME)["StackEvents"]
        return listed

    def versions(self) -> dict[str, tuple[int, list[int]]]:
        """Return of each function the version of its alias, and all published versions."""
        client, found = boto3.client("lambda"), {}
        for logical_id in FUNCTIONS:
            name = self.physical_id(logical_id)
            listed = client.list_versions_by_function(FunctionName=name)["Versions"]
            published = sorted(int(each["Version"]) for each in listed if each["Version"].isdecimal())
            current = client.get_alias(FunctionName=name, Name=ALIAS)["FunctionVersion"]
            found[logical_id] = (int(current), published)
        return found

    def machine(self) -> tuple[str, list[str]]:
        """Return the version that the alias of the search machine points to, and all published versions."""
        client, arn = boto3.client("stepfunctions"), self.physical_id("SearchMachine")
        alias = client.describe_state_machine_alias(stateMachineAliasArn=f"{arn}:{ALIAS}")
        [route] = alias["routingConfiguration"]
        listed = client.list_state_machine_versions(stateMachineArn=arn)["stateMachineVersions"]
        numbers = sorted(each["stateMachineVersionArn"].rpartition(":")[2] for each in listed)
        return route["stateMachineVersionArn"].rpartition(":")[2], numbers

    def physical_id(self, logical_id: str) -> str:
        """Return the name that a resource of the stack has."""
        described = boto3.client("cloudformation").describe_stack_resource(StackName=NAME, LogicalResourceId=logical_id)
        return str(described["StackResourceDetail"]["PhysicalResourceId"])

    def endpoint(self) -> Endpoint:
        """Return the API with its first key."""
        return Stack(NAME).endpoint()

    def post(self, path: str, body: object) -> httpx2.Response:
        """Call the API with its key."""
        endpoint = self.endpoint()
        headers = {"x-api-key": endpoint.key or "", "content-type": "application/json"}
        url = endpoint.url.removesuffix("/search") + path
        return httpx2.post(url, content=json.dumps(body), headers=headers, timeout=60)

    def broken_build(self, function: str) -> Path:
        """Copy the build, with a function whose import fails; beside it, for the relative paths of its template."""
        broken = self.built.with_name(f"broken-{self.architecture}")
        shutil.rmtree(broken, ignore_errors=True)
        shutil.copytree(self.built, broken, symlinks=True)
        file = broken / function / "app.py"
        file.write_text("raise RuntimeError('a broken release')\n" + file.read_text("utf-8"), "utf-8")
        return broken


def delete_stack(name: str) -> None:
    """Delete a stack, and wait for the end."""
    client = boto3.client("cloudformation")
    client.delete_stack(StackName=name)
    client.get_waiter("stack_delete_complete").wait(StackName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 120})
