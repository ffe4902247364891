"""The ASGI application: the paths of the contract."""

import json
import os
from collections.abc import Awaitable, Callable
from functools import cache

from goldpan.errors import Defect, GoldpanError
from goldpan.kinds import registry
from goldpan.kinds.papers.sources.library.requests import OPERATIONS
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from goldpan_local.page.endpoints import PageEndpoints
from goldpan_local.page.files import ServerDescription, page_files, serve_file
from goldpan_local.server.access import access_middleware
from goldpan_local.server.contract import PAGE_HEADERS, contract, docs_page
from goldpan_local.server.endpoints import COMPARE, LIKE, Endpoints
from goldpan_local.server.request_log import RequestLog
from goldpan_local.server.requests import JSON_TYPE, error_response, is_accepted, problem_response
from goldpan_local.server.searches import Searches

Endpoint = Callable[[Request], Awaitable[Response]]
Keys = tuple[bytes, ...]
"""The digests of the accepted keys."""


def make_app(
    searches: Searches, keys: Keys | None, hosts: frozenset[str] | None = None, origins: tuple[str, ...] = ()
) -> RequestLog:
    """Make the application.

    Searches need one of the keys, None requires no key; requests must address one of the hosts or this machine, None
    allows any host; pages of these origins may search.
    """
    document, page = _documents(registry.kind_names())
    endpoints, page_endpoints = Endpoints(searches, origins), PageEndpoints(searches, os.environ)
    described = ServerDescription(needs_key=keys is not None)
    search, work = _keyed(endpoints.search, keys), _keyed(endpoints.work, keys)
    routes = [
        Route("/search", search, methods=["POST", "GET"]),
        Route("/search/{id}", _keyed(endpoints.started_search, keys)),
        *(Route(path, search, methods=["POST"]) for path in (COMPARE, LIKE)),
        *(Route(path, work, methods=["POST"]) for path in ("/analyze-repo", *OPERATIONS)),
        Route("/page/start", _keyed(page_endpoints.start, keys)),
        Route("/page/export", _keyed(page_endpoints.export, keys), methods=["POST"]),
        Route("/page/add", _keyed(page_endpoints.add, keys), methods=["POST"]),
        Route("/health", _fixed(b'{"status": "ok"}', JSON_TYPE)),
        Route("/openapi.json", _fixed(document, JSON_TYPE)),
        Route("/docs", _fixed(page, "text/html", PAGE_HEADERS)),
        *(Route(path, serve_file(path, body)) for path, body in page_files(described).items()),
    ]
    handlers = dict.fromkeys((HTTPException, GoldpanError, ClientDisconnect, Exception), _handle_error)
    app = Starlette(routes=routes, exception_handlers=handlers, middleware=access_middleware(hosts, origins))
    app.router.redirect_slashes = False  # each path has one spelling in the contract
    return RequestLog(app)


def _keyed(endpoint: Endpoint, keys: Keys | None) -> Endpoint:
    """Respond if the request has one of the keys. Raises `HTTPException` if it has none."""

    async def respond(http: Request) -> Response:
        if keys is not None and not is_accepted(http.headers.get("x-api-key"), keys):
            raise HTTPException(403)
        return await endpoint(http)

    return respond


def _fixed(body: bytes, media_type: str, headers: dict[str, str] | None = None) -> Endpoint:
    async def respond(_http: Request) -> Response:
        return Response(body, headers=headers, media_type=media_type)

    return respond


@cache
def _documents(_kinds: tuple[str, ...]) -> tuple[bytes, bytes]:
    """Return the contract for these kinds and the page about it, made once: that takes some tenths of a second."""
    made = contract()
    return json.dumps(made, ensure_ascii=False).encode(), docs_page(made).encode()


async def _handle_error(_http: Request, error: Exception) -> Response:
    """Respond with the problem of an error; an unexpected one has a fixed text, and the log has the exception.

    It is async, because Starlette runs a plain function in a thread.
    """
    if isinstance(error, HTTPException):
        return problem_response(error.status_code, headers=error.headers)
    if isinstance(error, ClientDisconnect):
        return Response(status_code=499)  # logged only; the client cannot receive it
    return error_response(error if isinstance(error, GoldpanError) else Defect())
