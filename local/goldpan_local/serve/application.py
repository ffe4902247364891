"""The paths of the contract as an ASGI application."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from goldpan.engine import problem_details as responses
from goldpan.errors import Defect, GoldpanError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from goldpan_local.serve.contract import contract_json
from goldpan_local.serve.refusals import refused
from goldpan_local.serve.request_body import JSON_TYPE, read_request
from goldpan_local.serve.request_log import RequestLog
from goldpan_local.serve.searches import Searches
from goldpan_local.serve.settings import Keys

CLIENT_LEFT = 499
HEALTHY = b'{"status": "ok"}'


def application(searches: Searches, keys: Keys | None) -> RequestLog:
    """Make the application; `keys` open the search, None leaves it open."""
    contract = contract_json()

    async def search(http: Request) -> Response:
        if keys is not None and not keys.hold(http.headers.get("x-api-key")):
            raise HTTPException(403)
        request = await read_request(http)
        gone = asyncio.ensure_future(_gone(http))
        try:
            told = await searches.answer(request, gone)
        finally:
            gone.cancel()
        if told is None:
            raise ClientDisconnect  # as for one that leaves in the middle of its body
        return _response(told)

    async def health(_http: Request) -> Response:
        return Response(HEALTHY, media_type=JSON_TYPE)

    async def openapi(_http: Request) -> Response:
        return Response(contract, media_type=JSON_TYPE)

    routes = [
        Route("/search", search, methods=["POST"]),
        Route("/health", health),
        Route("/openapi.json", openapi),
    ]
    handlers = {HTTPException: refused, GoldpanError: _ended, ClientDisconnect: _left, Exception: _broken}
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.router.redirect_slashes = False  # the contract knows each path by one name
    return RequestLog(app)


async def _gone(http: Request) -> None:
    """Wait until the client has left: after the body nothing else is received."""
    while (await http.receive())["type"] != "http.disconnect":
        continue


async def _ended(_http: Request, error: Exception) -> Response:
    """Answer a request that the contract refuses."""
    if not isinstance(error, GoldpanError):
        raise error
    return _response(responses.problem(error, datetime.now(UTC)))


async def _left(_http: Request, _error: Exception) -> Response:
    """Give the log a status; the client that it would go to has left."""
    return Response(status_code=CLIENT_LEFT)


async def _broken(_http: Request, _error: Exception) -> Response:
    """Answer a defect; what it was stands in the log alone."""
    return _response(responses.problem(Defect(), datetime.now(UTC)))


def _response(told: responses.Response) -> Response:
    headers = {"retry-after": told.retryAfter} if told.retryAfter else {}
    return Response(told.body, told.statusCode, headers, told.contentType)
