"""The ASGI application: the paths of the contract."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import cache

from goldpan.engine import problem_details
from goldpan.errors import Defect, GoldpanError
from goldpan.kinds import registry
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from goldpan_local.page.files import page_routes
from goldpan_local.server.access import access_middleware
from goldpan_local.server.analyze_endpoint import AnalyzeEndpoint
from goldpan_local.server.contract import PAGE_HEADERS, contract, docs_page
from goldpan_local.server.library_endpoint import LibraryEndpoint
from goldpan_local.server.problems import handle_http_error
from goldpan_local.server.request_log import RequestLog
from goldpan_local.server.requests import JSON_TYPE, ApiKeys
from goldpan_local.server.responses import http_response
from goldpan_local.server.search_endpoint import SearchEndpoint
from goldpan_local.server.searches import Searches

LIBRARY_PATHS = ("/library/search", "/library/chunks")
CLIENT_DISCONNECTED = 499
"""Logged only; the client cannot receive it."""
HEALTHY = b'{"status": "ok"}'


def make_app(
    searches: Searches, keys: ApiKeys | None, hosts: frozenset[str] | None = None, origins: tuple[str, ...] = ()
) -> RequestLog:
    """Make the application.

    Searches need one of the keys, None requires no key; requests must address one of the hosts or this machine, None
    allows any host; pages of these origins may search.
    """
    document, page = _documents(registry.kind_names())
    endpoint = SearchEndpoint(searches, keys, origins)
    analyze = AnalyzeEndpoint(searches, keys).analyze

    async def health(_http: Request) -> Response:
        return Response(HEALTHY, media_type=JSON_TYPE)

    async def openapi(_http: Request) -> Response:
        return Response(document, media_type=JSON_TYPE)

    async def docs(_http: Request) -> Response:
        return Response(page, headers=PAGE_HEADERS, media_type="text/html")

    library = LibraryEndpoint(searches, keys, searches.libraries)
    routes = [Route("/search", endpoint.search, methods=["POST", "GET"]), Route("/health", health)]
    routes += [Route("/compare", endpoint.compare, methods=["POST"]), Route("/like", endpoint.like, methods=["POST"])]
    routes += [Route(path, library.respond, methods=["POST"]) for path in LIBRARY_PATHS]
    routes += [Route("/analyze-repo", analyze, methods=["POST"])]
    routes += [Route("/openapi.json", openapi), Route("/docs", docs), *page_routes()]
    routes += [Route("/page/projects", library.projects)]
    handlers = {
        HTTPException: handle_http_error,
        GoldpanError: _handle_goldpan_error,
        ClientDisconnect: _handle_disconnect,
        Exception: _handle_unexpected_error,
    }
    middleware = access_middleware(hosts, origins)
    app = Starlette(routes=routes, exception_handlers=handlers, middleware=middleware)
    app.router.redirect_slashes = False  # each path has one spelling in the contract
    return RequestLog(app)


@cache
def _documents(_kinds: tuple[str, ...]) -> tuple[bytes, bytes]:
    """Return the contract for these kinds and the page about it, made once: that takes some tenths of a second."""
    made = contract()
    return json.dumps(made, ensure_ascii=False).encode(), docs_page(made).encode()


async def _handle_goldpan_error(_http: Request, error: Exception) -> Response:
    if not isinstance(error, GoldpanError):
        raise error
    return http_response(problem_details.problem(error, datetime.now(UTC)))


async def _handle_disconnect(_http: Request, _error: Exception) -> Response:
    return Response(status_code=CLIENT_DISCONNECTED)


async def _handle_unexpected_error(_http: Request, _error: Exception) -> Response:
    """Respond with a fixed text; the log has the exception."""
    return http_response(problem_details.problem(Defect(), datetime.now(UTC)))
