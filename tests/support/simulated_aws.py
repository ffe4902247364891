"""A simulated AWS in this process, by moto. This is the only place where moto's own functions are replaced."""

import json
import pickle
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, partial
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import boto3
from botocore.config import Config
from moto import mock_aws
from moto.core.responses import ActionResult
from moto.dynamodb.parsing import validators
from moto.dynamodb.responses import DynamoHandler
from moto.stepfunctions.parser import quotas
from moto.stepfunctions.parser.asl.component.common.error_name import custom_error_name
from moto.stepfunctions.parser.asl.component.common.path import result_path
from moto.stepfunctions.parser.asl.component.common.retry import retrier_decl
from moto.stepfunctions.parser.asl.component.common.string import string_expression
from moto.stepfunctions.parser.asl.component.eval_component import EvalComponent
from moto.stepfunctions.parser.asl.component.intrinsic.function.statesfunction.json_manipulation import json_to_string
from moto.stepfunctions.parser.asl.component.state import state as any_state
from moto.stepfunctions.parser.asl.component.state.exec import execute_state
from moto.stepfunctions.parser.asl.component.state.exec.state_task import lambda_eval_utils
from moto.stepfunctions.parser.asl.component.state.exec.state_task.service import (
    state_task_service_aws_sdk,
    state_task_service_dynamodb,
)
from moto.stepfunctions.parser.asl.component.state.wait.wait_function.wait_function import WaitFunction
from moto.stepfunctions.parser.asl.eval import states
from moto.stepfunctions.parser.asl.eval.event import event_manager
from moto.stepfunctions.parser.asl.parse.asl_parser import AmazonStateLanguageParser
from moto.stepfunctions.parser.asl.utils import json_path
from moto.stepfunctions.parser.backend import execution_worker
from moto.stepfunctions.parser.backend.execution import BaseExecutionWorkerCommunication

from tests.support.dynamodb_service import DynamoDBService
from tests.support.handlers import LambdaService

REGION = "us-east-1"
COPYING = (string_expression, result_path, execute_state, states, event_manager)


@dataclass
class Platform:
    """What the simulated state machines run on."""

    functions: LambdaService = field(default_factory=LambdaService)  # behind the versions
    tables: DynamoDBService = field(default_factory=DynamoDBService)  # what makes tables fail
    now: Callable[[], datetime] = lambda: datetime.now(UTC)  # the time that Step Functions reads
    wait: Callable[[float], None] = lambda _: None  # how a Wait state and the interval of a Retry pass
    clients: dict[str, Any] = field(default_factory=dict)  # in place of the clients of other services
    entered: Callable[[str], None] = lambda _: None  # called with the name of each state that is entered
    ended: dict[str, Any] = field(default_factory=dict)  # the executions that have ended, by ARN; changes are notified
    changed: threading.Condition = field(default_factory=threading.Condition)


