"""Waits for the response of a running search while the client stays connected, and makes the response for HTTP."""

from __future__ import annotations

import asyncio

from goldpan.engine import problem_details
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from goldpan_local.server.searches import RunningSearch, Searches


async def wait_for_response(searches: Searches, search: RunningSearch, http: Request) -> Response:
    """Wait for the response of a search, which ends if the client disconnects. Raises `ClientDisconnect`."""
    gone = asyncio.ensure_future(disconnected(http))
    try:
        response = await searches.wait(search, gone)
    finally:
        gone.cancel()
    if response is None:
        raise ClientDisconnect
    return http_response(response)


def http_response(response: problem_details.Response) -> Response:
    """Make the response for HTTP."""
    headers = {"retry-after": response.retryAfter} if response.retryAfter else {}
    return Response(response.body, response.statusCode, headers, response.contentType)


async def disconnected(http: Request) -> None:
    """Wait until the client disconnects; after the body there is no other message."""
    while (await http.receive())["type"] != "http.disconnect":
        continue
