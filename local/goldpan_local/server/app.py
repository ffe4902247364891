"""The ASGI application: the paths of the contract."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from goldpan.engine import problem_details
from goldpan.errors import Defect, GoldpanError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from goldpan_local.server.problems import handle_http_error
from goldpan_local.server.request_log import RequestLog
from goldpan_local.server.requests import JSON_TYPE, ApiKeys, read_request
from goldpan_local.server.searches import Searches

CLIENT_DISCONNECTED = 499
"""Logged only; the client cannot receive it."""
HEALTHY = b'{"status": "ok"}'
CONTRACT, GATEWAY_PREFIX = "openapi.yaml", "x-amazon-"


def make_app(searches: Searches, keys: ApiKeys | None) -> RequestLog:
    """Make the application; searches need one of the keys, None requires no key."""
    contract = json.dumps(public_contract(), ensure_ascii=False).encode()

    async def search(http: Request) -> Response:
        if keys is not None and not keys.accept(http.headers.get("x-api-key")):
            raise HTTPException(403)
        request = await read_request(http)
        disconnected = asyncio.ensure_future(_disconnected(http))
        try:
            response = await searches.run(request, disconnected)
        finally:
            disconnected.cancel()
        if response is None:
            raise ClientDisconnect
        return _http_response(response)

    async def health(_http: Request) -> Response:
        return Response(HEALTHY, media_type=JSON_TYPE)

    async def openapi(_http: Request) -> Response:
        return Response(contract, media_type=JSON_TYPE)

    routes = [Route("/search", search, methods=["POST"]), Route("/health", health), Route("/openapi.json", openapi)]
    handlers = {
        HTTPException: handle_http_error,
        GoldpanError: _handle_goldpan_error,
        ClientDisconnect: _handle_disconnect,
        Exception: _handle_unexpected_error,
    }
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.router.redirect_slashes = False  # each path has one spelling in the contract
    return RequestLog(app)


def public_contract() -> dict[str, Any]:
    """Read the contract without the extensions for API Gateway."""
    # The loader in C takes a sixth of the time, but not every installation of PyYAML has it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    contract: dict[str, Any] = _without_extensions(yaml.load(_contract_text(), loader))  # noqa: S506 - a safe loader
    return contract


def _contract_text() -> str:
    """Read the file from the installed package, or from the source tree."""
    installed = files("goldpan_local").joinpath("api", CONTRACT)
    if installed.is_file():
        return installed.read_text("utf-8")
    return (Path(__file__).resolve().parents[3] / "api" / CONTRACT).read_text("utf-8")


def _without_extensions(part: Any) -> Any:
    """Drop the gateway's fields at every depth; `Any`, because YAML holds any type anywhere."""
    if isinstance(part, dict):
        return {
            name: _without_extensions(value) for name, value in part.items() if not str(name).startswith(GATEWAY_PREFIX)
        }
    return [_without_extensions(value) for value in part] if isinstance(part, list) else part


async def _disconnected(http: Request) -> None:
    """Wait until the client disconnects; after the body there is no other message."""
    while (await http.receive())["type"] != "http.disconnect":
        continue


async def _handle_goldpan_error(_http: Request, error: Exception) -> Response:
    if not isinstance(error, GoldpanError):
        raise error
    return _http_response(problem_details.problem(error, datetime.now(UTC)))


async def _handle_disconnect(_http: Request, _error: Exception) -> Response:
    return Response(status_code=CLIENT_DISCONNECTED)


async def _handle_unexpected_error(_http: Request, _error: Exception) -> Response:
    """Respond with a fixed text; the log has the exception."""
    return _http_response(problem_details.problem(Defect(), datetime.now(UTC)))


def _http_response(response: problem_details.Response) -> Response:
    headers = {"retry-after": response.retryAfter} if response.retryAfter else {}
    return Response(response.body, response.statusCode, headers, response.contentType)
