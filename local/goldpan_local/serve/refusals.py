"""What the server says by itself: problem details, in the words of the gateway where that has some (RFC 9457)."""

from __future__ import annotations

import json
from dataclasses import dataclass

from goldpan.engine.problem_details import PROBLEM_TYPE
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

MAX_BODY = 64 * 1024
"""Bytes of a request; the largest one that says anything has a third of that."""


@dataclass(frozen=True)
class Refusal:
    """One way to refuse a request."""

    slug: str
    title: str
    detail: str


REFUSALS = {
    400: Refusal("invalid-request", "The request breaks the contract", "This is no HTTP request."),
    403: Refusal("forbidden", "Access is refused", "The x-api-key header holds no key of this API."),
    404: Refusal("not-found", "There is nothing here", "There is no such path and method here."),
    405: Refusal("method-not-allowed", "The method is not allowed", "The Allow header names the methods of this path."),
    408: Refusal("too-slow", "The request came too slowly", "The body did not arrive in time."),
    413: Refusal("too-large", "The request is too large", f"A request has {MAX_BODY:,} bytes at most."),
    415: Refusal("unsupported-media-type", "The body must be JSON", "Send the request as application/json."),
    503: Refusal("busy", "Too many searches at once", "No further search can be started at this moment."),
}
STOPPING = Refusal("stopping", "The server is stopping", "The search was given up.")
HEADERS = {408: {"connection": "close"}, 503: {"retry-after": "1"}}


def body_of(status: int, refusal: Refusal) -> str:
    """Write the problem details of a refusal."""
    name = f"urn:goldpan:problem:{refusal.slug}"
    return json.dumps({"type": name, "title": refusal.title, "status": status, "detail": refusal.detail})


async def refused(_request: Request, error: Exception) -> Response:
    """Answer a request that was refused, by the server or by its framework; a plain function would cost a thread."""
    if not isinstance(error, HTTPException):
        raise error
    headers = {**HEADERS.get(error.status_code, {}), **(error.headers or {})}
    body = body_of(error.status_code, REFUSALS[error.status_code])
    return Response(body, error.status_code, headers, PROBLEM_TYPE)
