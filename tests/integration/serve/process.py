"""`goldpan serve` on a free port of the loopback, in a process of its own or in a thread of this one."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import httpx2
import uvicorn
from goldpan.engine.dependencies import Runtime
from goldpan_local.server.app import make_app
from goldpan_local.server.connections import connection_limits
from goldpan_local.server.http_server import listen, make_server
from goldpan_local.server.searches import Searches

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 60
QUESTION = {"query": "Rust web framework", "sources": ["catalogue"]}


def serve_command(*arguments: str) -> list[str]:
    """Return the command for a Python that turns warnings into errors; connections to GitHub are left open at exit."""
    warnings = ("-W", "error", "-W", "ignore::ResourceWarning")
    return [sys.executable, *warnings, "-m", "goldpan_local", "serve", *arguments]


def plain_environment() -> dict[str, str]:
    """Return the environment without goldpan's settings, with the command on its path and the cache off."""
    paths = os.pathsep.join([str(ROOT / "layers" / "goldpan"), str(ROOT / "local")])
    ours = ("GITHUB_", "LLM_", "DEEPSEEK_", "OPENAI_", "GOLDPAN_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "PYTHONPATH": paths, "GOLDPAN_CACHE": "off"}


class ServerProcess:
    """A context manager around a server process."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._arguments, self._environment = arguments, environment
        self.lines: list[str] = []
        self._started = threading.Event()
        self.url = ""

    def __enter__(self) -> Self:
        """Start it and wait until it listens."""
        command = serve_command("--port", "0", *self._arguments)
        env = plain_environment() | self._environment
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # the background job of a shell ignores it
        try:
            self.process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True)
        finally:
            signal.signal(signal.SIGINT, before)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self._started.wait(PATIENCE), self.lines
        assert self.url, self.lines
        return self

    def __exit__(self, *_: object) -> None:
        """Kill it if it still runs."""
        self.process.kill()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        if self.process.stderr:
            self.process.stderr.close()

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self.url.rpartition(":")[2])

    def client(self, **options: Any) -> httpx2.Client:
        """Make a client that keeps its connections."""
        return httpx2.Client(base_url=self.url, timeout=PATIENCE, trust_env=False, **options)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal, wait for the end, and return the exit code."""
        self.process.send_signal(how)
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code

    def logged(self) -> str:
        """Return all that it has written to stderr."""
        return "".join(self.lines)

    def _read(self) -> None:
        for line in self.process.stderr or ():
            self.lines.append(line)
            if match := re.search(r"listening on (http://\S+);", line):
                self.url = match.group(1)
                self._started.set()
        self._started.set()


@contextmanager
def serving_thread(runtime: Runtime) -> Iterator[tuple[uvicorn.Server, int]]:
    """Serve in a thread, so that a test can change its time limits; gives the server and its port."""
    searches = Searches(runtime, 1)
    served, backlog = connection_limits(1024)
    with listen("127.0.0.1", 0, backlog) as listener:
        server = make_server(make_app(searches, None), searches, served, backlog)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield server, listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
    assert not thread.is_alive()


def talk(port: int, *pieces: bytes, drip: bytes = b"") -> bytes:
    """Send pieces, each after a response to the one before, then `drip` again and again; return what is received."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection, suppress(ConnectionError):
        for piece in pieces[:-1]:
            connection.sendall(piece)
            received += connection.recv(65536)
        connection.sendall(pieces[-1])
        connection.settimeout(0.05 if drip else PATIENCE)
        data = b"any"
        while data:
            try:
                data = connection.recv(65536)
                received += data
            except TimeoutError:
                if not drip:
                    raise
                connection.sendall(drip)
    return received
