"""Five hundred different questions, 32 at a time, beside the bare calls; then popular ones, as often as people ask.

    python tests/benchmarks/load.py [--searches N] [--at-once N] [--processes N]

The upstreams stand on loopback ports in processes of their own and take as long as the real ones do. Both sides take
turns in blocks, so that a noisy moment strikes them both. Exits 1 where a floor is missed. Linux alone: what a process
holds is read from /proc.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from statistics import linear_regression, median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # run as a script, this file sees only its own folder

from tests.benchmarks.figures import Floor, table, tell  # noqa: E402
from tests.benchmarks.load_bound import row_seconds  # noqa: E402
from tests.benchmarks.load_processes import Processes, running  # noqa: E402
from tests.benchmarks.load_recording import recorded  # noqa: E402

BLOCKS, BARE_SHARE = 4, 0.384
TIMES_THE_BARE, HIT_SHARE, HIT_MS = 1.15, 0.9, 5.0
MAX_GROWTH, MAX_MORE = 0.02, 0.1
"""What the second half may add: to the memory, of what is held in the middle; to a peak, of the first half's."""
POPULAR, FIRST_POPULAR, ALONE = 40, 5000, 200
LATE_MS = 25.0
"""How late the upstreams may reply at the 95th percentile: beyond that they would be what is measured."""


@dataclass
class Side:
    """What one side's blocks told."""

    seconds: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    samples: list[list[float]] = field(default_factory=list)
    cpu_seconds: float = 0.0
    lasted: float = 0.0

    def add(self, told: dict[str, Any]) -> None:
        """Take a block in."""
        done = len(self.seconds)
        self.samples += [[done + number, *rest] for number, *rest in told["samples"]]
        self.seconds += told["seconds"]
        self.problems += told["problems"]
        self.cpu_seconds += told["cpu_seconds"]
        self.lasted += told["lasted"]

    @property
    def p95(self) -> float:
        """Give the 95th percentile of the seconds."""
        return percentile(self.seconds, 0.95)

    def row(self, name: str) -> list[object]:
        """Give the line of the table."""
        used = [1000 * self.cpu_seconds / len(self.seconds), self.cpu_seconds / self.lasted]
        peak = [max(sample[place] for sample in self.samples) for place in (1, 2, 3, 4)]
        return [name, len(self.seconds), median(self.seconds), self.p95, max(self.seconds), *used, *map(round, peak)]

    def half(self) -> list[list[float]]:
        """Give the samples of the second half."""
        return [sample for sample in self.samples if sample[0] >= len(self.seconds) / 2]

    @property
    def megabytes_a_search(self) -> float:
        """Tell the slope of the memory over the second half."""
        half = self.half()
        return linear_regression([sample[0] for sample in half], [sample[1] for sample in half]).slope

    def growth(self, place: int) -> float:
        """Tell the share by which the peak of the second half is above that of the first."""
        first = [sample for sample in self.samples if sample[0] < len(self.seconds) / 2]
        return max(sample[place] for sample in self.half()) / max(sample[place] for sample in first) - 1