@contextmanager
def simulated_aws() -> Iterator[Platform]:
    """Simulate AWS for a while."""
    platform = Platform()
    simulated = mock_aws(config={"stepfunctions": {"execute_state_machine": True}})
    client_for = _clients(platform)
    retry_clock = SimpleNamespace(sleep=lambda seconds: platform.wait(seconds))  # noqa: PLW0108 - tests exchange it
    with simulated, ExitStack() as patches:
        for target, name, value in (
            (lambda_eval_utils, "boto_client_for", client_for),
            (state_task_service_dynamodb, "boto_client_for", client_for),
            (state_task_service_aws_sdk, "boto_client_for", client_for),
            (DynamoHandler, "call_action", _call_action(platform)),
            (DynamoHandler, "batch_get_item", _batch_get_item),
            (custom_error_name, "ILLEGAL_CUSTOM_ERROR_PREFIX", "none "),  # a branch may fail with States.Timeout
            (quotas, "MAX_STATE_SIZE_UTF8_BYTES", 2**30),  # it counts escaped ASCII; the tests measure UTF-8
            (json_to_string, "json", SimpleNamespace(dumps=partial(json.dumps, ensure_ascii=False))),  # the larger case
            (retrier_decl, "time", retry_clock),
            (WaitFunction, "_wait_interval", lambda *_, wait_seconds, **__: platform.wait(wait_seconds)),
            (BaseExecutionWorkerCommunication, "terminated", _terminated(platform)),
            (any_state, "StateData", _state_data(platform)),
            (execution_worker, "ExecutionData", lambda **data: data | {"StartTime": _timestamp(platform)}),
            (EvalComponent, "heap_key", property(lambda component: str(id(component)))),  # two threads made two keys
            (AmazonStateLanguageParser, "parse", staticmethod(_parse)),
            (json_path, "parse", _parse_path),
            (validators, "deepcopy", _copy),
            *((module, "copy", SimpleNamespace(deepcopy=_copy)) for module in COPYING),
        ):
            patches.enter_context(patch.object(target, name, value))
        client_for(REGION, "dynamodb")  # before two threads could make it at once
        yield platform


def _state_data(platform: Platform) -> Any:
    """Announce each state that is entered, and set its time."""

    def state_data(**data: Any) -> dict[str, Any]:
        platform.entered(data["Name"])
        return data | {"EnteredTime": _timestamp(platform)}

    return state_data


def _terminated(platform: Platform) -> Any:
    """Announce the end of an execution; to ask for its status again and again takes longer than the execution."""
    reflect = BaseExecutionWorkerCommunication.terminated

    def terminated(communication: Any) -> None:
        reflect(communication)
        with platform.changed:
            platform.ended[communication.execution.exec_arn] = communication.execution
            platform.changed.notify_all()

    return terminated


def _clients(platform: Platform) -> Any:
    """Share one client for each service: moto makes a new one for each call, which takes longer than the call."""

    @cache
    def shared_client(region: str, service: str) -> Any:
        config = Config(parameter_validation=False, retries={"total_max_attempts": 1})
        return boto3.client(service, region_name=region, config=config)

    def client_for(region: str, service: str, state_credentials: object = None) -> Any:
        del state_credentials
        return (
            platform.functions
            if service == "lambda"
            else platform.clients.get(service) or shared_client(region, service)
        )

    return client_for


def _call_action(platform: Platform) -> Any:
    call = DynamoHandler.call_action

    def call_action(handler: Any) -> Any:
        with platform.tables.lock:
            requested = handler.params.get("RequestItems", {}).keys() | {handler.params.get("TableName", "")}
            platform.tables.check(requested, handler.headers.get("X-Amz-Target", "").rpartition(".")[2])
            return call(handler)

    return call_action


_read_batch = DynamoHandler.batch_get_item


def _batch_get_item(handler: Any) -> Any:
    """Find nothing by a read that need not be the latest: it may miss what a test has just written."""
    if all(asked.get("ConsistentRead") for asked in handler.body["RequestItems"].values()):
        return _read_batch(handler)
    return ActionResult({"Responses": {}, "UnprocessedKeys": {}})


def _timestamp(platform: Platform) -> str:
    """Write the time as Step Functions does; moto writes microseconds and an offset."""
    return platform.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _copy(value: Any) -> Any:
    """Copy a value nine times as quickly as `deepcopy` does: moto copies every value several times."""
    return pickle.loads(pickle.dumps(value))


_parse_definition = AmazonStateLanguageParser.parse
_parse_path = cache(vars(json_path)["parse"])


@cache
def _program(definition: str) -> tuple[bytes, Any]:
    program, tree = _parse_definition(definition)
    return pickle.dumps(program), tree


def _parse(definition: str) -> tuple[Any, Any]:
    """Parse each definition once, which takes moto longer than an execution; each gets a copy of the program."""
    program, tree = _program(definition)
    return pickle.loads(program), tree
