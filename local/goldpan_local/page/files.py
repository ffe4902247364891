"""Serves the files of the page: they are few, part of the package, and read once.

The page loads nothing from elsewhere, so that it works offline. Its policy forbids all that it does not need: inline
scripts and styles, frames, other addresses.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from hashlib import sha256
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

FOLDER, START = "static", "index.html"
TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",  # asked for again with its ETag, so that a new version shows at once
}


def page_routes() -> list[Route]:
    """Return the routes of the page: `/` and one for each of its files."""
    return [Route("/", _serve(START)), *(Route(f"/page/{name}", _serve(name)) for name in _read() if name != START)]


def _serve(name: str) -> Callable[[Request], Awaitable[Response]]:
    body, etag = _read()[name]
    headers = {**HEADERS, "etag": etag}

    async def serve(http: Request) -> Response:
        if http.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers, media_type=TYPES[name.rpartition(".")[2]])

    return serve


@cache
def _read() -> dict[str, tuple[bytes, str]]:
    """Read the files by their names, each with its ETag."""
    folder = files("goldpan_local.page").joinpath(FOLDER)
    bodies = {item.name: item.read_bytes() for item in folder.iterdir() if item.name.rpartition(".")[2] in TYPES}
    return {name: (body, f'"{sha256(body).hexdigest()[:16]}"') for name, body in sorted(bodies.items())}
