"""What every test of the deployment starts from: the tables are set and nothing else, an own log, no sockets."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from typing import Any

import pytest

from tests.unit.aws.doors import Handler
from tests.unit.aws.executions import World
from tests.unit.aws.ssm import REGION, TABLES, Ssm, watched

OF_LAMBDA = {"AWS_DEFAULT_REGION": REGION, "AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing"}
LOGGERS = ("service_undefined", "goldpan")


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch, socket_disabled: None) -> None:  # noqa: ARG001 - asked for
    for name in os.environ:
        if name.startswith(("AWS_", "POWERTOOLS_", "LLM_", "GITHUB_", "DEEPSEEK_", "OPENAI_", "_X_AMZN")):
            monkeypatch.delenv(name)
    for name, value in {**TABLES, **OF_LAMBDA}.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(autouse=True)
def _own_log() -> Iterator[None]:
    """Let Powertools make its logger anew: it keeps the stream that it first saw, which is closed after the test."""
    _forget_loggers()
    yield
    _forget_loggers()


def _forget_loggers() -> None:
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.setLevel(logging.NOTSET)
        for mark in ("init", "powertools_handler"):
            logger.__dict__.pop(mark, None)


class Untraced:
    """Stands in for the tracer, whose client opens a socket when it is imported; nothing may be traced of a payload."""

    def __init__(self, *, auto_patch: bool) -> None:
        assert not auto_patch

    def capture_lambda_handler(self, handler: Handler, *, capture_response: bool, capture_error: bool) -> Handler:
        """Give the handler as it is."""
        assert not capture_response
        assert not capture_error
        return handler


@pytest.fixture(autouse=True)
def _no_tracer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aws_lambda_powertools.Tracer", Untraced)


@pytest.fixture(scope="module")
def simulated() -> Iterator[Any]:
    """Simulate SSM for all tests of a file: its clients are slow to make."""
    import boto3  # noqa: PLC0415 - both are slow to load, and few tests need them
    from moto import mock_aws  # noqa: PLC0415

    with mock_aws():
        yield boto3.client("ssm", region_name=REGION)


@pytest.fixture
def ssm(simulated: Any) -> Iterator[Ssm]:
    """Give an SSM that holds a token and a key."""
    with watched(simulated) as store:
        yield store


@pytest.fixture
def world() -> World:
    """Make stores that hold nothing."""
    return World()


@pytest.fixture
def unobserved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the metrics out, where the doors are called some thousand times."""
    monkeypatch.setattr("goldpan.aws.telemetry.observed", lambda handler: handler)
