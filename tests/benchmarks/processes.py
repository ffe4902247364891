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
    """A process that reports a line of JSON for each line of input; `first` is what it printed at its start."""

    def __init__(self, module: str, *arguments: object) -> None:
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

    def report(self) -> Any:
        """Ask for what the process reports."""
        self._in.write("\n")
        self._in.flush()
        return json.loads(self._out.readline())
