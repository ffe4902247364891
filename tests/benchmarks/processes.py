"""The processes of a benchmark, each controlled over its standard streams."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
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
        """Write a line, and read its answer."""
        self.send(value)
        return self.receive()

    def send(self, value: object) -> None:
        """Write a line, whose answer is read later."""
        self._in.write(f"{json.dumps(value)}\n")
        self._in.flush()

    def receive(self) -> dict[str, Any]:
        """Read an answer. Raises `RuntimeError` if the process has ended."""
        line = self._out.readline()
        if not line:
            raise RuntimeError(f"{self._name} ended")
        answer: dict[str, Any] = json.loads(line)
        return answer


@dataclass(frozen=True)
class Side:
    """The processes that share the searches of a side."""

    children: Sequence[Child]

    def block(self, numbers: Sequence[int], at_once: int) -> dict[str, Any]:
        """Run these searches in parallel over all processes; sums what the processes use."""
        count = min(len(self.children), at_once)
        for place, child in enumerate(self.children[:count]):
            child.send({"numbers": list(numbers[place::count]), "at_once": at_once // count})
        answers = [child.receive() for child in self.children[:count]]
        rows = zip(*(each["samples"] for each in answers), strict=False)
        return {
            **{name: [item for each in answers for item in each[name]] for name in ("seconds", "problems")},
            **{name: sum(each[name] for each in answers) for name in ("cached", "cpu_seconds")},
            "samples": [[sum(column) for column in zip(*row, strict=True)] for row in rows],
            "duration": max(each["duration"] for each in answers),
        }


@contextmanager
def running_side(module: str, count: int, *arguments: object) -> Iterator[Side]:
    """Start the processes of a side, and stop them at the end."""
    with ExitStack() as stack:
        yield Side([stack.enter_context(Child(module, *arguments)) for _ in range(count)])
