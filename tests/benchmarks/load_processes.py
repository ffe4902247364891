"""The processes of the load: two upstreams, and the two sides that ask them in turn."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Self, cast

ROOT = Path(__file__).resolve().parents[2]
PLAIN_MALLOC = "glibc.malloc.tcache_count=0:glibc.malloc.arena_max=2"
"""Without what the C library keeps of freed memory for each thread and processor: with hundreds of threads that fills
for thousands of searches, in bare calls too, and would hide whether anything else grows."""


class Child:
    """A process that answers each line with a line of JSON."""

    def __init__(self, module: str, *arguments: object) -> None:
        self._name = module
        command = [sys.executable, "-m", f"tests.benchmarks.{module}", *map(str, arguments)]
        pipe = subprocess.PIPE
        env = os.environ | {"GLIBC_TUNABLES": PLAIN_MALLOC}
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True, env=env)
        self._in, self._out = cast("IO[str]", self._process.stdin), cast("IO[str]", self._process.stdout)
        self.first = self._out.readline().strip()

    def __enter__(self) -> Self:
        """Use it within a block."""
        return self

    def __exit__(self, *_: object) -> None:
        """End its input, and then the process."""
        self._in.close()
        self._out.close()
        self._process.kill()
        self._process.wait()

    def asked(self, told: object = None) -> dict[str, Any]:
        """Tell it something, and give its answer."""
        self.tell(told)
        return self.answer()

    def tell(self, told: object) -> None:
        """Tell it something, whose answer is read later."""
        self._in.write(f"{json.dumps(told)}\n")
        self._in.flush()

    def answer(self) -> dict[str, Any]:
        """Read its answer."""
        line = self._out.readline()
        if not line:
            message = f"{self._name} ended"
            raise RuntimeError(message)
        answer: dict[str, Any] = json.loads(line)
        return answer


@dataclass(frozen=True)
class Side:
    """The processes that share a side's questions."""

    children: Sequence[Child]

    def block(self, numbers: Sequence[int], at_once: int) -> dict[str, Any]:
        """Let them ask these questions, so many at once in all; what they hold is summed."""
        count = min(len(self.children), at_once)
        for place, child in enumerate(self.children[:count]):
            child.tell({"numbers": list(numbers[place::count]), "at_once": at_once // count})
        told = [child.answer() for child in self.children[:count]]
        together: dict[str, Any] = {
            name: [item for each in told for item in each[name]] for name in ("seconds", "problems")
        }
        together |= {name: sum(each[name] for each in told) for name in ("cached", "cpu_seconds")}
        rows = zip(*(each["samples"] for each in told), strict=False)
        together["samples"] = [[sum(column) for column in zip(*row, strict=True)] for row in rows]
        return together | {"lasted": max(each["lasted"] for each in told)}


@dataclass(frozen=True)
class Processes:
    """All that run."""

    github: Child
    model: Child
    goldpan: Side
    bare: Side

    @property
    def addresses(self) -> tuple[str, str]:
        """Where the upstreams are."""
        return addresses_of(self.github, self.model)


def addresses_of(github: Child, model: Child) -> tuple[str, str]:
    """Tell the addresses of the upstreams."""
    return f"http://127.0.0.1:{github.first}", f"http://127.0.0.1:{model.first}/v1"


@contextmanager
def running(plan: Path, file: Path, seed: int, times: float, count: int) -> Iterator[Processes]:
    """Start all, so many processes a side, and end all."""
    with ExitStack() as stay:
        upstream = ("load_upstream", plan, "--seed", seed, "--times", times)
        github, model = (stay.enter_context(Child(*upstream)) for _ in range(2))
        asking = {"load_goldpan": file, "load_bare": plan}
        goldpan, bare = (
            Side([stay.enter_context(Child(name, *addresses_of(github, model), of)) for _ in range(count)])
            for name, of in asking.items()
        )
        yield Processes(github, model, goldpan, bare)
