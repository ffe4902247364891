"""The command that starts the server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

EXAMPLE = "Example: goldpan serve --port 8080"
AT_ONCE = 64


def serve(
    host: Annotated[str, typer.Option(help="Where to listen; 0.0.0.0 for all addresses of this machine.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0 takes a free one.")] = 8080,
    catalogue: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Search this catalogue file instead of GitHub.")
    ] = None,
    at_once: Annotated[
        int, typer.Option(min=1, max=1000, metavar="N", help="Searches at once; more are told to come back (503).")
    ] = AT_ONCE,
) -> None:
    """Answer over HTTP: POST /search, GET /health, GET /openapi.json.

    GOLDPAN_API_KEYS (with commas between) asks every search for one of these keys, in the header x-api-key.
    """
    from goldpan_local.endings import told_endings  # noqa: PLC0415 - pays for its imports only when it runs

    with told_endings():
        from goldpan_local.serve.starting import start  # noqa: PLC0415

        start(host, port, catalogue, at_once)
