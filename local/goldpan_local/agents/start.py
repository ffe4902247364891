"""Starts the server for agents, if the SDK is installed: it is an extra, because no search needs it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib.util import find_spec

import typer
from goldpan.errors import Misconfigured
from goldpan.local.bootstrap import open_runtime

from goldpan_local.exit_codes import exit_on_error

MISSING = "goldpan mcp needs the extra `mcp`: pip install 'goldpan-search[mcp]'"

mcp_app = typer.Typer(add_completion=False, rich_markup_mode=None)


@mcp_app.command("mcp", epilog="Example: claude mcp add goldpan -- goldpan mcp")
def mcp() -> None:
    """Offer the searches to an agent, over the Model Context Protocol on standard input and output.

    Needs the extra `mcp`. The environment has the same keys as for a search.
    """
    with exit_on_error():
        run(os.environ)


def run(environment: Mapping[str, str]) -> None:
    """Serve on standard input and output until the input ends. Raises `Misconfigured`."""
    if find_spec("mcp") is None:
        raise Misconfigured(MISSING)
    if sys.stdin is None or sys.stdout is None:  # closed before the command began
        raise Misconfigured("an agent's client talks to goldpan mcp on stdin and stdout, and one of them is closed")
    from goldpan_local.agents.server import make_server  # noqa: PLC0415 - optional

    with open_runtime(environment) as runtime:
        make_server(runtime).run("stdio")
