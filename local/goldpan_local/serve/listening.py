"""The server process: where it listens, how it speaks HTTP, how it stops."""

from __future__ import annotations

import asyncio
import socket
import sys

import uvicorn
from goldpan.errors import Misconfigured
from starlette.types import ASGIApp

from goldpan_local.serve.protocol import BoundedProtocol
from goldpan_local.serve.searches import Searches

BACKLOG = 512
IDLE_SECONDS = 30
"""How long a connection is kept for the next request: longer than clients keep theirs, so that none is met closing."""
GRACE_SECONDS = 3.0
"""What running searches have to end when the server stops, before they are given up."""
CUT_SECONDS = 6
"""When whatever is still open is cut."""


def listen(host: str, port: int) -> socket.socket:
    """Listen on an address. Raises `Misconfigured` where that cannot be."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise _impossible(host, port, error) from error
    try:
        if sys.platform != "win32":  # elsewhere two servers could take the same port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise _impossible(host, port, error) from error
    return listening


def address_of(listening: socket.socket) -> str:
    """Write where a socket listens, as an address to call."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def server(app: ASGIApp, searches: Searches) -> uvicorn.Server:
    """Make the server; it serves until a signal stops it, which it raises again at the end."""
    config = uvicorn.Config(
        app,
        http=BoundedProtocol,
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=CUT_SECONDS,
        workers=1,
    )
    return _Server(config, searches)


class _Server(uvicorn.Server):
    """Gives the searches up a little after it was told to stop, while there is still time to tell their askers."""

    def __init__(self, config: uvicorn.Config, searches: Searches) -> None:
        super().__init__(config)
        self._searches = searches

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting, and wait for what runs."""
        asyncio.get_running_loop().call_later(GRACE_SECONDS, self._searches.give_up)
        await super().shutdown(sockets)


def _impossible(host: str, port: int, error: OSError) -> Misconfigured:
    return Misconfigured(f"cannot listen on {host} port {port}: {error.strerror or error}")
