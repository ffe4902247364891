"""The flow of goldpan with stages that only sleep; prints its times and its peak memory as JSON."""

from __future__ import annotations

import argparse
import importlib
import json
import time
from dataclasses import replace
from typing import Any

from goldpan.contracts import FoundBy, SearchRequest, SourceStatus
from goldpan.engine import pipeline
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.kind import Kind, KindResult
from goldpan.kinds.registry import get_kind
from goldpan.kinds.repositories.models import (
    Batch,
    RankedRepository,
    RepositorySearch,
    RepositorySection,
    Scores,
    ScoreTask,
    ScoutTask,
    SearchParams,
    Shortlist,
    Translation,
    Verdict,
)

from tests.benchmarks import payload
from tests.benchmarks.figures import peak_megabytes
from tests.benchmarks.sleeping import Sleeper

REAL_CLIENTS = (
    "goldpan_local.bootstrap",
    "goldpan.infra.llm.openai",
    "goldpan.kinds.repositories.sources.github.source",
)
PARAMS = SearchParams(keywords=("react", "animation", "library"))
REQUEST = SearchRequest(query="React animation library")


def sleeping_kind(sleeper: Sleeper) -> Kind:
    """Return the repositories kind with stages that sleep and return prepared values."""
    batches = {name: _batch(name, candidates) for name, candidates in payload.batches().items()}
    translation = Translation(params=PARAMS, tasks=tuple(_scout_task(name) for name in batches))
    tasks = tuple(ScoreTask.model_validate(row) for row in payload.score_tasks())
    rows = tuple(batch.status for batch in batches.values())
    shortlist = Shortlist(tasks=tasks, total_candidates=payload.CANDIDATES, sources=rows)
    verdicts = {task.id: Verdict.model_validate(payload.verdict(number)) for number, task in enumerate(tasks)}
    result = _result(tasks)

    def stage(name: str, value: Any) -> Any:
        def run(first: Any, *_: Any) -> Any:
            sleeper.sleep(name)
            return value(first)

        return run

    return replace(
        get_kind("repositories"),
        translate=stage("translate", lambda _: translation),
        scout=stage("scout", lambda task: batches[task.strategy]),
        shortlist=stage("shortlist", lambda _: shortlist),
        score=stage("score", lambda task: verdicts[task.id]),
        rank=stage("rank", lambda _: result),
    )


def _batch(strategy: str, candidates: list[dict[str, Any]]) -> Batch:
    status = SourceStatus(kind="repositories", strategy=strategy, source="github", status="ok")
    return Batch.model_validate({"status": status, "candidates": candidates})


def _scout_task(strategy: str) -> ScoutTask:
    searches = (RepositorySearch(words=PARAMS.keywords),)
    fields = {"id": strategy, "strategy": strategy, "source": "github", "searches": searches, "params": PARAMS}
    return ScoutTask.model_validate({**fields, "byte_allowance": 70_000})


def _result(tasks: tuple[ScoreTask, ...]) -> KindResult:
    results = tuple(
        RankedRepository(
            repo=task.id,
            name=task.id.partition("/")[2],
            description=task.repository.description,
            url=task.repository.url or "",
            stars=task.repository.stars,
            language=task.repository.language,
            relevance=0.7,
            scores=Scores(overall=6.0),
            radar_chart_data=(),
            reasoning="It fits.",
            basis="llm",
            found_by=(FoundBy(strategy="stars", rank=1),),
        )
        for task in tasks[: payload.RESULTS]
    )
    section = RepositorySection(total_candidates=payload.CANDIDATES, shortlisted=len(tasks), results=results)
    return KindResult(kind="repositories", section=section)


def main() -> None:
    """Run the flow several times; the first run is the cold one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sleep", type=float, default=0.0)
    parser.add_argument("--runs", type=int, default=6)
    options = parser.parse_args()
    sleeper = Sleeper(options.sleep)
    kind, dependencies = sleeping_kind(sleeper), Dependencies(clock=WallClock())
    walls, paths = [], []
    for _ in range(options.runs):
        start = time.perf_counter()
        *_, last = pipeline.run(REQUEST, dependencies, sources=("github",), kinds=(kind,))
        walls.append(time.perf_counter() - start)
        paths.append(sleeper.critical_path())
        if last.answer is None or len(last.answer.repositories.results) != payload.RESULTS:
            raise SystemExit("the flow lost results")
    peak = peak_megabytes()
    for name in REAL_CLIENTS:
        importlib.import_module(name)
    print(json.dumps({"walls": walls, "paths": paths, "peak_mb": peak, "peak_with_clients_mb": peak_megabytes()}))


if __name__ == "__main__":
    main()
