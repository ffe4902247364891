"""Runs `goldpan serve`: listens, serves with uvicorn, closes stalled connections, and stops on a signal."""

import asyncio
import gc
import os
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, cast

import uvicorn
from goldpan.engine.dependencies import Runtime
from goldpan.engine.search import get_or_search
from goldpan.errors import Defect, Misconfigured
from goldpan.kinds.registry import all_kinds
from goldpan.local.bootstrap import open_answers, open_runtime
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from goldpan_local.exit_codes import SUCCESS, write_notes
from goldpan_local.lazy_group import command
from goldpan_local.option_values import option, whole_number
from goldpan_local.server.access import allowed_hosts, is_loopback
from goldpan_local.server.app import make_app
from goldpan_local.server.connections import bounded_protocol, connection_limits, raise_file_limit, return_freed_memory
from goldpan_local.server.request_log import log_to_stderr
from goldpan_local.server.requests import ServerSettings, parse_body
from goldpan_local.server.searches import Searches

REQUEST_SECONDS = 10.0
"""Time for the head of a request, and for the rest of a body after its response."""
GRACE_SECONDS = 3.0
"""Time for running searches to end after a signal, before they are cancelled."""
SHUTDOWN_SECONDS = 6
"""Time after which open connections are closed."""
TICKS_PER_SECOND = 10
"""uvicorn calls `on_tick` that often."""


def run_server(host: str, port: int, catalogue: Path | None, max_searches: int) -> None:
    """Serve until a signal arrives. Raises `Misconfigured`, or `KeyboardInterrupt` on Ctrl-C."""
    return_freed_memory(os.environ)
    settings = ServerSettings.from_environment(os.environ)
    keys = settings.api_keys()
    served, backlog = connection_limits(raise_file_limit())
    runtime = open_runtime(os.environ, None, catalogue)
    warm_up(runtime)
    searches = Searches(runtime, max_searches, open_answers(os.environ))
    log_to_stderr()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(SUCCESS))
    with listen(host, port, backlog) as listener:
        address = listener.getsockname()[0]
        hosts = allowed_hosts(address, host, settings.goldpan_allowed_hosts)
        app = make_app(searches, keys, hosts, settings.goldpan_cors_origins)
        sources = ", ".join(runtime.sources)
        access = "API key required" if keys else "no API key required"
        write_notes([f"listening on {url_of(listener)}; sources: {sources}; {access}"])
        if keys is None and not is_loopback(address):
            write_notes(["GOLDPAN_API_KEYS is not set: every host that reaches this address can search"])
        make_server(app, searches, served, backlog).run(sockets=[listener])


def warm_up(runtime: Runtime) -> None:
    """Load all kinds, and search the catalogue once without model and caches: no request waits for a lazy import.

    What is loaded by then stays, so that no garbage collection needs to visit it again.
    """
    for kind in all_kinds():
        kind.prime()()
    offline = replace(runtime.dependencies, llm=None, cache=None, locks=None)
    request = parse_body(b'{"query": "Rust web framework", "sources": ["catalogue"]}')
    with suppress(Defect):  # it is logged, and a request may succeed
        get_or_search(request, replace(runtime, dependencies=offline)).to_json()
    gc.collect()
    gc.freeze()


def listen(host: str, port: int, backlog: int) -> socket.socket:
    """Listen on an address. Raises `Misconfigured` if that fails."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address, family=family, backlog=backlog)
    except OSError as error:
        reason, _, _ = str(error.strerror).partition(" (while")  # the rest repeats the address
        raise Misconfigured(f"cannot listen on {host} port {port}: {reason}") from error


def url_of(listener: socket.socket) -> str:
    """Return the URL of a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def make_server(app: ASGIApp, searches: Searches, served: int, backlog: int) -> uvicorn.Server:
    """Make the server; it serves until a signal, which it raises again at the end."""
    config = uvicorn.Config(
        app,
        http=bounded_protocol(served, backlog),
        backlog=backlog,
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=30,  # longer than clients keep an idle connection: no request meets one being closed
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        workers=1,
    )
    return _Server(config, searches)


class _Server(uvicorn.Server):
    """Closes connections whose request never ends, and cancels searches when it stops: no setting does.

    uvicorn's h11 protocol bounds the size of a request head (`h11_max_incomplete_event_size`) but not its time, and the
    one on httptools, a further dependency, bounds neither.
    """

    def __init__(self, config: uvicorn.Config, searches: Searches) -> None:
        super().__init__(config)
        self._searches = searches
        self._waiting_since: dict[tuple[H11Protocol, RequestResponseCycle | None], float] = {}

    async def on_tick(self, counter: int) -> bool:
        """Check the connections once a second."""
        if counter % TICKS_PER_SECOND == 0:
            self._close_stalled(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    def _close_stalled(self, now: float) -> None:
        """Close connections that have sent no complete request, or the rest of a body, since their last response."""
        connections = cast("set[H11Protocol]", self.server_state.connections)
        waiting = [
            (connection, connection.cycle)
            for connection in connections
            if connection.timeout_keep_alive_task is None  # between two requests, uvicorn's own timer runs
            and (connection.cycle is None or connection.cycle.response_complete)
        ]
        self._waiting_since = {key: self._waiting_since.get(key, now) for key in waiting}
        for (connection, _), since in self._waiting_since.items():
            if now - since > REQUEST_SECONDS:
                connection.transport.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting connections, and wait for running searches."""
        asyncio.get_running_loop().call_later(GRACE_SECONDS, self._searches.stop)
        await super().shutdown(sockets)


@command("serve", epilog="Example: goldpan serve --port 8080")
def serve(
    host: Annotated[
        str, option("TEXT", "Address to listen on; 0.0.0.0 for all addresses of this machine.")
    ] = "127.0.0.1",
    port: Annotated[str, option("N", "0 selects a free port.")] = "8080",
    catalogue: Annotated[Path | None, option("FILE", "Search this catalogue file instead of GitHub.")] = None,
    max_searches: Annotated[
        str, option("N", "Limit of concurrent searches; others wait 2 s, then get 503.", "--at-once")
    ] = "16",
) -> None:
    """Answer over HTTP, and show the page at /.

    POST /search, /compare, /like, /analyze-repo, /library/search, /library/chunks; GET /search?q=..., /search/{id},
    /docs, /openapi.json, /health.

    If GOLDPAN_API_KEYS is set (comma-separated), every search needs one of these keys in the header x-api-key.
    GOLDPAN_CORS_ORIGINS names the origins whose pages may search, GOLDPAN_ALLOWED_HOSTS further names of this server.
    """
    at_once = whole_number("--at-once", max_searches, 1, 1000)
    run_server(host, whole_number("--port", port, 0, 65_535), catalogue, at_once)
