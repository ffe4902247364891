"""Runs searches in blocks, several at once, and reports how long each took and what the process holds."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

SAMPLE_SECONDS = 0.5
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Ended:
    """How a search ended: its seconds, whether its answer was cached, and what was wrong."""

    seconds: float
    cached: bool = False
    problem: str = ""


Search = Callable[[int], Ended]


def held() -> list[float]:
    """Return what this process holds: megabytes, threads, open files, and how many of these are connections."""
    megabytes = int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 1024**2
    files = [_target(file) for file in Path("/proc/self/fd").iterdir()]
    return [megabytes, threading.active_count(), len(files), sum(name.startswith("socket:") for name in files)]


def _target(file: Path) -> str:
    try:
        return str(file.readlink())
    except FileNotFoundError:
        return "closed"


def serve(search: Search) -> None:
    """Run the searches of each line of input, and report them in a line."""
    print("ready", flush=True)
    for line in sys.stdin:
        block = json.loads(line)
        print(json.dumps(run_block(search, block["numbers"], block["at_once"])), flush=True)


def run_block(search: Search, numbers: Sequence[int], at_once: int) -> dict[str, object]:
    """Run the searches and sample what the process holds, with the number of searches that had ended by then."""
    ended: list[Ended] = []
    samples: list[list[float]] = []
    over = threading.Event()

    def sample() -> None:
        while not over.wait(SAMPLE_SECONDS):
            samples.append([len(ended), *held()])

    sampler = threading.Thread(target=sample, daemon=True)
    sampler.start()
    cpu, start = time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        for each in pool.map(search, numbers):
            ended.append(each)  # noqa: PERF402 - the sampler reads how many have ended
    over.set()
    sampler.join()
    return {
        "seconds": [each.seconds for each in ended],
        "cached": sum(each.cached for each in ended),
        "problems": [each.problem for each in ended if each.problem],
        "samples": [*samples, [len(ended), *held()]],
        "cpu_seconds": time.process_time() - cpu,
        "lasted": time.perf_counter() - start,
    }
