"""How an event ended, as whoever called Lambda is told it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.support.loopback.lambda_output import Lines
from tests.support.loopback.runtime_api import Invocation, KindResult


class StartError(Exception):
    """The function never came as far as waiting for an event."""


@dataclass(frozen=True)
class Answer:
    """What came of one event."""

    result: Any
    error: dict[str, Any] | None
    seconds: float
    lines: Lines


def platform_error(invocation: Invocation, kind: str, message: str) -> KindResult:
    """Say what the function could not say any more, in Lambda's own words."""
    said = f"RequestId: {invocation.identity} Error: {message}"
    return KindResult(error={"errorType": kind, "errorMessage": said})
