"""How a search ends over HTTP: an answer, or problem details with the status of its terminal error (RFC 9457)."""

import json
import re
from datetime import datetime
from math import ceil
from typing import Protocol

from goldpan import errors
from goldpan.config import Frozen
from goldpan.contracts import Usage

ANSWER_TYPE, PROBLEM_TYPE = "application/json", "application/problem+json"
STATUSES: dict[type[errors.GoldpanError], tuple[int, str]] = {
    errors.InvalidRequest: (400, "The request violates the contract"),
    errors.NotFound: (404, "There is nothing here"),
    errors.Forbidden: (403, "Access is refused"),
    errors.CredentialRejected: (500, "A setting or a credential is wrong"),
    errors.Misconfigured: (500, "A setting or a credential is wrong"),
    errors.Defect: (500, "Internal error"),
    errors.SourcesFailed: (503, "Every source failed"),
    errors.SourcesLimited: (429, "Every source is over its limit"),
    errors.Overloaded: (503, "No search can be started now"),
    errors.OutOfTime: (504, "The time ran out"),
}
"""Status and title of each error: what the caller corrects, then the operator, then what is temporary."""
RETRY_SECONDS = {429: 60, 503: 5}
"""Retry-After where no source gave a time: GitHub's advice for a limit; half of too many searches have ended then."""


class Serializable(Protocol):
    """What a response carries: an answer or an analysis."""

    @property
    def usage(self) -> Usage:
        """What the calls of the language model for it cost."""

    def to_json(self) -> str:
        """Serialise it."""


class Response(Frozen):
    """What the state machine ends with, for the mapping template; every field is always present."""

    statusCode: int  # noqa: N815 - the mapping template of API Gateway reads these names
    contentType: str  # noqa: N815
    retryAfter: str  # noqa: N815
    """Seconds, or an empty text."""
    body: str


def answered(body: str) -> Response:
    """Return the response with an answer, which is written as JSON."""
    return Response(statusCode=200, contentType=ANSWER_TYPE, retryAfter="", body=body)


def problem(error: errors.GoldpanError, now: datetime) -> Response:
    """Describe an error as problem details, with what was known; the text of a defect stays in the log."""
    listed = listed_class(error)
    status, title = STATUSES[listed]
    detail = "The log of the functions has the cause." if listed is errors.Defect else str(error)
    slug = re.sub("(?<!^)(?=[A-Z])", "-", type(error).__name__).lower()
    details: dict[str, object] = {"type": f"urn:goldpan:problem:{slug}", "title": title, "status": status}
    details["detail"] = detail
    known = {} if error.known is None else error.known.model_dump(mode="json")
    details |= {name: rows for name, rows in known.items() if rows}
    retry_at = error.retry_at if isinstance(error, errors.SourcesFailed) else None
    wait = RETRY_SECONDS.get(status, "") if retry_at is None else max(1, ceil((retry_at - now).total_seconds()))
    body = json.dumps(details)  # in ASCII, so that a lone surrogate in a message cannot fail the encoding
    return Response(statusCode=status, contentType=PROBLEM_TYPE, retryAfter=str(wait), body=body)


def listed_class(error: errors.GoldpanError) -> type[errors.GoldpanError]:
    """Return the class of an error that `STATUSES` lists, or its nearest base class; any other error is a defect."""
    return next((cls for cls in type(error).__mro__ if cls in STATUSES), errors.Defect)
