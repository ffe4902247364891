"""A simulated AWS in this process. This is the only place where the simulator's inside is changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from functools import cache
from typing import Any
from unittest.mock import patch

import boto3
from botocore.config import Config
from moto import mock_aws
from moto.awslambda_simple.models import LambdaSimpleBackend
from moto.dynamodb.responses import DynamoHandler
from moto.stepfunctions.parser.asl.component.eval_component import EvalComponent
from moto.stepfunctions.parser.asl.component.state import state as any_state
from moto.stepfunctions.parser.asl.component.state.exec.state_task import lambda_eval_utils
from moto.stepfunctions.parser.asl.component.state.exec.state_task.service import state_task_service_dynamodb
from moto.stepfunctions.parser.asl.parse.asl_parser import AmazonStateLanguageParser
from moto.stepfunctions.parser.asl.parse.preprocessor import Preprocessor
from moto.stepfunctions.parser.asl.utils import json_path

from tests.e2e.dynamodb_service import DynamoService
from tests.e2e.lambda_service import LambdaService


@contextmanager
def simulated_aws(functions: LambdaService, tables: DynamoService | None = None) -> Iterator[None]:
    """Simulate AWS for a while, with these functions as what Lambda runs, and tables that fail as they are told to."""
    asked = mock_aws(config={"stepfunctions": {"execute_state_machine": True}, "lambda": {"use_docker": False}})
    client_of = _clients()
    with asked, ExitStack() as patches:
        for target, name, value in (
            (LambdaSimpleBackend, "invoke", _invoke(functions)),
            (lambda_eval_utils, "boto_client_for", client_of),
            (state_task_service_dynamodb, "boto_client_for", client_of),
            (DynamoHandler, "call_action", _called(tables or DynamoService())),
            (any_state, "StateData", _state_data),
            (EvalComponent, "heap_key", property(_heap_key)),
            (AmazonStateLanguageParser, "parse", _read_once()),
            (json_path, "parse", cache(vars(json_path)["parse"])),
        ):
            patches.enter_context(patch.object(target, name, value))
        for service in ("lambda", "dynamodb"):
            client_of("us-east-1", service)  # before threads could make it side by side
        yield


def _invoke(functions: LambdaService) -> Any:
    """Run functions in this process; the simulator's own Lambda without Docker echoes the event."""

    def invoke(
        backend: LambdaSimpleBackend,
        function_name: str,
        qualifier: str | None,
        body: str,
        _: Any,  # the request's headers, whose type the simulator does not state
        response_headers: dict[str, str],
    ) -> bytes:
        reply = functions.invoke(backend.get_function(function_name, qualifier).function_name, body)
        if reply.failed:
            response_headers["x-amz-function-error"] = "Unhandled"
        return reply.payload

    return invoke


def _clients() -> Any:
    """Give one client to all; the simulator makes a new one for each call, which takes longer than all else."""

    @cache
    def client_of(region: str, service: str) -> Any:
        once = Config(parameter_validation=False, retries={"total_max_attempts": 1})
        return boto3.client(service, region_name=region, config=once)

    def client_for(region: str, service: str, state_credentials: object = None) -> Any:
        del state_credentials
        return client_of(region, service)

    return client_for


def _read_once() -> Any:
    """Read each definition once; the simulator does it for each execution, which takes longer than to execute it.

    What is evaluated is made anew from what was read, so that no two executions share anything that changes.
    """
    read = AmazonStateLanguageParser.parse

    @cache
    def tree_of(definition: str) -> Any:
        return read(definition)[1]

    def parse(definition: str) -> tuple[Any, Any]:
        tree = tree_of(definition)
        return Preprocessor().visit(tree), tree

    return staticmethod(parse)


def _called(tables: DynamoService) -> Any:
    """Let DynamoDB do one thing after the other: the simulator checks a condition before it writes, without a lock."""
    call = DynamoHandler.call_action

    def call_action(handler: Any) -> Any:
        with tables.turn:
            tables.met(handler._get_action(), handler.params.get("TableName") or _only(handler.params["RequestItems"]))
            return call(handler)

    return call_action


def _only(tables: dict[str, Any]) -> str:
    [table] = tables
    return table


def _state_data(**fields: str) -> dict[str, str]:
    """Tell when a state was entered as Step Functions writes it; the simulator writes microseconds and an offset."""
    entered = datetime.fromisoformat(fields["EnteredTime"]).isoformat(timespec="milliseconds")
    return fields | {"EnteredTime": entered.replace("+00:00", "Z")}


def _heap_key(component: object) -> str:
    """Name a part of a definition; the simulator does it when first asked, so that two threads made two names."""
    return str(id(component))
