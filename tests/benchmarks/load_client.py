"""Runs blocks of parallel searches, and reports their times and what the process uses."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

SAMPLE_SECONDS = 0.5
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Result:
    """How a search ended."""

    seconds: float
    cached: bool = False
    problem: str = ""


Search = Callable[[int], Result]


def usage() -> list[float]:
    """Return the megabytes, threads, open files and connections of this process."""
    megabytes = int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 1024**2
    files = []
    for file in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # closed since it was listed
            files.append(str(file.readlink()))
    return [megabytes, threading.active_count(), len(files), sum(name.startswith("socket:") for name in files)]


def serve(search: Search) -> None:
    """Run the block in each line of input, and print its report as a line."""
    print("ready", flush=True)
    for line in sys.stdin:
        block = json.loads(line)
        print(json.dumps(run_block(search, block["numbers"], block["at_once"])), flush=True)


def run_block(search: Search, numbers: Sequence[int], at_once: int) -> dict[str, object]:
    """Run the searches, and sample the usage of the process beside the number of finished searches."""
    ended: list[Result] = []
    samples: list[list[float]] = []
    over = threading.Event()

    def sample() -> None:
        while not over.wait(SAMPLE_SECONDS):
            samples.append([len(ended), *usage()])

    sampler = threading.Thread(target=sample, daemon=True)
    sampler.start()
    cpu, start = time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        for result in pool.map(search, numbers):
            ended.append(result)  # noqa: PERF402 - the sampler reads how many have ended
    over.set()
    sampler.join()
    return {
        "seconds": [result.seconds for result in ended],
        "cached": sum(result.cached for result in ended),
        "problems": [result.problem for result in ended if result.problem],
        "samples": [*samples, [len(ended), *usage()]],
        "cpu_seconds": time.process_time() - cpu,
        "duration": time.perf_counter() - start,
    }
