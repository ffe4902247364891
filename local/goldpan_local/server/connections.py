"""What the server may take of the system: connections and file descriptors, and the memory of the C library."""

from __future__ import annotations

import asyncio
import ctypes
import sys
from collections.abc import Mapping

from uvicorn.protocols.http.h11_impl import H11Protocol

from goldpan_local.server.request_log import RequestLog
from goldpan_local.server.requests import problem_response

WANTED_FILES = 4096
MAX_CONNECTIONS, MAX_BACKLOG = 1024, 512
CLIENT_SHARE, BACKLOG_SHARE = 3, 8
"""A third of the file descriptors is for clients, an eighth for those that are accepted in one go; the rest is for the
connections to the sources, the cache and the catalogue."""
TRIM_THRESHOLD, MMAP_THRESHOLD, ARENA_MAX = -1, -3, -8  # the parameters' numbers in malloc.h
VALUES = {TRIM_THRESHOLD: 128 * 1024, MMAP_THRESHOLD: 128 * 1024, ARENA_MAX: 2}


def connection_limits(files: int) -> tuple[int, int]:
    """Return how many connections are served at once, and accepted in one go, by a process with so many files."""
    served, backlog = min(MAX_CONNECTIONS, files // CLIENT_SHARE), min(MAX_BACKLOG, files // BACKLOG_SHARE)
    return max(1, served), max(1, backlog)


def raise_file_limit() -> int:
    """Raise the soft limit of open files as far as the server has a use for it, and return it."""
    if sys.platform == "win32":  # no such limit
        return WANTED_FILES
    import resource  # noqa: PLC0415 - not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return WANTED_FILES
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(soft, wanted)


def bounded_protocol(served: int, backlog: int) -> type[asyncio.Protocol]:
    """Make the protocol class for these limits; uvicorn makes one instance for each connection."""

    class BoundedProtocol(H11Protocol):
        """Serves a connection; refuses its requests beyond the limit, and drops it if even these are too many."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            """Decide at the start, so that the connections that are served already stay so."""
            super().connection_made(transport)
            if len(self.connections) > served + backlog:
                transport.abort()
            elif len(self.connections) > served:
                self.app = RequestLog(problem_response(503, {"connection": "close"}))

    return BoundedProtocol


def return_freed_memory(environment: Mapping[str, str]) -> None:
    """Set limits of the GNU C library, so that a server for many days returns to the system what it has freed.

    The library raises two limits whenever a block larger than the first is freed: the size from which a block is mapped
    on its own, and how much freed memory an arena keeps. A limit that is set stays (mallopt(3), "dynamic mmap
    threshold"). Threads also have arenas, up to eight for each processor; Python runs one thread at a time, so that two
    are enough. To be called before the first thread starts; does nothing with another C library, and if a variable of
    the environment sets the allocator.
    """
    is_set = environment.get("GLIBC_TUNABLES") or any(name.startswith("MALLOC_") for name in environment)
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" and not is_set else None
    if mallopt is not None:
        for parameter, value in VALUES.items():
            mallopt(parameter, value)
