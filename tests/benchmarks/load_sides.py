"""The processes of a load, goldpan as a library or bare calls: each runs blocks of searches and reports on them."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import httpx2
from goldpan.engine.dependencies import Runtime
from goldpan.errors import TerminalError
from goldpan.infra.rate_limits.limits import Limit
from goldpan.kinds.repositories.sources.github.settings import RATE_LIMITS
from goldpan.local.bootstrap import local_runtime
from goldpan.local.entry_points import search

from tests.benchmarks.recording import KEY, MARK, QUESTIONS, TOKEN, Call, mark, read_calls, search_request, settings

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


CALLS_AT_ONCE = {"translate": 1, "search": 3, "enrich": 6, "score": 10}
"""How many calls of a step goldpan makes in parallel."""
GITHUB = {"authorization": f"Bearer {TOKEN}", "user-agent": "bare", "accept": "application/vnd.github+json"}
TIMEOUT = 30.0


class BareClient:
    """Makes the calls of a recorded search and does nothing else: a plain client, without a limit of connections."""

    def __init__(self, address: str, calls: list[Call]) -> None:
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
        self._client = httpx2.Client(base_url=address, limits=limits, timeout=TIMEOUT)
        self._steps = {step: [call.body for call in calls if call.step == step] for step in CALLS_AT_ONCE}

    def search(self, number: int) -> Result:
        """Make all calls of a search, step by step."""
        start = time.perf_counter()
        for step, at_once in CALLS_AT_ONCE.items():
            bodies = [json.loads(json.dumps(body).replace(MARK, mark(number))) for body in self._steps[step]]
            with ThreadPoolExecutor(at_once) as pool:
                list(pool.map(self._complete if step in {"translate", "score"} else self._query, bodies))
        return Result(time.perf_counter() - start)

    def _complete(self, body: dict[str, Any]) -> object:
        completed = self._post("/v1/chat/completions", body, {"authorization": f"Bearer {KEY}"})
        return json.loads(completed["choices"][0]["message"]["content"] or "")

    def _query(self, body: dict[str, Any]) -> object:
        return self._post("/graphql", body, GITHUB)["data"]

    def _post(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> Any:
        return self._client.post(path, json=body, headers=headers).raise_for_status().json()


LLM_CALLS, RESULTS = 26, 10
CONFIG = {"target_seconds": None}
"""No call is cut, so that both sides make the same calls."""
NO_LIMIT = (Limit(3600, 10_000_000), Limit(60, 10_000_000))
"""GitHub's own limits would end the load after a quarter of it; these are counted in the same way and never reached."""


def run_search(runtime: Runtime, number: int) -> Result:
    """Run one search and check its answer."""
    start = time.perf_counter()
    try:
        answer = search(search_request(QUESTIONS[0], number, CONFIG), runtime=runtime)
    except TerminalError as error:
        return Result(time.perf_counter() - start, problem=f"{type(error).__name__}: {error}")
    seconds = time.perf_counter() - start
    problems = [error.error for error in answer.errors]
    problems += [f"{row.strategy}: {row.status}" for row in answer.sources if row.status != "ok"]
    if answer.usage.llm_calls != LLM_CALLS or len(answer.sections["repositories"].results) != RESULTS:
        problems.append(f"{answer.usage.llm_calls} calls of the model, or too few results")
    return Result(seconds, answer.cached, "; ".join(problems))


def lift(limits: Mapping[str, object], *names: str) -> None:
    """Lift these rate limits, or all."""
    cast("dict[str, object]", limits).update(dict.fromkeys(names or limits, NO_LIMIT))


if __name__ == "__main__":
    side, address, file = sys.argv[1:]
    if side == "bare":
        serve(BareClient(address, read_calls(Path(file))).search)
    else:
        lift(RATE_LIMITS, "github:graphql:token")
        serve(partial(run_search, local_runtime(settings(address, cache=file))))
