"""The processes of a benchmark, each controlled over its standard streams."""

import json
import os
import subprocess
import sys
from typing import IO, Any, Self, cast

from tests.benchmarks.frame import ROOT

PLAIN_MALLOC = "glibc.malloc.tcache_count=0:glibc.malloc.arena_max=2"
"""The C library keeps freed memory for each thread and each processor. With hundreds of threads that grows for
thousands of searches, in bare calls too, and would hide whether anything else grows."""


class Child:
    """A process that answers each line of input with a line of JSON; `first` is what it printed at its start."""

    def __init__(self, module: str, *arguments: object) -> None:
        self._name = module
        command = [sys.executable, "-m", f"tests.benchmarks.{module}", *map(str, arguments)]
        pipe = subprocess.PIPE
        env = os.environ | {"GLIBC_TUNABLES": PLAIN_MALLOC}
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True, env=env)
        self._in, self._out = cast("IO[str]", self._process.stdin), cast("IO[str]", self._process.stdout)
        self.first = self._out.readline().strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._in.close()
        self._out.close()
        self._process.kill()
        self._process.wait()

    def request(self, value: object) -> dict[str, Any]:
        """Write a line, and read its answer. Raises `RuntimeError` if the process has ended."""
        self._in.write(f"{json.dumps(value)}\n")
        self._in.flush()
        line = self._out.readline()
        if not line:
            raise RuntimeError(f"{self._name} ended")
        answer: dict[str, Any] = json.loads(line)
        return answer
