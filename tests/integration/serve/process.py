"""A `goldpan serve` in a process of its own, on a free port of the loopback."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import httpx2

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 60
QUESTION = {"query": "Rust web framework", "sources": ["catalogue"]}


def serve_command(*arguments: str) -> list[str]:
    """Write the command, in a Python where a warning is an error; connections to GitHub are left open at the end."""
    warnings = ("-W", "error", "-W", "ignore::ResourceWarning")
    return [sys.executable, *warnings, "-m", "goldpan_local", "serve", *arguments]


def plain_environment() -> dict[str, str]:
    """Give the environment without settings of ours, in which the command is found and nothing is remembered."""
    paths = os.pathsep.join([str(ROOT / "layers" / "goldpan"), str(ROOT / "local")])
    ours = ("GITHUB_", "LLM_", "DEEPSEEK_", "OPENAI_", "GOLDPAN_")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)} | {
        "PYTHONPATH": paths,
        "GOLDPAN_CACHE": "off",
    }


@contextmanager
def interrupts_heard() -> Iterator[None]:
    """Let a process that is started now hear SIGINT, though these tests may run in a background that ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class ServerProcess:
    """A context manager: the process runs within it and is gone afterwards."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._arguments, self._environment = arguments, environment
        self.lines: list[str] = []
        self._told = threading.Event()
        self.url = ""

    def __enter__(self) -> Self:
        """Start it and wait until it listens."""
        command = serve_command("--port", "0", *self._arguments)
        env = plain_environment() | self._environment
        with interrupts_heard():
            self.process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self._told.wait(PATIENCE), self.lines
        assert self.url, self.lines
        return self

    def __exit__(self, *_: object) -> None:
        """End it, whatever it does."""
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

    def stop(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, float]:
        """Send a signal; gives the exit code and the seconds that it took to end."""
        began = time.monotonic()
        self.process.send_signal(how)
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code, time.monotonic() - began

    def logged(self) -> str:
        """Give all that it wrote so far."""
        return "".join(self.lines)

    def _read(self) -> None:
        for line in self.process.stderr or ():
            self.lines.append(line)
            if told := re.search(r"listening on (http://\S+);", line):
                self.url = told.group(1)
                self._told.set()
        self._told.set()


def spoken(port: int, *pieces: bytes, pause: float = 0.0) -> bytes:
    """Say bytes to a server, and give all that it says until it closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(pause)
        heard = b""
        while piece := connection.recv(65536):
            heard += piece
    return heard
