"""A simulated AWS in this process. This is the only place where the simulator's inside is changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

import boto3
from moto import mock_aws
from moto.awslambda_simple.models import LambdaSimpleBackend
from moto.stepfunctions.parser.asl.component.state.exec.state_task import lambda_eval_utils

from tests.e2e.lambda_service import LambdaService


@contextmanager
def simulated_aws(functions: LambdaService) -> Iterator[None]:
    """Simulate AWS for a while, with these functions as what Lambda runs.

    The simulator's own Lambda without Docker echoes the event; here the function runs in this process.
    """

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

    @cache
    def client_of(region: str, service: str) -> Any:
        return boto3.client(service, region_name=region)

    def client_for(region: str, service: str, state_credentials: object = None) -> Any:
        """Give one client to all; the simulator makes a new one for each call, which takes longer than all else."""
        del state_credentials
        return client_of(region, service)

    with (
        mock_aws(config={"stepfunctions": {"execute_state_machine": True}, "lambda": {"use_docker": False}}),
        patch.object(LambdaSimpleBackend, "invoke", invoke),
        patch.object(lambda_eval_utils, "boto_client_for", client_for),
    ):
        client_of("us-east-1", "lambda")  # before threads could make it side by side
        yield
