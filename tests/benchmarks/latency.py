"""Answers ten questions with the whole pipeline, against servers that take as long as the real ones.

GitHub and the language model run in their own process. A search is compared with its critical path: the shortest time
in which it could have been answered, given how long each of its requests took at the servers.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("layers/goldpan", "local", ".")]  # a script sees only its own folder

from goldpan.contracts import SearchRequest  # noqa: E402
from goldpan.engine.dependencies import Runtime  # noqa: E402
from goldpan.engine.search import get_or_search  # noqa: E402
from goldpan_local.bootstrap import local_runtime  # noqa: E402

from tests.benchmarks.child import Child  # noqa: E402
from tests.benchmarks.critical_path import TimedRequest, critical_path  # noqa: E402
from tests.benchmarks.figures import Floor, peak_megabytes, report, table  # noqa: E402
from tests.benchmarks.questions import QUESTIONS  # noqa: E402

SECONDS, SHARE_IN_TIME, TIMES_THE_PATH = 12.0, 0.9, 1.1
HEAD = ("question", "seconds", "critical path", "ratio", "LLM calls", "cost USD", "shortlisted", "by rules", "refused")


@dataclass(frozen=True)
class Measured:
    """The figures of one question."""

    question: str
    seconds: float
    path: float
    llm_calls: int
    cost_usd: float
    shortlisted: int
    by_rules: int
    refused: int
    notes: tuple[str, ...]

    def row(self) -> list[object]:
        """Return the row of the table."""
        counts = [self.llm_calls, f"{self.cost_usd:.5f}", self.shortlisted, self.by_rules, self.refused]
        return [self.question, self.seconds, self.path, self.seconds / self.path, *counts]


def new_runtime(addresses: dict[str, str]) -> Runtime:
    """Make the runtime of one machine, without a cache."""
    model = {"LLM_API_KEY": "good-key", "LLM_BASE_URL": addresses["llm"], "LLM_MODEL": "deepseek-flash"}
    github = {"GITHUB_API_URL": addresses["github"], "GITHUB_TOKEN": "good-token", "GOLDPAN_CACHE": "off"}
    return local_runtime({**github, **model})


def measure(question: str, runtime: Runtime, servers: Child) -> Measured:
    """Answer one question."""
    start = time.perf_counter()
    answer = get_or_search(SearchRequest(query=question), runtime)
    seconds = time.perf_counter() - start
    seen: dict[str, Any] = servers.request()
    section = answer.repositories
    rows = (f"{row.strategy}: {row.status} {row.detail}" for row in answer.sources if row.status != "ok")
    errors = (f"{error.stage}: {error.error}" for error in answer.errors)
    return Measured(
        question=answer.query,
        seconds=round(seconds, 3),
        path=round(critical_path(TimedRequest(**row) for row in seen["requests"]), 3),
        llm_calls=answer.usage.llm_calls,
        cost_usd=answer.usage.cost_usd,
        shortlisted=section.shortlisted,
        by_rules=sum(result.basis == "rules" for result in section.results),
        refused=seen["refused"],
        notes=(*errors, *answer.warnings, *rows),
    )


def main() -> int:
    """Measure, print, and check the floors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=1, help="how often the ten questions are answered")
    parser.add_argument("--seed", type=int, default=1, help="of the latencies and of the repositories")
    options = parser.parse_args()
    with Child("loopback_process", "--seed", options.seed) as servers:
        start = time.perf_counter()
        runtime = new_runtime(json.loads(servers.first))
        startup = time.perf_counter() - start
        measured = [measure(question.text, runtime, servers) for question in [*QUESTIONS] * options.repeat]
        runtime.close()
    figures = {
        "share_under_12_s": sum(row.seconds < SECONDS for row in measured) / len(measured),
        "wall_over_critical_path": sum(row.seconds for row in measured) / sum(row.path for row in measured),
        "median_seconds": median(row.seconds for row in measured),
        "slowest_seconds": max(row.seconds for row in measured),
        "most_expensive_usd": max(row.cost_usd for row in measured),
        "startup_seconds": round(startup, 3),
        "peak_mb": peak_megabytes(),
    }
    floors = [
        Floor("share of the questions under 12 s", figures["share_under_12_s"], SHARE_IN_TIME, at_least=True),
        Floor("wall time over critical path", figures["wall_over_critical_path"], TIMES_THE_PATH),
    ]
    notes = [f"- {row.question}: {note}" for row in measured for note in row.notes]
    text = "\n".join([table(HEAD, [row.row() for row in measured]), *notes])
    return report(text, {**figures, "questions": [asdict(row) for row in measured]}, floors)


if __name__ == "__main__":
    sys.exit(main())
