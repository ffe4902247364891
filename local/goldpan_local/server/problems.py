"""Problem details (RFC 9457) that the server itself responds with; titles and details are those of API Gateway."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from goldpan.engine.problem_details import PROBLEM_TYPE
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

MAX_BODY = 64 * 1024
"""Bytes of a request body; the largest useful request has a third of that."""


@dataclass(frozen=True)
class Problem:
    """The last part of a problem type's URN, the title and the detail."""

    slug: str
    title: str
    detail: str


PROBLEMS = {
    403: Problem("forbidden", "Access is refused", "The x-api-key header holds no key of this API."),
    404: Problem("not-found", "There is nothing here", "There is no such path and method here."),
    405: Problem("method-not-allowed", "The method is not allowed", "The Allow header names the methods of this path."),
    408: Problem("too-slow", "The request came too slowly", "The body did not arrive in time."),
    413: Problem("too-large", "The request is too large", f"A request has {MAX_BODY:,} bytes at most."),
    415: Problem("unsupported-media-type", "The body must be JSON", "Send the request as application/json."),
    421: Problem(
        "unknown-host",
        "The host is unknown",
        "The Host header is no name of this machine; GOLDPAN_ALLOWED_HOSTS adds names.",
    ),
    503: Problem("busy", "Too many searches at once", "No further search can be started at this moment."),
}
STOPPING = Problem("stopping", "The server is stopping", "The search was cancelled.")
RETRY_SECONDS = "1"
HEADERS = {408: {"connection": "close"}, 503: {"retry-after": RETRY_SECONDS}}


def problem_body(status: int, problem: Problem) -> str:
    """Write problem details as JSON."""
    name = f"urn:goldpan:problem:{problem.slug}"
    return json.dumps({"type": name, "title": problem.title, "status": status, "detail": problem.detail})


def problem_response(status: int, problem: Problem | None = None, headers: Mapping[str, str] | None = None) -> Response:
    """Respond with problem details, by default those of the status."""
    body = problem_body(status, problem or PROBLEMS[status])
    return Response(body, status, {**HEADERS.get(status, {}), **(headers or {})}, PROBLEM_TYPE)


async def handle_http_error(_request: Request, error: Exception) -> Response:
    """Respond to an `HTTPException`; async, because Starlette runs a plain function in a thread."""
    if not isinstance(error, HTTPException):
        raise error
    return problem_response(error.status_code, headers=error.headers)
