"""Runs the flow of goldpan with stages that only sleep; prints the times and the peak memory as JSON."""

from __future__ import annotations

import importlib
import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from goldpan.contracts import SearchRequest
from goldpan.engine import pipeline
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.kind import Kind
from goldpan.kinds.repositories.kind import KIND
from goldpan.kinds.repositories.models import Shortlist, Translation

from tests.benchmarks import payload
from tests.benchmarks.critical_path import Sleeper, measure_flow
from tests.benchmarks.figures import peak_megabytes

CLIENTS = ("goldpan.aws.bootstrap", "goldpan_local.bootstrap", "goldpan.kinds.repositories.sources.connector",
           "goldpan.infra.http", "goldpan.infra.llm.openai")  # fmt: skip
REQUEST = SearchRequest(query="React animation library")
PARAMS = {"keywords": ["react", "animation", "library"]}


def sleeping_kind(sleeper: Sleeper) -> Kind:
    """Make a kind whose stages sleep and return what was made before, so that only the flow is measured."""
    scout_tasks = tuple(KIND.models.scout_task.model_validate(_scout_task(name)) for name in payload.STRATEGIES)
    found = {task.id: KIND.models.batch.model_validate(_batch(task.id)) for task in scout_tasks}
    translation = Translation.model_validate({"params": PARAMS, "tasks": scout_tasks})
    score_tasks = tuple(KIND.models.score_task.model_validate(row) for row in payload.score_tasks())
    shortlist = Shortlist.model_validate({"tasks": score_tasks, "total_candidates": payload.CANDIDATES, "sources": []})
    rows = (payload.verdict(number) for number in range(payload.SHORTLISTED))
    verdicts = {row["full_name"]: KIND.models.verdict.model_validate(row) for row in rows}
    ranked = KIND.rank(shortlist, list(verdicts.values()), translation, REQUEST, WallClock().now())

    def stage(name: str, result: Callable[[Any], Any]) -> Callable[..., Any]:
        def run(value: Any, *_: object) -> Any:
            sleeper.sleep(name)
            return result(value)

        return run

    return replace(
        KIND,
        translate=stage("translate", lambda _: translation),
        scout=stage("scout", lambda task: found[task.id]),
        shortlist=stage("shortlist", lambda _: shortlist),
        score=stage("score", lambda task: verdicts[task.id]),
        rank=stage("rank", lambda _: ranked),
    )


def _scout_task(strategy: str) -> dict[str, Any]:
    searches = [{"words": PARAMS["keywords"]}]
    return {"id": strategy, "strategy": strategy, "source": "github", "searches": searches, "params": PARAMS}


def _batch(strategy: str) -> dict[str, Any]:
    status = {"kind": "repositories", "strategy": strategy, "source": "github", "status": "ok"}
    return {"status": status, "candidates": payload.batches()[strategy]}


def prepare(sleeper: Sleeper, _asynchronous: bool) -> Callable[[], float]:  # noqa: FBT001 - as for LangGraph
    """Return a function that runs the flow once, and returns its seconds."""
    kind = sleeping_kind(sleeper)

    def run() -> float:
        start = time.perf_counter()
        *_, last = pipeline.run(REQUEST, Dependencies(clock=WallClock()), sources=("github",), kinds=[kind])
        seconds = time.perf_counter() - start
        if last.answer is None or len(last.answer.sections["repositories"].results) != payload.RESULTS:
            raise SystemExit("the flow lost results")
        return seconds

    return run


def main() -> None:
    """Run the flow several times, then import all clients."""
    figures = {**measure_flow(prepare), "peak_mb": peak_megabytes()}
    for name in CLIENTS:
        importlib.import_module(name)
    print(json.dumps({**figures, "peak_with_clients_mb": peak_megabytes()}))


if __name__ == "__main__":
    main()
