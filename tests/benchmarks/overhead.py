"""Compares the flow with the same flow in LangGraph: time over the critical path, import time, peak memory.

The critical path is summed from how long each sleep really took: late wake-ups of the machine count for neither side.
Both sides run in their own processes, in turn, and carry the same data through stages that only sleep. This process
imports neither of them: the peak memory of a child starts with that of its parent.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import venv
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # run as a script, this file sees only its own folder

from tests.benchmarks.figures import Floor, report, table  # noqa: E402

LANGGRAPH = "langgraph==1.2.22"
ENVIRONMENT = ROOT / "build" / "benchmarks" / "langgraph"
SLEEPS = (0.0, 0.1)
SHARE_OF_LANGGRAPH, MEGABYTES = 0.25, 150


@dataclass
class Side:
    """One of the compared flows and its measurements."""

    name: str
    python: str
    flow: tuple[str, ...]
    imports: str
    seen: dict[str, list[float]] = field(default_factory=dict)

    def _note(self, name: str, *values: float) -> None:
        self.seen.setdefault(name, []).extend(values)

    def run(self, seconds: float, runs: int) -> None:
        """Run the flow in a new process, and note its milliseconds over the critical path."""
        command = [self.python, "-m", *self.flow, "--sleep", str(seconds), "--runs", str(runs)]
        run = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
        output: dict[str, Any] = json.loads(run.stdout)
        timed = zip(output.pop("walls"), output.pop("paths"), strict=True)
        first, *rest = [1000 * (wall - path) for wall, path in timed]
        self._note(_named("cold", seconds), first)
        self._note(_named("warm", seconds), *rest)
        for name, megabytes in output.items():
            self._note(name, megabytes)

    def start(self) -> None:
        """Time a process that only imports, less one that does nothing."""
        importing, bare = (_milliseconds([self.python, "-c", code]) for code in (self.imports, "pass"))
        self._note("import_ms", importing - bare)

    def figures(self) -> dict[str, float]:
        """Return the medians."""
        return {name: round(median(values), 3) for name, values in self.seen.items()}


def _named(temperature: str, seconds: float) -> str:
    return f"{temperature}_overhead_ms_at_{round(1000 * seconds)}"


def _milliseconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True)
    return 1000 * (time.perf_counter() - start)


def langgraph_python() -> str:
    """Return the interpreter that has LangGraph; its environment is made at the first use."""
    python, mark = ENVIRONMENT / "bin" / "python", ENVIRONMENT / f"{LANGGRAPH}.installed"
    if not mark.exists():
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", LANGGRAPH], check=True, stdout=sys.stderr)
        mark.touch()
    return str(python)


def sides() -> list[Side]:
    """Return what is compared; LangGraph as it is called from synchronous code, and in its own event loop."""
    peer, flow = langgraph_python(), "tests.benchmarks.langgraph_flow"
    needed = "from langgraph.graph import StateGraph; from langgraph.types import Send"
    return [
        Side("goldpan", sys.executable, ("tests.benchmarks.goldpan_flow",), "import goldpan.engine.pipeline"),
        Side("LangGraph, threads", peer, (flow,), needed),
        Side("LangGraph, asyncio", peer, (flow, "--asynchronous"), needed),
    ]


def main() -> int:
    """Measure, print, and check the floors; the sides take turns, so that a noisy moment affects them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="new processes of each side")
    parser.add_argument("--runs", type=int, default=6, help="searches in each process; the first is the cold one")
    parser.add_argument("--one-cpu", action="store_true", help="keep both sides on one processor (Linux)")
    options = parser.parse_args()
    if options.one_cpu:  # a virtual machine may need milliseconds to wake a thread on another processor
        os.sched_setaffinity(0, {0})
    compared = sides()
    for _ in range(options.rounds):
        for side in compared:
            side.start()
        for seconds in SLEEPS:
            for side in compared:
                side.run(seconds, options.runs)
    figures = {side.name: side.figures() for side in compared}
    own, *peers = figures.values()
    ratios = {name: own[name] / min(peer[name] for peer in peers) for name in peers[0]}
    rows = [[name, *(each.get(name) for each in figures.values()), ratios.get(name)] for name in own]
    warm = [_named("warm", seconds) for seconds in SLEEPS]
    floors = [Floor(f"{name}, of LangGraph's better", ratios[name], SHARE_OF_LANGGRAPH) for name in warm]
    floors.append(Floor("peak_with_clients_mb", own["peak_with_clients_mb"], MEGABYTES))
    head = ["median", *figures, "goldpan / better LangGraph"]
    return report(table(head, rows), {**figures, "ratios": ratios}, floors)


if __name__ == "__main__":
    sys.exit(main())
