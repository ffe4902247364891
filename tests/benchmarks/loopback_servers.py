"""Starts the process of the two loopback servers, and asks it what occurred there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from tests.benchmarks.critical_path import Occurred

ROOT = Path(__file__).resolve().parents[2]


class Servers:
    """The process of the two servers."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._in, self._out = cast("IO[str]", process.stdin), cast("IO[str]", process.stdout)
        self.addresses: dict[str, str] = json.loads(self._out.readline())

    def since_last(self) -> tuple[list[Occurred], int]:
        """Give the requests since the last call, and how many were refused."""
        self._in.write("\n")
        self._in.flush()
        told: dict[str, Any] = json.loads(self._out.readline())
        return [Occurred(**row) for row in told["occurred"]], told["refused"]


@contextmanager
def running_servers(seed: int) -> Iterator[Servers]:
    """Start the servers, and end them."""
    command = [sys.executable, "-m", "tests.benchmarks.loopback_process", "--seed", str(seed)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield Servers(process)
        finally:
            cast("IO[str]", process.stdin).close()
