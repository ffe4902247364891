"""A child process that answers each line of its input with a line of JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Any, Self, cast

ROOT = Path(__file__).resolve().parents[2]


class Child:
    """A context manager for a module of the benchmarks that runs in its own process; `first` is its first line."""

    def __init__(self, module: str, *arguments: object, **environment: str) -> None:
        self._module = module
        command = [sys.executable, "-m", f"tests.benchmarks.{module}", *map(str, arguments)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True, env=os.environ | environment
        )
        self._in, self._out = cast("IO[str]", self._process.stdin), cast("IO[str]", self._process.stdout)
        self.first = self._out.readline().strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._in.close()
        self._out.close()
        self._process.kill()
        self._process.wait()

    def send(self, value: object = None) -> None:
        """Send a line of JSON, whose answer is received later."""
        self._in.write(f"{json.dumps(value)}\n")
        self._in.flush()

    def receive(self) -> dict[str, Any]:
        """Receive the answer to the oldest line without one."""
        line = self._out.readline()
        if not line:
            message = f"{self._module} ended"
            raise RuntimeError(message)
        answer: dict[str, Any] = json.loads(line)
        return answer

    def request(self, value: object = None) -> dict[str, Any]:
        """Send a line and receive its answer."""
        self.send(value)
        return self.receive()
