"""What a deployed stack must have beside its answers: the models of the contract, and alarms that are not raised."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import boto3
import httpx2
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest

from scripts.smoke.endpoint import CheckError, Endpoint

GATEWAY = Path(__file__).resolve().parents[2] / "api" / "gateway.json"
ADDED = {"$schema", "title"}
"""What API Gateway adds to a model."""


class Stack:
    """A deployed stack, by its name; the region and the credentials are those of the AWS profile."""

    def __init__(self, name: str) -> None:
        cloudformation = boto3.client("cloudformation")
        [described] = cloudformation.describe_stacks(StackName=name)["Stacks"]
        self._outputs = {each["OutputKey"]: each["OutputValue"] for each in described["Outputs"]}
        parameters = {each["ParameterKey"]: each["ParameterValue"] for each in described["Parameters"]}
        self.is_signed = parameters.get("ApiAuthorization") == "AWS_IAM"
        pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=name)
        self._resources = [resource for page in pages for resource in page["StackResourceSummaries"]]

    def output(self, name: str) -> str:
        """Return an output of the stack."""
        return str(self._outputs[name])

    def endpoint(self) -> Endpoint:
        """Return its API, with its first key, and signed if it requires signatures."""
        key = boto3.client("apigateway").get_api_key(apiKey=self._outputs["ApiKeyId"], includeValue=True)["value"]
        return Endpoint(self._url(), key, sign if self.is_signed else None)

    def _url(self) -> str:
        """Return the URL of the search; an emulator, which AWS_ENDPOINT_URL names, serves it under its own address."""
        url, emulator = httpx2.URL(self._outputs["SearchUrl"]), os.environ.get("AWS_ENDPOINT_URL")
        if not emulator or not url.host.endswith(".amazonaws.com"):
            return str(url)
        stage = url.path.removesuffix("/search")
        return f"{emulator}/restapis/{url.host.partition('.')[0]}{stage}/_user_request_/search"

    def models(self) -> str:
        """Compare the models of API Gateway with those that were deployed: an import may drop what it cannot read."""
        client, [api] = boto3.client("apigateway"), self._physical_ids("AWS::ApiGateway::RestApi")
        expected = json.loads(GATEWAY.read_text("utf-8"))["components"]["schemas"]
        for name, model in expected.items():
            kept = json.loads(client.get_model(restApiId=api, modelName=name)["schema"])
            if _comparable(kept) != _comparable(model):
                raise CheckError(f"the model {name} is not that of api/gateway.json: {json.dumps(kept)[:300]}")
        return f"{len(expected)} models are those of the contract"

    def alarms(self) -> str:
        """Look at the state of every alarm."""
        names = self._physical_ids("AWS::CloudWatch::Alarm")
        alarms = boto3.client("cloudwatch").describe_alarms(AlarmNames=names, MaxRecords=100)["MetricAlarms"]
        raised = [alarm["AlarmName"] for alarm in alarms if alarm["StateValue"] == "ALARM"]
        if raised or len(alarms) != len(names):
            raise CheckError(f"{len(alarms)} of {len(names)} alarms exist; raised: {', '.join(raised) or 'none'}")
        return f"none of {len(alarms)} is raised"

    def _physical_ids(self, kind: str) -> list[str]:
        return [each["PhysicalResourceId"] for each in self._resources if each["ResourceType"] == kind]


def sign(request: httpx2.Request) -> None:
    """Sign a request for API Gateway with the credentials of the AWS profile."""
    session = boto3.Session()
    headers = {name: request.headers[name] for name in ("content-type", "x-api-key") if name in request.headers}
    aws = AWSRequest(method=request.method, url=str(request.url), data=request.content, headers=headers)
    SigV4Auth(session.get_credentials(), "execute-api", session.region_name).add_auth(aws)
    request.headers.update(dict(aws.headers.items()))


def _comparable(schema: Any) -> Any:
    """Return a schema without what API Gateway adds, and with the bare names of other models."""
    if isinstance(schema, dict):
        kept = {key: value for key, value in schema.items() if key not in ADDED}
        return {key: value.rpartition("/")[2] if key == "$ref" else _comparable(value) for key, value in kept.items()}
    return [_comparable(each) for each in schema] if isinstance(schema, list) else schema
