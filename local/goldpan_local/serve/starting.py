"""What `goldpan serve` does, once its options are read."""

from __future__ import annotations

import ipaddress
import os
import signal
import sys
from pathlib import Path

from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Dependencies, Runtime
from goldpan.engine.search import get_or_search
from goldpan.kinds.repositories.sources.catalogue.build import Record
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue

from goldpan_local.bootstrap import open_runtime
from goldpan_local.endings import ANSWERED
from goldpan_local.serve.application import application
from goldpan_local.serve.listening import address_of, listen, server
from goldpan_local.serve.request_body import parse_body
from goldpan_local.serve.request_log import log_to_stderr
from goldpan_local.serve.searches import Searches
from goldpan_local.serve.settings import ServerSettings


def start(host: str, port: int, catalogue: Path | None, at_once: int) -> None:
    """Serve until a signal comes. Raises `Misconfigured`, or `KeyboardInterrupt` at Ctrl-C."""
    keys = ServerSettings.from_environment(os.environ).keys()
    runtime = open_runtime(os.environ, None, catalogue)
    prime()
    searches = Searches(runtime, at_once)
    app = application(searches, keys)
    log_to_stderr()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(ANSWERED))  # to be stopped is how a server ends well
    with listen(host, port) as listening:
        told = f"goldpan: listening on {address_of(listening)}; searches {_asked(runtime)}"
        sys.stderr.write(f"{told}; {'asks for a key' if keys else 'asks for no key'}\n")
        if keys is None and not _is_loopback(listening.getsockname()[0]):
            sys.stderr.write("goldpan: GOLDPAN_API_KEYS is not set: whoever reaches this address can search\n")
        sys.stderr.flush()
        server(app, searches).run(sockets=[listening])


def prime() -> None:
    """Build what a first search builds, with one that asks nobody, so that the first asker does not wait for it."""
    clock, record = WallClock(), Record(full_name="rust/web", description="Rust web framework", stars=1000)
    dependencies = Dependencies(clock=clock, sources={"catalogue": Catalogue.in_memory([record], "nothing")})
    runtime = Runtime(dependencies, ("catalogue",), (), clock)
    get_or_search(parse_body(b'{"query": "Rust web framework"}'), runtime).to_json()


def _asked(runtime: Runtime) -> str:
    return ", then ".join((*runtime.sources, *runtime.fallback))


def _is_loopback(address: str) -> bool:
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback
