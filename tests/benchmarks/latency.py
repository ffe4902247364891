"""Asks ten questions through the whole pipeline, against servers that take as long as the real ones do.

GitHub and the language model stand in a process of their own. A search is held against its critical path: the
shortest time in which it could have been answered, given how long each of its requests took at the servers.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # run as a script, this file sees only its own folder

from goldpan.contracts import Answer, SearchRequest  # noqa: E402
from goldpan.engine.dependencies import Runtime
from goldpan.engine.pipeline import search  # noqa: E402
from goldpan_local.bootstrap import local_runtime

from tests.benchmarks.critical_path import critical_path  # noqa: E402
from tests.benchmarks.figures import Floor, peak_megabytes, table, tell  # noqa: E402
from tests.benchmarks.loopback_servers import Servers, running_servers  # noqa: E402
from tests.benchmarks.questions import QUESTIONS  # noqa: E402

SECONDS, SHARE_IN_TIME, TIMES_THE_BOUND = 12.0, 0.9, 1.1
MODEL = "deepseek-flash"
HEAD = ("question", "seconds", "critical path", "ratio", "LLM calls", "cost USD", "shortlisted", "by rules", "refused")


@dataclass(frozen=True)
class Asked:
    """One question's figures."""

    question: str
    seconds: float
    bound: float
    llm_calls: int
    cost_usd: float
    shortlisted: int
    rules_only_verdict: int
    refused: int
    errors: tuple[str, ...]
    warnings: tuple[str, ...]

    def row(self) -> list[object]:
        """Give the line of the table."""
        counts = [self.llm_calls, f"{self.cost_usd:.5f}", self.shortlisted, self.rules_only_verdict, self.refused]
        return [self.question, self.seconds, self.bound, self.seconds / self.bound, *counts]


def make_runtime(servers: Servers) -> Runtime:
    """Make what a search on one machine needs, from nothing but its settings."""
    settings = {
        "GITHUB_API_URL": servers.addresses["github"],
        "GITHUB_TOKEN": "good-token",
        "LLM_API_KEY": "good-key",
        "LLM_BASE_URL": servers.addresses["llm"],
        "LLM_MODEL": MODEL,
    }
    return local_runtime(settings, None)


def ask(question: str, runtime: Runtime, servers: Servers) -> Asked:
    """Ask one question and hold the time against the servers' own."""
    begin = time.perf_counter()
    answer = search(SearchRequest(query=question), runtime.dependencies, sources=runtime.sources)
    seconds = time.perf_counter() - begin
    occurred, refused = servers.since_last()
    return _read(answer, seconds, critical_path(occurred), refused)


def _read(answer: Answer, seconds: float, bound: float, refused: int) -> Asked:
    section = answer.repositories
    rows = [f"{row.strategy}: {row.status} {row.detail}" for row in answer.sources if row.status != "ok"]
    return Asked(
        question=answer.query,
        seconds=round(seconds, 3),
        bound=round(bound, 3),
        llm_calls=answer.usage.llm_calls,
        cost_usd=answer.usage.cost_usd,
        shortlisted=section.shortlisted if section else 0,
        rules_only_verdict=sum(result.basis == "rules" for result in section.results) if section else 0,
        refused=refused,
        errors=tuple(f"{error.stage}: {error.error}" for error in answer.errors),
        warnings=(*answer.warnings, *rows),
    )


def summary(asked: list[Asked], startup: float) -> dict[str, float]:
    """Give the figures over all questions."""
    return {
        "share_under_12_s": sum(row.seconds < SECONDS for row in asked) / len(asked),
        "wall_over_critical_path": sum(row.seconds for row in asked) / sum(row.bound for row in asked),
        "median_seconds": median(row.seconds for row in asked),
        "slowest_seconds": max(row.seconds for row in asked),
        "dearest_usd": max(row.cost_usd for row in asked),
        "startup_seconds": round(startup, 3),
        "peak_mb": peak_megabytes(),
    }


def main() -> int:
    """Ask, print, and check the floors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=1, help="how often the ten questions are asked")
    parser.add_argument("--seed", type=int, default=1, help="of the latencies and of the repositories")
    given = parser.parse_args()
    with running_servers(given.seed) as servers:
        begin = time.perf_counter()
        runtime = make_runtime(servers)
        startup = time.perf_counter() - begin
        asked = [ask(question.text, runtime, servers) for question in [*QUESTIONS] * given.repeat]
    figures = summary(asked, startup)
    floors = [
        Floor("share of the questions under 12 s", figures["share_under_12_s"], SHARE_IN_TIME, at_least=True),
        Floor("wall time over critical path", figures["wall_over_critical_path"], TIMES_THE_BOUND),
    ]
    said = [f"{row.question}: {line}" for row in asked for line in (*row.errors, *row.warnings)]
    text = "\n".join([table(HEAD, [row.row() for row in asked]), *(f"- {line}" for line in said)])
    return tell(text, {**figures, "questions": [asdict(row) for row in asked]}, floors)


if __name__ == "__main__":
    sys.exit(main())
