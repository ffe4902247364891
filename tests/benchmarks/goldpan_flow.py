"""The flow of goldpan with stages that only sleep; prints its times and its peak memory as JSON."""

from __future__ import annotations

import argparse
import importlib
import json
import time
from collections.abc import Sequence
from datetime import datetime

from goldpan.contracts import Answer, FoundBy, KindResult, SearchRequest, Source, SourceStatus
from goldpan.engine import pipeline
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.engine.dependencies import Dependencies
from goldpan.kinds.registry import Stages
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
    Unscored,
    Verdict,
)

from tests.benchmarks import payload
from tests.benchmarks.figures import peak_megabytes
from tests.benchmarks.sleeping import Sleeper

REAL_CLIENTS = ("goldpan.bootstrap", "goldpan.infra.llm.openai", "goldpan.kinds.repositories.sources.github.source")
PARAMS = SearchParams(keywords=("react", "animation", "library"))


class SleepingStages:
    """Stages that sleep and give what was made beforehand, so that the flow alone is measured."""

    def __init__(self, seconds: float) -> None:
        self.sleeper = Sleeper(seconds)
        self._batches = {row["strategy"]: _batch(row) for row in payload.batches()}
        self._translation = Translation(params=PARAMS, tasks=tuple(_scout_task(name) for name in self._batches))
        self._tasks = tuple(ScoreTask.model_validate(row) for row in payload.score_tasks())
        rows = tuple(batch.status for batch in self._batches.values())
        self._shortlist = Shortlist(tasks=self._tasks, total_candidates=payload.CANDIDATES, sources=rows)
        verdicts = (Verdict.model_validate(payload.verdict(number)) for number in range(payload.SHORTLISTED))
        self._verdicts = {verdict.full_name: verdict for verdict in verdicts}
        self._outcome = _outcome(self._tasks)

    def translate(self, _r: SearchRequest, _s: Sequence[Source], _p: Dependencies, _d: Deadline) -> Translation:
        """Give the three scout tasks."""
        self.sleeper.sleep("translate")
        return self._translation

    def scout(self, task: ScoutTask, _p: Dependencies, _d: Deadline) -> Batch:
        """Give a third of the candidates."""
        self.sleeper.sleep("scout")
        return self._batches[task.strategy]

    def shortlist(
        self, _b: Sequence[Batch], _t: Translation, _r: SearchRequest, _p: Dependencies, _d: Deadline
    ) -> Shortlist:
        """Give the scoring tasks."""
        self.sleeper.sleep("shortlist")
        return self._shortlist

    def score(self, task: ScoreTask, _r: SearchRequest, _p: Dependencies, _d: Deadline) -> Verdict:
        """Give the verdict on one candidate."""
        self.sleeper.sleep("score")
        return self._verdicts[task.repository.full_name]

    def rank(
        self, _l: Shortlist, _v: Sequence[Verdict | Unscored], _t: Translation, _r: SearchRequest, _now: datetime
    ) -> KindResult:
        """Give the ranked section."""
        self.sleeper.sleep("rank")
        return self._outcome


def _batch(row: dict[str, object]) -> Batch:
    status = {"kind": "repositories", "strategy": row["strategy"], "source": "github", "status": "ok"}
    return Batch.model_validate({"status": SourceStatus.model_validate(status), "candidates": row["candidates"]})


def _scout_task(strategy: str) -> ScoutTask:
    searches = (RepositorySearch(words=PARAMS.keywords),)
    fields = {"strategy": strategy, "source": "github", "searches": searches, "params": PARAMS}
    return ScoutTask.model_validate({**fields, "byte_allowance": 70_000})


def _outcome(tasks: Sequence[ScoreTask]) -> KindResult:
    results = tuple(
        RankedRepository(
            repo=task.repository.full_name,
            name=task.repository.full_name.partition("/")[2],
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
    return KindResult(repositories=section)


def _search(nodes: Stages) -> Answer:
    request = SearchRequest(query="React animation library")
    return pipeline.search(request, Dependencies(clock=WallClock()), sources=("github",), nodes=nodes)


def main() -> None:
    """Run the flow as often as asked for; the first run is the cold one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sleep", type=float, default=0.0)
    parser.add_argument("--runs", type=int, default=6)
    asked = parser.parse_args()
    stages = SleepingStages(asked.sleep)
    nodes = Stages(stages.translate, stages.scout, stages.shortlist, stages.score, stages.rank)
    walls, paths = [], []
    for _ in range(asked.runs):
        begin = time.perf_counter()
        answer = _search(nodes)
        walls.append(time.perf_counter() - begin)
        paths.append(stages.sleeper.critical_path())
        if answer.repositories is None or len(answer.repositories.results) != payload.RESULTS:
            raise SystemExit("the flow lost results")
    peak = peak_megabytes()
    for name in REAL_CLIENTS:
        importlib.import_module(name)
    print(json.dumps({"walls": walls, "paths": paths, "peak_mb": peak, "peak_with_clients_mb": peak_megabytes()}))


if __name__ == "__main__":
    main()
