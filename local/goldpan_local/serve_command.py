"""`goldpan serve`: the arguments and options of the server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from goldpan_local.lazy_group import command
from goldpan_local.option_values import whole_number
from goldpan_local.server.http_server import run_server


@command("serve", epilog="Example: goldpan serve --port 8080")
def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 for all addresses of this machine.")
    ] = "127.0.0.1",
    port: Annotated[str, typer.Option(metavar="N", help="0 selects a free port.")] = "8080",
    catalogue: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Search this catalogue file instead of GitHub.")
    ] = None,
    max_searches: Annotated[
        str,
        typer.Option("--at-once", metavar="N", help="Limit of concurrent searches; others wait 2 s, then get 503."),
    ] = "16",
) -> None:
    """Answer over HTTP, and show the page at /.

    POST /search, /compare, /like, /analyze-repo, /library/search, /library/chunks; GET /search?q=..., /docs,
    /openapi.json, /health.

    If GOLDPAN_API_KEYS is set (comma-separated), every search needs one of these keys in the header x-api-key.
    GOLDPAN_CORS_ORIGINS names the origins whose pages may search, GOLDPAN_ALLOWED_HOSTS further names of this server.
    """
    at_once = whole_number("--at-once", max_searches, 1, 1000)
    run_server(host, whole_number("--port", port, 0, 65_535), catalogue, at_once)