def percentile(values: Sequence[float], share: float) -> float:
    """Give the value below which that share lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def grown_by(side: Side) -> float:
    """Tell the share by which memory grew over the second half, by the line through its samples."""
    return side.megabytes_a_search * len(side.seconds) / 2 / side.half()[0][1]


def load(processes: Processes, searches: int, at_once: int) -> tuple[Side, Side]:
    """Let both sides ask in turn; the bare one asks fewer, and the first of the same questions."""
    own, bare = Side(), Side()
    size = searches // BLOCKS
    for block in range(BLOCKS):
        numbers = range(1 + block * size, 1 + (block + 1) * size)
        bare.add(processes.bare.block(numbers[: max(at_once, int(BARE_SHARE * size))], at_once))
        own.add(processes.goldpan.block(numbers, at_once))
    return own, bare


def popular(searches: int, seed: int) -> list[int]:
    """Draw questions as people ask them: the second half as often as the first, the third a third as often."""
    weights = list(accumulate(1 / rank for rank in range(1, POPULAR + 1)))
    chance = random.Random(seed)
    return [FIRST_POPULAR + place for place in chance.choices(range(POPULAR), cum_weights=weights, k=searches)]


def remembered(processes: Processes, searches: int, at_once: int, seed: int, file: Path) -> dict[str, float]:
    """Ask popular questions, then remembered ones one at a time; gives the share of hits, and their milliseconds."""
    stream = processes.goldpan.block(popular(searches, seed), at_once)
    alone = processes.goldpan.block([FIRST_POPULAR] * ALONE, 1)
    if stream["problems"] or alone["problems"] or alone["cached"] != ALONE:
        raise RuntimeError([*stream["problems"], *alone["problems"], alone["cached"]])
    row = row_seconds(file, ALONE)
    return {
        "hit_share": stream["cached"] / searches,
        "hit_ms": 1000 * median(alone["seconds"]),
        "hit_cpu_ms": 1000 * alone["cpu_seconds"] / ALONE,
        "hit_ms_in_the_stream": 1000 * median(stream["seconds"]),
        "row_ms": 1000 * row.seconds,
        "row_kb": row.size / 1024,
    }


def floors_of(own: Side, bare: Side, hits: dict[str, float], late: float) -> list[Floor]:
    """Name the floors."""
    return [
        Floor("searches with a problem", len(own.problems) + len(bare.problems), 0),
        Floor("p95 to the bare calls' p95", own.p95 / bare.p95, TIMES_THE_BARE),
        Floor("memory grown over the second half", grown_by(own), MAX_GROWTH),
        *(Floor(f"{name}, second half to the first", own.growth(place), MAX_MORE) for place, name in COUNTED.items()),
        Floor("share of hits", hits["hit_share"], HIT_SHARE, at_least=True),
        Floor("milliseconds of a hit", hits["hit_ms"], HIT_MS),
        Floor("milliseconds by which the upstreams were late", late, LATE_MS),
    ]


COUNTED = {2: "threads", 3: "open files", 4: "connections"}
HEAD = ("", "searches", "median s", "p95 s", "slowest s", "CPU ms each", "CPU share", "MB", "threads", "files", "conns")


def main() -> int:
    """Load, print, and check the floors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--searches", type=int, default=500)
    parser.add_argument("--at-once", type=int, default=32)
    parser.add_argument("--processes", type=int, default=2, help="of each side; they share goldpan's file")
    parser.add_argument("--seed", type=int, default=1, help="of the upstreams' times and of what is popular")
    parser.add_argument("--times", type=float, default=1.0, help="how much longer than usual the upstreams take")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        plan, file = Path(folder, "plan.json"), Path(folder, "goldpan.sqlite")
        recorded(plan)
        with running(plan, file, asked.seed, asked.times, asked.processes) as processes:
            own, bare = load(processes, asked.searches, asked.at_once)
            upstreams = [processes.github.asked(), processes.model.asked()]
            hits = remembered(processes, asked.searches, asked.at_once, asked.seed, file)
    late = max(each["late_p95_ms"] for each in upstreams)
    grown = {f"{name}_growth": own.growth(place) for place, name in COUNTED.items()}
    grown |= {"memory_growth": grown_by(own), "megabytes_a_search": own.megabytes_a_search}
    text = table(HEAD, [own.row("goldpan"), bare.row("bare calls")])
    said = [f"- {problem}" for problem in sorted({*own.problems, *bare.problems})[:20]]
    figures = {"p95_to_bare": own.p95 / bare.p95, **grown, **hits, "upstreams": upstreams}
    return tell("\n".join([text, *said]), figures, floors_of(own, bare, hits, late))


if __name__ == "__main__":
    sys.exit(main())
