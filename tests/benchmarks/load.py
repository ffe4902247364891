"""Runs 500 different searches, 32 in parallel, beside bare calls; then popular ones, distributed by Zipf's law.

GitHub and the language model run in a process of their own and take as long as the real ones do. Both sides alternate
in blocks, so that noise of the machine affects both. Linux only: the usage of a process is read from /proc.
"""

import random
import tempfile
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from statistics import linear_regression, median
from typing import Any

from tests.benchmarks.frame import Limit, report, run_main, table
from tests.benchmarks.processes import Child, Side, running_side
from tests.benchmarks.recording import QUESTIONS, record
from tests.benchmarks.upstream import MODEL_P95

BLOCKS, BARE_SHARE = 4, 0.384
TIMES_THE_BARE, HIT_SHARE, HIT_MS = 1.15, 0.9, 5.0
MEMORY_GROWTH, USAGE_GROWTH = 0.02, 0.1
"""What the second half may add: to the memory in the middle of the run; to the peak of the first half."""
POPULAR, FIRST_POPULAR, ALONE = 40, 5000, 200
LATE_MS = 25.0
"""How late the upstream may respond at the 95th percentile; beyond that it would be what is measured."""
COUNTED = {2: "threads", 3: "open files", 4: "connections"}
HEAD = ("", "searches", "median s", "p95 s", "slowest s", "CPU ms each", "CPU share", "MB", "threads", "files", "conns")


@dataclass
class Figures:
    """The figures of one side over all of its blocks."""

    seconds: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    samples: list[list[float]] = field(default_factory=list)
    cpu_seconds: float = 0.0
    duration: float = 0.0

    def add(self, block: dict[str, Any]) -> None:
        """Add a block."""
        done = len(self.seconds)
        self.samples += [[done + number, *rest] for number, *rest in block["samples"]]
        self.seconds += block["seconds"]
        self.problems += block["problems"]
        self.cpu_seconds += block["cpu_seconds"]
        self.duration += block["duration"]

    @property
    def p95(self) -> float:
        """The 95th percentile of the seconds."""
        return sorted(self.seconds)[int(0.95 * len(self.seconds))]

    @property
    def cpu_ms(self) -> float:
        """The processor time of a search."""
        return 1000 * self.cpu_seconds / len(self.seconds)

    def row(self, name: str) -> list[object]:
        """Return the row of the table."""
        cpu = [self.cpu_ms, self.cpu_seconds / self.duration]
        peaks = [round(max(sample[place] for sample in self.samples)) for place in (1, 2, 3, 4)]
        return [name, len(self.seconds), median(self.seconds), self.p95, max(self.seconds), *cpu, *peaks]

    def memory_growth(self) -> float:
        """Return the share by which memory grew over the second half, by the line through its samples."""
        half = self._half(second=True)
        slope = linear_regression([sample[0] for sample in half], [sample[1] for sample in half]).slope
        return slope * len(self.seconds) / 2 / half[0][1]

    def growth(self, place: int) -> float:
        """Return the share by which the peak of the second half is above that of the first."""
        first, second = (max(sample[place] for sample in self._half(second=half)) for half in (False, True))
        return second / first - 1

    def _half(self, *, second: bool) -> list[list[float]]:
        return [sample for sample in self.samples if (sample[0] >= len(self.seconds) / 2) == second]


def run_load(own: Side, bare: Side, searches: int, at_once: int) -> tuple[Figures, Figures]:
    """Alternate the sides; the bare one runs fewer searches, and the first of the same."""
    size, figures = searches // BLOCKS, (Figures(), Figures())
    for block in range(BLOCKS):
        numbers = range(1 + block * size, 1 + (block + 1) * size)
        figures[1].add(bare.block(numbers[: max(at_once, int(BARE_SHARE * size))], at_once))
        figures[0].add(own.block(numbers, at_once))
    return figures


def run_cached(own: Side, searches: int, at_once: int, seed: int) -> dict[str, float]:
    """Run popular searches, then a cached one, alone; returns the share of cached answers and their milliseconds."""
    weights = list(accumulate(1 / rank for rank in range(1, POPULAR + 1)))
    drawn = random.Random(seed).choices(range(POPULAR), cum_weights=weights, k=searches)
    stream = own.block([FIRST_POPULAR + place for place in drawn], at_once)
    alone = own.block([FIRST_POPULAR] * ALONE, 1)
    if stream["problems"] or alone["problems"] or alone["cached"] != ALONE:
        raise RuntimeError([*stream["problems"], *alone["problems"], alone["cached"]])
    return {"hit_share": stream["cached"] / searches, "hit_ms": 1000 * median(alone["seconds"])}


def limits(own: Figures, bare: Figures, hits: dict[str, float], late: float) -> list[Limit]:
    """List the limits."""
    return [
        Limit("searches with a problem", len(own.problems) + len(bare.problems), 0),
        Limit("p95 relative to that of the bare calls", own.p95 / bare.p95, TIMES_THE_BARE),
        Limit("growth of memory over the second half", own.memory_growth(), MEMORY_GROWTH),
        *(Limit(f"growth of {name} over the second half", own.growth(i), USAGE_GROWTH) for i, name in COUNTED.items()),
        Limit("share of cached answers", hits["hit_share"], HIT_SHARE, is_minimum=True),
        Limit("milliseconds of a cached answer", hits["hit_ms"], HIT_MS),
        Limit("milliseconds by which the upstream was late", late, LATE_MS),
    ]


def main(searches: int = 500, at_once: int = 32, processes: int = 2, seed: int = 1) -> int:
    """Measure, print, and check the limits."""
    with tempfile.TemporaryDirectory() as folder:
        recording, file = Path(folder, "calls.json"), Path(folder, "goldpan.sqlite")
        record(QUESTIONS[:1], recording, ("github",))
        drawn = ("--seed", seed, "--longest", MODEL_P95)  # no deadline cuts a call
        with (
            Child("upstream", recording, *drawn) as upstream,
            running_side("load_sides", processes, "goldpan", upstream.first, file) as goldpan,
            running_side("load_sides", processes, "bare", upstream.first, recording) as calls,
        ):
            own, bare = run_load(goldpan, calls, searches, at_once)
            late = upstream.request(None)["late_p95_ms"]
            hits = run_cached(goldpan, searches, at_once, seed)
    problems = sorted({*own.problems, *bare.problems})[:20]
    figures = {"p95_to_bare": own.p95 / bare.p95, "cpu_ms": own.cpu_ms, "bare_cpu_ms": bare.cpu_ms, **hits}
    text = "\n".join([table(HEAD, [own.row("goldpan"), bare.row("bare calls")]), *problems])
    return report(text, figures, limits(own, bare, hits, late))


if __name__ == "__main__":
    run_main(main)
