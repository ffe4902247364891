"""Reads requests: API key, content type, size, JSON, contract; and the problem details of what is none.

Titles and details are those of API Gateway (RFC 9457).
"""

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from hmac import compare_digest
from typing import Annotated, TypeVar

from goldpan.contracts import SearchRequest, parse_request
from goldpan.contracts.validation_errors import describe_validation_error
from goldpan.engine.problem_details import PROBLEM_TYPE, problem
from goldpan.errors import GoldpanError, InvalidRequest, Misconfigured, naming
from goldpan.infra.settings import Secret, Settings
from pydantic import BaseModel, BeforeValidator, ValidationError
from pydantic_core import from_json
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

MAX_BODY = 64 * 1024
"""Bytes of a request body; the largest useful request has a third of that."""
JSON_TYPE = "application/json"
BODY_SECONDS = 10.0
"""Time for a body to arrive."""
Model = TypeVar("Model", bound=BaseModel)
HOST = re.compile(r"[A-Za-z0-9_.-]+|[0-9A-Fa-f:]+")
ORIGIN = re.compile(r"\*|https?://[a-z0-9.-]+(:\d{1,5})?|https?://\[[0-9a-f:]+\](:\d{1,5})?")
Problem = tuple[str, str, str]
"""The last part of a problem type's URN, the title and the detail."""
PROBLEMS: Mapping[int, Problem] = {
    403: ("forbidden", "Access is refused", "The x-api-key header holds no key of this API."),
    404: ("not-found", "There is nothing here", "There is no such path and method here."),
    405: ("method-not-allowed", "The method is not allowed", "The Allow header names the methods of this path."),
    408: ("too-slow", "The request came too slowly", "The body did not arrive in time."),
    413: ("too-large", "The request is too large", f"A request has {MAX_BODY:,} bytes at most."),
    415: ("unsupported-media-type", "The body must be JSON", "Send the request as application/json."),
    421: (
        "unknown-host",
        "The host is unknown",
        "The Host header is no name of this machine; GOLDPAN_ALLOWED_HOSTS adds names.",
    ),
    503: ("busy", "Too many searches at once", "No further search can be started at this moment."),
}
STOPPING = ("stopping", "The server is stopping", "The search was cancelled.")
RETRY_SECONDS = "1"
HEADERS = {408: {"connection": "close"}, 503: {"retry-after": RETRY_SECONDS}}


def problem_response(status: int, headers: Mapping[str, str] | None = None, problem: Problem | None = None) -> Response:
    """Respond with problem details, by default those of the status."""
    slug, title, detail = problem or PROBLEMS[status]
    details = {"type": f"urn:goldpan:problem:{slug}", "title": title, "status": status, "detail": detail}
    return Response(json.dumps(details), status, {**HEADERS.get(status, {}), **(headers or {})}, PROBLEM_TYPE)


def error_response(error: GoldpanError) -> Response:
    """Respond with the problem details of an error."""
    made = problem(error, datetime.now(UTC))
    waits = {"retry-after": made.retryAfter} if made.retryAfter else {}
    return Response(made.body, made.statusCode, waits, made.contentType)


def is_accepted(key: str | None, digests: Iterable[bytes]) -> bool:
    """Whether a key is one of those with these digests, which are compared in constant time."""
    digest = _digest(key or "")
    return sum(compare_digest(digest, known) for known in digests) > 0  # `any` would stop at the first match


def _split(values: str) -> tuple[str, ...]:
    return tuple(value for each in values.split(",") if (value := each.strip()))


def _each(pattern: re.Pattern[str], wanted: str) -> BeforeValidator:

    def split(values: str) -> tuple[str, ...]:
        found = _split(values)
        for wrong in (each for each in found if not pattern.fullmatch(each)):
            raise ValueError(f"{wrong!r} is {wanted}")
        return found

    return BeforeValidator(split)


class ServerSettings(Settings):
    """Settings of the server, each with values separated by commas."""

    goldpan_api_keys: Secret | None = None
    """Without them, every caller may search."""
    goldpan_cors_origins: Annotated[
        tuple[str, ...], _each(ORIGIN, "no origin such as https://app.example.org, and not *")
    ] = ()
    """The origins whose pages may search; `*` is all."""
    goldpan_allowed_hosts: Annotated[tuple[str, ...], _each(HOST, "no host name; it has neither scheme nor port")] = ()
    """Names of this server in addition to those of the machine."""

    def api_keys(self) -> tuple[bytes, ...] | None:
        """Return the digests of the accepted keys, None if none is required. Raises `Misconfigured` for no key."""
        if self.goldpan_api_keys is None:
            return None
        keys = _split(self.goldpan_api_keys.get_secret_value())
        if not keys:
            message = "GOLDPAN_API_KEYS holds no key: unset it to require none, or set keys separated by commas"
            raise Misconfigured(message)
        return tuple(map(_digest, keys))


async def read_body(http: Request, most: int = MAX_BODY) -> bytes:
    """Read a body of so many bytes. Raises `InvalidRequest`, `HTTPException` for another type, a large or slow body."""
    # A missing type is refused, too: a web page on another site can send everything but this type unasked (CORS).
    if http.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON_TYPE:
        raise HTTPException(415)
    if (encoding := http.headers.get("content-encoding", "identity")) != "identity":
        raise InvalidRequest(f"content-encoding: a body must not be compressed (given {encoding})")
    body = b""
    if int(http.headers.get("content-length", 0)) > most:  # a number of at most 20 digits, or uvicorn refuses it
        raise HTTPException(413)
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in http.stream():
                body += chunk
                if len(body) > most:
                    raise HTTPException(413)
    except TimeoutError as error:
        raise HTTPException(408) from error
    return body


def read_fields(body: bytes) -> object:
    """Parse JSON. Raises `InvalidRequest`."""
    with naming("request: not JSON", ValueError):
        # By default, pydantic keeps the last 16,384 short strings that it read, questions among them.
        fields: object = from_json(body, allow_inf_nan=False, cache_strings="keys")
    return fields


def parse_body(body: bytes) -> SearchRequest:
    """Parse the body of a search. Raises `InvalidRequest`."""
    return parse_strictly(body, SearchRequest, parse_request)


def parse_strictly(body: bytes, model: type[Model], parse: Callable[[object], object]) -> Model:
    """Parse a body; a number or a boolean in another JSON type is wrong, too. Raises `InvalidRequest`."""
    parse(read_fields(body))
    try:
        # `parse` accepts "10" for 10, because the command passes its options as text; HTTP requests need 10.
        return model.model_validate_json(body, strict=True)
    except ValidationError as error:
        raise InvalidRequest(describe_validation_error(error, model)) from error


def _digest(key: str) -> bytes:
    return sha256(key.encode()).digest()
