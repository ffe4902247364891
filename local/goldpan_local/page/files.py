"""Serves the files of the page, which are few and read once.

Two modules are made: the kinds of results that it shows, the default one first, and what its server can do. The page
loads nothing from elsewhere, so that it works offline. Its policy forbids all that it does not need: inline scripts and
styles, frames, other addresses.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib.resources import files

from goldpan.engine.kind_description import describe_kind
from goldpan.kinds import registry
from starlette.requests import Request
from starlette.responses import Response

FOLDER, START = "static", "index.html"
KINDS, SERVER = "described_kinds.js", "described_server.js"
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


@dataclass(frozen=True)
class ServerDescription:
    """What the page has to know of its server, which it cannot see before it asks."""

    needs_key: bool
    sends_events: bool = True
    """Sends the stages of a search as events; else the page asks for them once a second."""
    has_page_paths: bool = True
    """Has the paths of endpoints.py: projects, saved searches, exports, additions to a library."""


def page_files(server: ServerDescription) -> dict[str, bytes]:
    """Return the files of the page by their paths."""
    folder = files(__package__).joinpath(FOLDER)
    named = {each.name: each.read_bytes() for each in folder.iterdir() if each.name.rpartition(".")[2] in TYPES}
    kinds = sorted(registry.all_kinds(), key=lambda kind: kind.name != registry.DEFAULT_KIND)
    made = {KINDS: [describe_kind(kind) for kind in kinds], SERVER: asdict(server)}
    named |= {name: f"export default {json.dumps(value)};\n".encode() for name, value in made.items()}
    return {"/" if name == START else f"/page/{name}": body for name, body in named.items()}


def media_type(path: str) -> str:
    """Return the media type of a path; one without an ending is a page."""
    return TYPES.get(path.rpartition(".")[2], TYPES["html"])


def serve_file(path: str, body: bytes) -> Callable[[Request], Awaitable[Response]]:
    """Make the endpoint of a file, which has not changed as long as its ETag is the same."""
    etag = f'"{sha256(body).hexdigest()[:16]}"'
    headers = {**HEADERS, "etag": etag}

    async def serve(http: Request) -> Response:
        if etag in http.headers.get("if-none-match", ""):  # one of several, or marked as weak by a proxy
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers, media_type=media_type(path))

    return serve
