"""Starts the server for agents, if the SDK is installed: it is an extra, because no search needs it."""

import os
import sys
from importlib.util import find_spec

from goldpan.errors import Misconfigured
from goldpan.local.bootstrap import open_runtime

from goldpan_local.exit_codes import discard
from goldpan_local.lazy_group import command


@command("mcp", epilog="Example: claude mcp add goldpan -- goldpan mcp")
def mcp() -> None:
    """Offer the searches to an agent, over the Model Context Protocol on standard input and output.

    Needs the extra `mcp`. The environment has the same keys as for a search.
    """
    if find_spec("mcp") is None:
        raise Misconfigured("goldpan mcp needs the extra `mcp`: pip install 'goldpan-search[mcp]'")
    from goldpan_local.agents.server import make_server  # noqa: PLC0415 - optional

    with open_runtime(os.environ) as runtime:
        try:
            make_server(runtime).run("stdio")
        except* BrokenPipeError:  # the client has ended, and reads no answer
            discard(sys.stdout)
