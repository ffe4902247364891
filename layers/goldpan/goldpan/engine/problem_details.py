"""How a search ends over HTTP: an answer, or problem details with the status of what ended it (RFC 9457)."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from math import ceil

from goldpan.config import Frozen
from goldpan.contracts import Answer
from goldpan.errors import (
    Defect,
    GoldpanError,
    InvalidRequest,
    Misconfigured,
    OutOfTime,
    Overloaded,
    SourcesFailed,
    SourcesLimited,
)

ANSWER_TYPE, PROBLEM_TYPE = "application/json", "application/problem+json"
STATUSES: dict[type[GoldpanError], tuple[int, str]] = {
    InvalidRequest: (400, "The request breaks the contract"),
    SourcesLimited: (429, "Every source is over its limit"),
    Misconfigured: (500, "A setting or a credential is wrong"),
    SourcesFailed: (503, "Every source failed"),
    OutOfTime: (504, "The time ran out"),
    Overloaded: (503, "Too many searches at once"),
    Defect: (500, "Internal error"),
}
"""Status and title; an error that is not named has those of the nearest class above it."""
OVERLOADED_SECONDS = 5
"""When to come again where too many searches run: about half of them have ended by then."""


class Response(Frozen):
    """What the state machine ends with, for the mapping template; all are always there."""

    statusCode: int  # noqa: N815 - read by the mapping template of API Gateway, which calls it so
    contentType: str  # noqa: N815
    retryAfter: str  # noqa: N815
    """Seconds, or nothing."""
    body: str


def respond(answer: Callable[[], Answer], now: Callable[[], datetime]) -> Response:
    """Give the answer, or the problem that ended the search."""
    try:
        return Response(statusCode=200, contentType=ANSWER_TYPE, retryAfter="", body=answer().to_json())
    except GoldpanError as ending:
        return problem(ending, now())


def problem(ending: GoldpanError, now: datetime) -> Response:
    """Describe what ended a search; the text of a defect is kept from the asker."""
    known = next((cls for cls in type(ending).__mro__ if cls in STATUSES), Defect)
    status, title = STATUSES[known]
    detail = "The log of the functions tells what happened." if known is Defect else str(ending)
    details = {"type": f"urn:goldpan:problem:{_slug(type(ending))}", "title": title, "status": status, "detail": detail}
    body = json.dumps(details)  # in ASCII, so that half a character in somebody's message is no second failure
    return Response(statusCode=status, contentType=PROBLEM_TYPE, retryAfter=_retry_after(ending, now), body=body)


def _retry_after(ending: GoldpanError, now: datetime) -> str:
    if isinstance(ending, Overloaded):
        return str(OVERLOADED_SECONDS)
    moment = ending.retry_at if isinstance(ending, SourcesFailed) else None
    return str(max(1, ceil((moment - now).total_seconds()))) if moment else ""


def _slug(cls: type[GoldpanError]) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in cls.__name__).lstrip("-")
