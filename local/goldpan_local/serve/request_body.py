"""Reads the request of a search off its body, and refuses what the contract refuses."""

from __future__ import annotations

import asyncio

from goldpan.contracts import SearchRequest, parse_request
from goldpan.errors import InvalidRequest
from pydantic import ValidationError
from pydantic_core import from_json
from starlette.exceptions import HTTPException
from starlette.requests import Request

from goldpan_local.serve.refusals import MAX_BODY

JSON_TYPE = "application/json"
BODY_SECONDS = 10.0
"""How long a body may take to arrive."""
LENGTH_DIGITS = 10


async def read_request(http: Request) -> SearchRequest:
    """Read the request. Raises `InvalidRequest`, or `HTTPException` for what is no JSON, too large or too slow."""
    # A stranger's page can make a browser send any type but this one unasked, so that no type is no JSON either.
    if http.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON_TYPE:
        raise HTTPException(415)
    try:
        async with asyncio.timeout(BODY_SECONDS):
            raw = await _whole(http)
    except TimeoutError as late:
        raise HTTPException(408) from late
    return parse_body(raw)


def parse_body(raw: bytes) -> SearchRequest:
    """Parse a body. Raises `InvalidRequest`, also for a number or a truth that is written as something else."""
    try:
        fields = from_json(raw, allow_inf_nan=False)
    except ValueError as error:
        message = f"request: not JSON: {error}"
        raise InvalidRequest(message) from error
    parse_request(fields)
    try:
        # The command gives its options as text, so that the library reads "10" as 10; the contract over HTTP does not.
        return SearchRequest.model_validate_json(raw, strict=True)
    except ValidationError as error:
        rows = (f"{'.'.join(str(part) for part in row['loc'])}: {row['msg']}" for row in error.errors())
        raise InvalidRequest("; ".join(rows)) from error


async def _whole(http: Request) -> bytes:
    """Read the body; one that says that it is too large is refused before it is sent."""
    length = http.headers.get("content-length", "0")
    if len(length) > LENGTH_DIGITS or not length.isdecimal() or int(length) > MAX_BODY:
        raise HTTPException(413)
    body = b""
    async for chunk in http.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise HTTPException(413)
    return body
