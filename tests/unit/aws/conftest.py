"""What every test of the deployed functions starts from: table names and nothing else, a log of its own, no tracer."""

import os
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.handlers import reset_loggers

REGION = "eu-west-1"
ENVIRONMENT = {
    "CACHE_TABLE": "cache",
    "BUDGET_TABLE": "budget",
    "POPULARITY_TABLE": "popularity",
    "AWS_DEFAULT_REGION": REGION,
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
}
PREFIXES = ("AWS_", "POWERTOOLS_", "LLM_", "GITHUB_", "DEEPSEEK_", "OPENAI_", "_X_AMZN")


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith(PREFIXES):
            monkeypatch.delenv(name)
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(autouse=True)
def _new_loggers() -> Iterator[None]:
    reset_loggers()
    yield
    reset_loggers()


def no_tracer(**patching: bool) -> SimpleNamespace:
    """Make what takes the place of a tracer, whose client opens a socket at its import; no payload may be traced."""

    def capture(handler: Callable[..., Any], **captured: bool) -> Callable[..., Any]:
        assert (patching, captured) == ({"auto_patch": False}, {"capture_response": False, "capture_error": False})
        return handler

    return SimpleNamespace(capture_lambda_handler=capture)


@pytest.fixture(autouse=True)
def _no_tracer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldpan.aws.telemetry.Tracer", no_tracer)
