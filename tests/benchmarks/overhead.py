"""Measures the overhead of the flow: its time beyond the critical path of its stages, its import, its peak memory.

    python tests/benchmarks/overhead.py [--rounds N] [--runs N]

The stages of the repositories only sleep and return what was made before: 100 candidates, of which 25 are scored, ten
at once. The critical path is the sum of how long each sleep really took, so that late wake-ups of the machine do not
count. Each round is a new process; the first run of it is the cold one.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # a script sees only its own folder

from tests.benchmarks.critical_path import schedule  # noqa: E402
from tests.benchmarks.figures import Limit, peak_megabytes, report, table  # noqa: E402

STRATEGIES = ("stars", "recency", "expanded")
CANDIDATES, SHORTLISTED = 100, 25
SLEEPS = (0.0, 0.1)
WARM_MS, MEGABYTES = 4.0, 150
"""The maximum of the warm overhead, and of the memory with all clients imported."""
IMPORTS = "import goldpan.engine.pipeline, goldpan.kinds.repositories.kind"
CLIENTS = ("goldpan.aws.bootstrap", "goldpan.local.bootstrap", "goldpan.infra.http", "goldpan.infra.llm.openai")
PARAMS = {"keywords": ["react", "animation", "library"]}
README = "Install it with one command, read the guide, and start from one of the examples in the folder. " * 6


class SleepingStages:
    """The stages of a kind, each of which sleeps and returns what was made before."""

    def __init__(self, kind: Any, seconds: float) -> None:
        self._kind, self._seconds, self._slept = kind, seconds, dict[str, list[float]]()

    def kind(self, request: Any) -> Any:
        """Return the kind with these stages."""
        made, models = [_candidate(number) for number in range(CANDIDATES)], self._kind.models
        tasks = [models.scout_task.model_validate(_scout_task(name)) for name in STRATEGIES]
        batches = {name: models.batch.model_validate(_batch(name, made[n::3])) for n, name in enumerate(STRATEGIES)}
        translation = models.translation.model_validate({"params": PARAMS, "tasks": tasks})
        scored = [models.score_task.model_validate(_score_task(each)) for each in made[:SHORTLISTED]]
        shortlist = models.shortlist.model_validate({"tasks": scored, "total_candidates": CANDIDATES, "sources": []})
        verdicts = {each["full_name"]: models.verdict.model_validate(_verdict(each)) for each in made[:SHORTLISTED]}
        ranked = self._kind.stages().rank(shortlist, list(verdicts.values()), translation, request, datetime.now(UTC))
        stages = replace(
            self._kind.stages(),
            translate=self._stage("translate", lambda _: translation),
            scout=self._stage("scout", lambda task: batches[task.id]),
            shortlist=self._stage("shortlist", lambda _: shortlist),
            score=self._stage("score", lambda task: verdicts[task.id]),
            rank=self._stage("rank", lambda _: ranked),
        )
        return replace(self._kind, stages=lambda: stages)

    def _stage(self, name: str, result: Callable[[Any], Any]) -> Callable[..., Any]:
        def run(value: Any, *_: object) -> Any:
            start = time.perf_counter()
            if self._seconds:  # even a sleep of 0 s is a system call
                time.sleep(self._seconds)
                self._slept.setdefault(name, []).append(time.perf_counter() - start)
            return result(value)

        return run

    def critical_path(self) -> float:
        """Return the shortest time in seconds that the sleeps of the last run need, and drop them."""
        slept, self._slept = self._slept, {}
        single = sum(sum(slept.get(stage, [])) for stage in ("translate", "shortlist", "rank"))
        return single + max(slept.get("scout", [0.0])) + schedule(slept.get("score", []))


def _candidate(number: int) -> dict[str, Any]:
    name = f"example-owner-{number}/example-repository-{number}"
    text = f"An invented repository whose description is as long as that of most that people star. Number {number}."
    facts = {"stars": 60 + 37 * number, "forks": 5 + number, "language": "TypeScript", "license": "MIT"}
    dates = {"pushed_at": "2026-08-01T12:00:00Z", "created_at": "2019-05-04T08:00:00Z"}
    return {"full_name": name, "description": text, "topics": [f"topic-{number}", "library", "tools"], **facts, **dates}


def _scout_task(strategy: str) -> dict[str, Any]:
    searches = [{"words": PARAMS["keywords"]}]
    return {"id": strategy, "strategy": strategy, "source": "github", "searches": searches, "params": PARAMS}


def _batch(strategy: str, candidates: list[dict[str, Any]]) -> dict[str, Any]:
    status = {"kind": "repositories", "strategy": strategy, "source": "github", "status": "ok"}
    return {"status": status, "candidates": candidates}


def _score_task(candidate: dict[str, Any]) -> dict[str, Any]:
    found_by = [{"strategy": "stars", "rank": 1}]
    repository = {**candidate, "readme": README[:500]}
    return {"id": candidate["full_name"], "repository": repository, "relevance": 0.5, "found_by": found_by}


def _verdict(candidate: dict[str, Any]) -> dict[str, Any]:
    scores = {"relevance": 0.7, "documentation": 7.0, "ease_of_use": 6.0, "basis": "llm"}
    return {"full_name": candidate["full_name"], "reasoning": "It does what the question requires.", **scores}


def run_flow(seconds: float, runs: int) -> dict[str, list[float]]:
    """Run the flow so many times; returns the milliseconds beyond the critical path, and the peak memory."""
    from goldpan.contracts import SearchRequest  # noqa: PLC0415 - the parent process imports nothing of goldpan
    from goldpan.engine import pipeline  # noqa: PLC0415
    from goldpan.engine.deadlines import WallClock  # noqa: PLC0415
    from goldpan.engine.dependencies import Dependencies  # noqa: PLC0415
    from goldpan.kinds.repositories.kind import KIND  # noqa: PLC0415

    stages = SleepingStages(KIND, seconds)
    request, overheads = SearchRequest(query="React animation library"), []
    kind = stages.kind(request)
    for _ in range(runs):
        start = time.perf_counter()
        *_, last = pipeline.run(request, Dependencies(clock=WallClock()), sources=("github",), kinds=[kind])
        wall = time.perf_counter() - start
        assert last.answer is not None
        assert len(last.answer.sections["repositories"].results) == request.max_results
        overheads.append(1000 * (wall - stages.critical_path()))
    peak = peak_megabytes()
    for name in CLIENTS:
        importlib.import_module(name)
    suffix = f" at {1000 * seconds:.0f} ms"
    measured = {f"cold ms{suffix}": overheads[:1], f"warm ms{suffix}": overheads[1:]}
    return {**measured, "peak MB": [peak], "peak MB with clients": [peak_megabytes()]}


def _milliseconds(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    return 1000 * (time.perf_counter() - start)


def main() -> int:
    """Measure, print, and check the limits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="new processes")
    parser.add_argument("--runs", type=int, default=6, help="searches in each process; the first is the cold one")
    parser.add_argument("--sleep", type=float, help="run once in this process, with stages of so many seconds")
    options = parser.parse_args()
    if options.sleep is not None:
        print(json.dumps(run_flow(options.sleep, options.runs)))
        return 0
    figures: dict[str, list[float]] = {}
    for _ in range(options.rounds):
        figures.setdefault("import ms", []).append(_milliseconds(IMPORTS) - _milliseconds("pass"))
        for seconds in SLEEPS:
            command = [sys.executable, __file__, "--sleep", str(seconds), "--runs", str(options.runs)]
            done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
            for name, values in json.loads(done.stdout).items():
                figures.setdefault(name, []).extend(values)
    medians = {name: median(values) for name, values in figures.items()}
    limits = [Limit(name, value, WARM_MS) for name, value in medians.items() if name.startswith("warm")]
    limits.append(Limit("peak MB with clients", medians["peak MB with clients"], MEGABYTES))
    return report(table(["", "median"], [list(row) for row in medians.items()]), medians, limits)


if __name__ == "__main__":
    sys.exit(main())
