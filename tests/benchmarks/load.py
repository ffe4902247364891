"""Five hundred different questions, 32 at a time, beside the bare calls; then popular ones, as often as people ask.

    python tests/benchmarks/load.py [--searches N] [--at-once N] [--processes N]

The upstreams run in their own processes on loopback ports and take as long as the real ones. Both sides take turns in
blocks, so that a noisy moment affects both. Exits with 1 if a floor is missed. Linux only: what a process holds is read
from /proc.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import linear_regression, median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("layers/goldpan", "local", ".")]  # a script sees only its own folder

from tests.benchmarks.child import Child  # noqa: E402
from tests.benchmarks.figures import Floor, report, table  # noqa: E402
from tests.benchmarks.load_recording import record  # noqa: E402

BLOCKS, BARE_SHARE = 4, 0.384
TIMES_THE_BARE, HIT_SHARE, HIT_MS = 1.15, 0.9, 5.0
MAX_GROWTH, MAX_MORE = 0.02, 0.1
"""What the second half may add, as a share: to the memory in the middle, and to a peak of the first half."""
POPULAR, FIRST_POPULAR, ALONE = 40, 5000, 200
LATE_MS = 25.0
"""How late the upstreams may respond at the 95th percentile: beyond that they would be what is measured."""
PLAIN_MALLOC = "glibc.malloc.tcache_count=0:glibc.malloc.arena_max=2"
"""Without the freed memory that the C library retains for each thread, which would hide whether anything else grows."""
COUNTED = {2: "threads", 3: "open files", 4: "connections"}
HEAD = ("", "searches", "median s", "p95 s", "slowest s", "CPU ms each", "CPU share", "MB", "threads", "files", "conns")


@dataclass
class Side:
    """The processes of a side, and what they reported."""

    children: Sequence[Child]
    seconds: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    samples: list[list[float]] = field(default_factory=list)
    cpu_seconds: float = 0.0
    lasted: float = 0.0

    def block(self, numbers: Sequence[int], at_once: int) -> list[dict[str, Any]]:
        """Run these searches, so many at once in total; return the report of each process."""
        count = min(len(self.children), at_once)
        for place, child in enumerate(self.children[:count]):
            child.send({"numbers": list(numbers[place::count]), "at_once": at_once // count})
        return [child.receive() for child in self.children[:count]]

    def add(self, reports: list[dict[str, Any]]) -> None:
        """Add a block; what the processes hold is summed."""
        done = len(self.seconds)
        rows = zip(*(each["samples"] for each in reports), strict=False)
        for row in rows:
            number, *rest = (sum(column) for column in zip(*row, strict=True))
            self.samples.append([done + number, *rest])
        self.seconds += [seconds for each in reports for seconds in each["seconds"]]
        self.problems += [problem for each in reports for problem in each["problems"]]
        self.cpu_seconds += sum(each["cpu_seconds"] for each in reports)
        self.lasted += max(each["lasted"] for each in reports)

    @property
    def p95(self) -> float:
        """The 95th percentile of the seconds."""
        return sorted(self.seconds)[min(len(self.seconds) - 1, int(0.95 * len(self.seconds)))]

    def row(self, name: str) -> list[object]:
        """Return the row of the table."""
        used = [1000 * self.cpu_seconds / len(self.seconds), self.cpu_seconds / self.lasted]
        peak = [round(max(sample[place] for sample in self.samples)) for place in (1, 2, 3, 4)]
        return [name, len(self.seconds), median(self.seconds), self.p95, max(self.seconds), *used, *peak]

    def memory_growth(self) -> float:
        """Return the share by which memory grew over the second half, by a line through its samples."""
        half = [sample for sample in self.samples if sample[0] >= len(self.seconds) / 2]
        slope = linear_regression([sample[0] for sample in half], [sample[1] for sample in half]).slope
        return slope * len(self.seconds) / 2 / half[0][1]

    def growth(self, place: int) -> float:
        """Return the share by which the peak of the second half exceeds that of the first."""
        first, second = ([s[place] for s in self.samples if (s[0] >= len(self.seconds) / 2) == half] for half in (0, 1))
        return max(second) / max(first) - 1


@contextmanager
def running(plan: Path, file: Path, options: argparse.Namespace) -> Iterator[tuple[Side, Side, list[Child]]]:
    """Start both sides and the upstreams."""
    with ExitStack() as stack:
        arguments = (plan, "--seed", options.seed, "--times", options.times)
        upstreams = [stack.enter_context(Child("load_upstream", *arguments)) for _ in range(2)]
        github, llm = (f"http://127.0.0.1:{upstream.first}" for upstream in upstreams)
        own, bare = (
            Side(
                [
                    stack.enter_context(Child(module, github, f"{llm}/v1", path, GLIBC_TUNABLES=PLAIN_MALLOC))
                    for _ in range(options.processes)
                ]
            )
            for module, path in (("load_goldpan", file), ("load_bare", plan))
        )
        yield own, bare, upstreams


def load(own: Side, bare: Side, searches: int, at_once: int) -> None:
    """Let both sides search in turn; the bare one fewer, and the first of the same questions."""
    size = searches // BLOCKS
    for block in range(BLOCKS):
        numbers = range(1 + block * size, 1 + (block + 1) * size)
        bare.add(bare.block(numbers[: max(at_once, int(BARE_SHARE * size))], at_once))
        own.add(own.block(numbers, at_once))


def cached(own: Side, searches: int, at_once: int, seed: int) -> dict[str, float]:
    """Ask popular questions, then a cached one alone; return the share of hits and their milliseconds.

    The second question is asked half as often as the first, the third a third as often.
    """
    weights, chance = [1 / rank for rank in range(1, POPULAR + 1)], random.Random(seed)
    numbers = [FIRST_POPULAR + place for place in chance.choices(range(POPULAR), weights, k=searches)]
    stream, alone = own.block(numbers, at_once), own.block([FIRST_POPULAR] * ALONE, 1)
    if any(each["problems"] for each in (*stream, *alone)) or alone[0]["cached"] != ALONE:
        raise RuntimeError([each["problems"] for each in (*stream, *alone)])
    return {
        "hit_share": sum(each["cached"] for each in stream) / searches,
        "hit_ms": 1000 * median(alone[0]["seconds"]),
        "hit_cpu_ms": 1000 * alone[0]["cpu_seconds"] / ALONE,
        "hit_ms_in_the_stream": 1000 * median(seconds for each in stream for seconds in each["seconds"]),
    }


def main() -> int:
    """Load, print, and check the floors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--searches", type=int, default=500)
    parser.add_argument("--at-once", type=int, default=32)
    parser.add_argument("--processes", type=int, default=2, help="of each side; they share goldpan's file")
    parser.add_argument("--seed", type=int, default=1, help="of the latencies and of the popular questions")
    parser.add_argument("--times", type=float, default=1.0, help="how much longer than usual the upstreams take")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        plan, file = Path(folder, "plan.json"), Path(folder, "goldpan.sqlite")
        record(plan)
        with running(plan, file, options) as (own, bare, upstreams):
            load(own, bare, options.searches, options.at_once)
            seen = [upstream.request() for upstream in upstreams]
            hits = cached(own, options.searches, options.at_once, options.seed)
    late = max(each["late_p95_ms"] for each in seen)
    grown = {name: own.growth(place) for place, name in COUNTED.items()}
    floors = [
        Floor("searches with a problem", len(own.problems) + len(bare.problems), 0),
        Floor("p95 to the bare calls' p95", own.p95 / bare.p95, TIMES_THE_BARE),
        Floor("memory grown over the second half", own.memory_growth(), MAX_GROWTH),
        *(Floor(f"{name}, second half to the first", more, MAX_MORE) for name, more in grown.items()),
        Floor("share of hits", hits["hit_share"], HIT_SHARE, at_least=True),
        Floor("milliseconds of a hit", hits["hit_ms"], HIT_MS),
        Floor("milliseconds by which the upstreams were late", late, LATE_MS),
    ]
    text = table(HEAD, [own.row("goldpan"), bare.row("bare calls")])
    problems = [f"- {problem}" for problem in sorted({*own.problems, *bare.problems})[:20]]
    figures = {"p95_to_bare": own.p95 / bare.p95, "memory_growth": own.memory_growth(), **grown, **hits}
    return report("\n".join([text, *problems]), {**figures, "upstreams": seen}, floors)


if __name__ == "__main__":
    sys.exit(main())
