"""A process that asks in blocks, so many questions at once, and tells how long each took and what the process holds."""

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

EVERY_SECONDS = 0.5
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Ended:
    """How a search ended: its seconds, whether its answer was remembered, and what was wrong."""

    seconds: float
    cached: bool = False
    problem: str = ""


Ask = Callable[[int], Ended]


def held() -> list[float]:
    """Tell what this process holds: megabytes, threads, open files, and how many of those are connections."""
    megabytes = int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 1024**2
    files = [_target(file) for file in Path("/proc/self/fd").iterdir()]
    return [megabytes, threading.active_count(), len(files), sum(name.startswith("socket:") for name in files)]


def _target(file: Path) -> str:
    try:
        return str(file.readlink())
    except FileNotFoundError:
        return "closed meanwhile"


def serve(ask: Ask) -> None:
    """Ask the questions of each line of input, and tell of them in a line."""
    print("ready", flush=True)
    for line in sys.stdin:
        told = json.loads(line)
        print(json.dumps(run_block(ask, told["numbers"], told["at_once"])), flush=True)


def run_block(ask: Ask, numbers: Sequence[int], at_once: int) -> dict[str, object]:
    """Ask the questions, so many at once, and watch what the process holds after how many of them."""
    ended: list[Ended] = []
    samples: list[list[float]] = []
    over = threading.Event()

    def watch() -> None:
        while not over.wait(EVERY_SECONDS):
            samples.append([len(ended), *held()])

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    cpu, began = time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        for one in pool.map(ask, numbers):
            ended.append(one)  # noqa: PERF402 - the watcher reads how many have ended
    over.set()
    watcher.join()
    return {
        "seconds": [one.seconds for one in ended],
        "cached": sum(one.cached for one in ended),
        "problems": [one.problem for one in ended if one.problem],
        "samples": [*samples, [len(ended), *held()]],
        "cpu_seconds": time.process_time() - cpu,
        "lasted": time.perf_counter() - began,
    }
