"""Compares the flow with the same flow in LangGraph: time over the critical path, import time, peak memory.

The critical path is summed from how long each sleep really took: the machine's late wake-ups are neither side's.
Both sides run in processes of their own, in turn, and carry the same payload through stages that only sleep.
This process imports neither of them: a child's peak memory begins with that of the process that starts it.
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

from tests.benchmarks.figures import Floor, table, tell  # noqa: E402

LANGGRAPH = "langgraph==1.2.22"
ENVIRONMENT = ROOT / "build" / "benchmarks" / "langgraph"
SLEEPS = (0.0, 0.1)
SHARE_OF_LANGGRAPH, MEGABYTES = 0.25, 150


@dataclass
class Side:
    """One of the compared flows, and all that was measured of it."""

    name: str
    python: str
    flow: tuple[str, ...]
    imports: str
    cold: dict[float, list[float]] = field(default_factory=lambda: {seconds: [] for seconds in SLEEPS})
    warm: dict[float, list[float]] = field(default_factory=lambda: {seconds: [] for seconds in SLEEPS})
    import_ms: list[float] = field(default_factory=list)
    peaks: dict[str, list[float]] = field(default_factory=dict)

    def run(self, seconds: float, runs: int) -> None:
        """Run the flow in a fresh process and note its milliseconds over the critical path."""
        command = [self.python, "-m", *self.flow, "--sleep", str(seconds), "--runs", str(runs)]
        done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
        told: dict[str, Any] = json.loads(done.stdout)
        timed = zip(told.pop("walls"), told.pop("paths"), strict=True)
        first, *rest = [1000 * (wall - path) for wall, path in timed]
        self.cold[seconds].append(first)
        self.warm[seconds] += rest
        for name, megabytes in told.items():
            self.peaks.setdefault(name, []).append(megabytes)

    def start(self) -> None:
        """Time a process that only imports, and one that does not even that."""
        importing, bare = (_milliseconds([self.python, "-c", code]) for code in (self.imports, "pass"))
        self.import_ms.append(importing - bare)

    def figures(self) -> dict[str, float]:
        """Give the medians."""
        each = {"import_ms": self.import_ms, **self.peaks}
        for seconds in SLEEPS:
            each |= {_named("cold", seconds): self.cold[seconds], _named("warm", seconds): self.warm[seconds]}
        return {name: round(median(values), 3) for name, values in each.items()}


def _named(temperature: str, seconds: float) -> str:
    return f"{temperature}_overhead_ms_at_{round(1000 * seconds)}"


def _milliseconds(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True)
    return 1000 * (time.perf_counter() - begin)


def langgraph_python() -> str:
    """Give the interpreter that has LangGraph; its environment is made on first use."""
    python = ENVIRONMENT / "bin" / "python"
    mark = ENVIRONMENT / f"{LANGGRAPH}.installed"
    if not mark.exists():
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", LANGGRAPH], check=True, stdout=sys.stderr)
        mark.touch()
    return str(python)


def sides() -> list[Side]:
    """Name what is compared; LangGraph as it is called from plain code, and in its own event loop."""
    peer, flow = langgraph_python(), "tests.benchmarks.langgraph_flow"
    needed = "from langgraph.graph import StateGraph; from langgraph.types import Send"
    return [
        Side("goldpan", sys.executable, ("tests.benchmarks.goldpan_flow",), "import goldpan.engine.pipeline"),
        Side("LangGraph, threads", peer, (flow,), needed),
        Side("LangGraph, asyncio", peer, (flow, "--asynchronous"), needed),
    ]


def measure(compared: list[Side], rounds: int, runs: int) -> None:
    """Take the sides in turn, so that a noisy moment strikes them all."""
    for _ in range(rounds):
        for side in compared:
            side.start()
        for seconds in SLEEPS:
            for side in compared:
                side.run(seconds, runs)


def main() -> int:
    """Measure, print, and check the floors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="fresh processes of each side")
    parser.add_argument("--runs", type=int, default=6, help="searches in each process; the first is the cold one")
    parser.add_argument("--one-cpu", action="store_true", help="keep both sides on one processor (Linux)")
    asked = parser.parse_args()
    if asked.one_cpu:  # a virtual machine may take milliseconds to wake a thread on another processor
        os.sched_setaffinity(0, {0})
    compared = sides()
    measure(compared, asked.rounds, asked.runs)
    figures = {side.name: side.figures() for side in compared}
    own, *peers = figures.values()
    best = {name: min(peer[name] for peer in peers if name in peer) for name in peers[0]}
    ratios = {name: own[name] / best[name] for name in best}
    rows = [
        [name, *(each.get(name) for each in figures.values()), ratios.get(name)]
        for name in dict.fromkeys([*best, *own])
    ]
    warm = [_named("warm", seconds) for seconds in SLEEPS]
    floors = [Floor(f"{name}, of LangGraph's better", ratios[name], SHARE_OF_LANGGRAPH) for name in warm]
    floors.append(Floor("peak_with_clients_mb", own["peak_with_clients_mb"], MEGABYTES))
    head = ["median", *figures, "goldpan / better LangGraph"]
    return tell(table(head, rows), {**figures, "ratios": ratios}, floors)


if __name__ == "__main__":
    sys.exit(main())
