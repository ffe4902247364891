"""The command `goldpan` in forks of one process that has imported it: imports take most of the time of a short search.

`python -m tests.support.forked_command SOCKET` serves; the program that `client` writes is called in its place. A fork
has the arguments, the folder, the environment, stdin, stdout and stderr of its caller.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

CLIENT = """#!{python} -IS
import json, os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
socket.send_fds(server, [b"."], [0, 1, 2])
server.sendall(json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode())
server.shutdown(socket.SHUT_WR)
sys.exit(int(server.recv(9)))
"""
IMPORTED = (
    "goldpan.infra.encoder.scan",
    "goldpan.infra.http",
    "goldpan.kinds.papers.kind",
    "goldpan.kinds.papers.sources.connector",
    "goldpan.kinds.papers.sources.crossref",
    "goldpan.kinds.papers.sources.europe_pmc",
    "goldpan.kinds.repositories.kind",
    "goldpan.kinds.repositories.sources.catalogue.reader",
    "goldpan.kinds.repositories.sources.github.source",
    "goldpan_local.command",
    "goldpan.local.entry_points",
    "goldpan_local.output",
    "goldpan_local.search_command",
    "rich.console",
)
"""What most searches import. None is run here: its threads would be missing in the forks."""


def client(address: Path) -> str:
    """Write the program that calls the process at a socket."""
    return CLIENT.format(python=sys.executable, address=str(address))


def serve(address: str) -> None:
    """Import what a search needs, and fork for every call until the process is killed."""
    for name in IMPORTED:
        import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no fork is waited for
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"{address}.new")
        listener.listen()
        Path(f"{address}.new").rename(address)  # once it can be called
        while True:
            connection, _ = listener.accept()
            if os.fork() == 0:
                _answer(connection)
            connection.close()


def _answer(connection: socket.socket) -> None:
    """Run one call as its caller would, and end the process with it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, descriptors, _, _ = socket.recv_fds(connection, 1, 3)
    arguments, folder, environment = json.loads(b"".join(iter(lambda: connection.recv(65536), b"")))
    for place, descriptor in enumerate(descriptors):
        os.dup2(descriptor, place)
        os.close(descriptor)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    code = _run(arguments)
    with suppress(BrokenPipeError):  # a reader that has enough
        sys.stdout.flush()
    connection.sendall(str(code).encode())
    os._exit(code)


def _run(arguments: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    sys.argv = ["goldpan", *arguments]
    try:
        import_module("goldpan_local.command").main()
    except SystemExit as ended:
        return int(ended.code or 0)
    except BaseException:  # noqa: BLE001 - shown as the interpreter would
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    serve(sys.argv[1])
