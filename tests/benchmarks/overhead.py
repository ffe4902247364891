"""Compares the flow with the same flow in LangGraph: time beyond the critical path, import time, peak memory.

The critical path is the sum of how long each sleep really took, so that late wake-ups of the machine count on no side.
The sides alternate in new processes and carry the same payload through stages that only sleep. This process imports
neither side: the peak memory of a child starts with that of its parent.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import venv
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # a script sees only its own folder

from tests.benchmarks.figures import Limit, report, table  # noqa: E402

LANGGRAPH = "langgraph==1.2.22"
ENVIRONMENT = ROOT / "build" / "benchmarks" / "langgraph"
SLEEPS = (0.0, 0.1)
SHARE_OF_LANGGRAPH, MEGABYTES = 0.25, 150


@dataclass
class Side:
    """One of the compared flows, and its figures."""

    name: str
    python: str
    flow: tuple[str, ...]
    imports: str
    figures: dict[str, list[float]] = field(default_factory=dict)

    def run(self, seconds: float, runs: int) -> None:
        """Run the flow in a new process; keep its milliseconds beyond the critical path and its peak memory."""
        command = [self.python, "-m", *self.flow, "--sleep", str(seconds), "--runs", str(runs)]
        done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
        output: dict[str, Any] = json.loads(done.stdout)
        timed = zip(output.pop("walls"), output.pop("paths"), strict=True)
        first, *rest = [1000 * (wall - path) for wall, path in timed]
        self._add(f"cold_overhead_ms_at_{1000 * seconds:.0f}", first)
        self._add(f"warm_overhead_ms_at_{1000 * seconds:.0f}", *rest)
        for name, megabytes in output.items():
            self._add(name, megabytes)

    def start(self) -> None:
        """Time a process that only imports, less one that does not even import."""
        importing, bare = (_milliseconds([self.python, "-c", code]) for code in (self.imports, "pass"))
        self._add("import_ms", importing - bare)

    def _add(self, name: str, *figures: float) -> None:
        self.figures.setdefault(name, []).extend(figures)

    def medians(self) -> dict[str, float]:
        """Return the median of each figure."""
        return {name: round(median(values), 3) for name, values in self.figures.items()}


def _milliseconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True)
    return 1000 * (time.perf_counter() - start)


def langgraph_python() -> str:
    """Return the interpreter that has LangGraph; its environment is made at the first use."""
    python = ENVIRONMENT / "bin" / "python"
    mark = ENVIRONMENT / f"{LANGGRAPH}.installed"
    if not mark.exists():
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", LANGGRAPH], check=True, stdout=sys.stderr)
        mark.touch()
    return str(python)


def sides() -> list[Side]:
    """List what is compared: goldpan, and LangGraph called from plain code and from an event loop."""
    peer, flow = langgraph_python(), "tests.benchmarks.langgraph_flow"
    own = "import goldpan.engine.pipeline, goldpan.kinds.repositories.kind"
    needed = "from langgraph.graph import StateGraph; from langgraph.types import Send"
    return [
        Side("goldpan", sys.executable, ("tests.benchmarks.goldpan_flow",), own),
        Side("LangGraph, threads", peer, (flow,), needed),
        Side("LangGraph, asyncio", peer, (flow, "--asynchronous"), needed),
    ]


def measure(rounds: int, runs: int) -> dict[str, dict[str, float]]:
    """Alternate the sides, so that noise of the machine affects all of them; returns the medians by side."""
    compared = sides()
    for _ in range(rounds):
        for side in compared:
            side.start()
        for seconds in SLEEPS:
            for side in compared:
                side.run(seconds, runs)
    return {side.name: side.medians() for side in compared}


def main() -> int:
    """Measure, print, and check the limits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="new processes of each side")
    parser.add_argument("--runs", type=int, default=6, help="searches in each process; the first is the cold one")
    options = parser.parse_args()
    figures = measure(options.rounds, options.runs)
    own, *peers = figures.values()
    ratios = {name: own[name] / min(peer[name] for peer in peers) for name in peers[0]}
    rows = [[name, *(each.get(name) for each in figures.values()), ratios.get(name)] for name in own]
    warm = [name for name in ratios if name.startswith("warm")]
    limits = [Limit(f"{name}, of the better LangGraph", ratios[name], SHARE_OF_LANGGRAPH) for name in warm]
    limits.append(Limit("peak_with_clients_mb", own["peak_with_clients_mb"], MEGABYTES))
    head = ["median", *figures, "goldpan / better LangGraph"]
    return report(table(head, rows), {**figures, "ratios": ratios}, limits)


if __name__ == "__main__":
    sys.exit(main())
