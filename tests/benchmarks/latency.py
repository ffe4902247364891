"""Runs ten searches through the whole pipeline, against servers that take as long as the real ones do.

Each question is asked twice: in this process, and by the command, whose start and printing count too.
"""

import heapq
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from typing import Any

from goldpan.config import PipelineConfig
from goldpan.contracts import SearchRequest
from goldpan.engine.dependencies import Runtime
from goldpan.local.bootstrap import open_runtime
from goldpan.local.entry_points import search

from tests.benchmarks.frame import Child, Limit, report, run_main, table
from tests.benchmarks.upstream import QUESTIONS, Step, TimedRequest, marked, settings

SECONDS, SHARE_IN_TIME, TIMES_THE_PATH = 12.0, 0.9, 1.1
SCORING_CALLS_AT_ONCE = 10
TRANSLATE_SECONDS, CALL_SECONDS, SCORE_SECONDS = 5.0, 8.0, 10.0
TARGET_SECONDS = PipelineConfig().target_seconds or 27.0
"""When goldpan gives up: on translate, on one scoring call, on score, and on score counted from the start."""


def critical_path(requests: Iterable[TimedRequest]) -> float:
    """Return the shortest time of a search: the slowest request of each step; a free worker takes each scoring call."""
    seconds: dict[Step, list[float]] = {"translate": [], "search": [], "enrich": [], "score": []}
    for request in sorted(requests, key=lambda request: request.start):
        seconds[request.step].append(request.seconds)
    translate, searched, enriched = (max(seconds[step], default=0.0) for step in ("translate", "search", "enrich"))
    before, free_at = min(TRANSLATE_SECONDS, translate) + searched + enriched, [0.0] * SCORING_CALLS_AT_ONCE
    for call in seconds["score"]:
        heapq.heapreplace(free_at, free_at[0] + min(CALL_SECONDS, call))
    return before + min(SCORE_SECONDS, TARGET_SECONDS - before, max(free_at))


def measure(question: str, runtime: Runtime, upstream: Child) -> dict[str, Any]:
    """Search, and compare the time with that of the servers."""
    start = time.perf_counter()
    answer = search(SearchRequest(query=question), runtime=runtime)
    seconds = time.perf_counter() - start
    path = critical_path(TimedRequest(*row) for row in upstream.report())
    failed = [f"{row.strategy}: {row.status} {row.detail}" for row in answer.sources if row.status != "ok"]
    return {
        "question": answer.query,
        "seconds": seconds,
        "critical path": path,
        "ratio": seconds / path,
        "LLM calls": answer.usage.llm_calls,
        "US cents": 100 * answer.usage.cost_usd,
        "problems": [*(f"{error.stage}: {error.error}" for error in answer.errors), *answer.warnings, *failed],
    }


def measure_command(question: str, environment: dict[str, str], upstream: Child) -> float:
    """Return the seconds from the start of the command to its end."""
    start = time.perf_counter()
    asked = [sys.executable, "-m", "goldpan_local", "search", "--", question]
    subprocess.run(asked, env=os.environ | environment, check=True, capture_output=True)
    seconds = time.perf_counter() - start
    upstream.report()
    return seconds


def main(questions: int = len(QUESTIONS), seed: int = 1) -> int:
    """Measure, print, and check the limits."""
    asked = QUESTIONS[:questions]
    with Child("upstream", "--seed", seed) as upstream:
        environment = settings(upstream.first)
        runtime, rows = open_runtime(environment), list[dict[str, Any]]()
        for question in asked:
            by_command = measure_command(marked(question, 2), environment, upstream)
            row = measure(marked(question, 1), runtime, upstream)
            rows.append({"question": row.pop("question"), "command": by_command, **row})
    in_time = sum(row["command"] < SECONDS for row in rows) / len(rows)
    ratio = sum(row["seconds"] for row in rows) / sum(row["critical path"] for row in rows)
    limits = [
        Limit("share of the commands under 12 s", in_time, least=SHARE_IN_TIME),
        Limit("wall time relative to the critical path", ratio, TIMES_THE_PATH),
    ]
    problems = [f"- {row['question']}: {problem}" for row in rows for problem in row.pop("problems")]
    return report("\n".join([table([*rows[0]], [[*row.values()] for row in rows]), *problems]), limits)


if __name__ == "__main__":
    run_main(main)
