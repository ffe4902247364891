"""What every test of the deployed functions starts from: table names and nothing else, a log of its own, no tracer."""

import os
from collections.abc import Callable, Iterator
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


class NoTracer:
    """Replaces the tracer, whose client opens a socket at its import; no payload may be traced."""

    def __init__(self, *, auto_patch: bool) -> None:
        assert not auto_patch

    def capture_lambda_handler(
        self, handler: Callable[..., Any], *, capture_response: bool, capture_error: bool
    ) -> Callable[..., Any]:
        """Return the handler unchanged."""
        assert not capture_response
        assert not capture_error
        return handler


@pytest.fixture(autouse=True)
def _no_tracer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldpan.aws.telemetry.Tracer", NoTracer)
