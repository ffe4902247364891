"""Runs cold, then warm questions at several `goldpan serve` on one cache file, in front of a GitHub with latency.

    python tests/benchmarks/serve_load.py [--questions N] [--connections N] [--processes N]

Each call takes GitHub 300 ms, one of twenty 3 s. The calls in flight are counted there, over all processes. Every
question is new when it is cold; when it is warm, the connections have changed places, so that another process may have
cached its answer. 429 and 503 with Retry-After are no problem, every other status but 200 is one. A search that lost a
strategy asks for other repositories than were recorded, and gets 500: these calls are counted as unknown.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # a script sees only its own folder

from tests.benchmarks.figures import Limit, report, table  # noqa: E402
from tests.benchmarks.http_load import HttpRun, post, run_requests  # noqa: E402
from tests.benchmarks.processes import Child  # noqa: E402
from tests.benchmarks.questions import QUESTIONS  # noqa: E402
from tests.benchmarks.recording import TOKEN, mark, record  # noqa: E402
from tests.benchmarks.soak import SEARCHES, serving  # noqa: E402

GITHUB_SECONDS, SLOW_SHARE, SLOW_SECONDS = 0.3, 0.05, 3.0
MAX_IN_FLIGHT = 100
"""GitHub's documented bound on requests at once, shared by REST and GraphQL."""
HTTP_OK = 200
HEAD = ("questions", "requests", "median s", "p95 s", "slowest s", "requests/s", "in flight", "statuses", "answers")


class Answers:
    """Counts what the answers are: cached or not, of GitHub without a failure, in part, or of the sample."""

    def __init__(self) -> None:
        self.found: Counter[str] = Counter()

    def keep(self, status: int, body: bytes) -> None:
        """Count a response."""
        if status != HTTP_OK:
            return
        answer = json.loads(body)
        rows = answer["sources"]
        from_sample = any(row["source"] != "github" for row in rows)
        complete = {row["status"] for row in rows} <= {"ok", "truncated", "empty"} and not answer["errors"]
        self.found["sample" if from_sample else "complete" if complete else "partial"] += 1
        self.found["cached"] += answer["cached"]


def percentile(seconds: Sequence[float], share: float) -> float:
    """Return the time within which this share of the requests ended."""
    return sorted(seconds)[int(share * (len(seconds) - 1))]


def main() -> int:
    """Measure, print, and check the limits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    bodies = [post({"query": f"{QUESTIONS[0].text} {mark(number)}"}) for number in range(1, options.questions + 1)]
    runs: list[tuple[str, HttpRun, Counter[str], int]] = []
    delays = ("--github-seconds", GITHUB_SECONDS, "--slow-share", SLOW_SHARE, "--slow", SLOW_SECONDS)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        recording = Path(folder, "calls.json")
        record(QUESTIONS[:1], recording, by_rules=True)
        upstream = stack.enter_context(Child("upstream", recording, *delays))
        settings = {"GITHUB_API_URL": upstream.first, "GITHUB_TOKEN": TOKEN}
        settings["GOLDPAN_CACHE"] = str(Path(folder, "goldpan.sqlite"))
        servers = [
            stack.enter_context(serving("goldpan", SEARCHES, environment=settings)) for _ in range(options.processes)
        ]
        urls, unknown = [server.url for server in servers], 0
        for name, order in (("cold", urls), ("warm", urls[::-1])):
            answers = Answers()
            run = run_requests(order, bodies, options.connections, answers.keep)
            reported = upstream.request(None)
            unknown += reported["unknown"]
            runs.append((name, run, answers.found, reported["most_in_flight"]))
    return _report(runs, unknown)


def _report(runs: Sequence[tuple[str, HttpRun, Counter[str], int]], unknown: int) -> int:
    rows = [
        [
            name, len(run.seconds), median(run.seconds), percentile(run.seconds, 0.95), max(run.seconds), run.rate,
            in_flight, dict(run.statuses), dict(found),
        ]
        for name, run, found, in_flight in runs
    ]  # fmt: skip
    problems = [problem for _, run, _, _ in runs for problem in run.problems]
    others = sum(
        count for _, run, _, _ in runs for status, count in run.statuses.items() if status not in {200, 429, 503}
    )
    (_, cold, found, in_flight), (_, warm, kept, _) = runs
    figures = {"in_flight": in_flight, "cold_per_second": cold.rate, "warm_per_second": warm.rate, "unknown": unknown}
    limits = [
        Limit("responses with a problem", len(problems) + others, 0),
        Limit("calls in flight at GitHub, over all processes", in_flight, MAX_IN_FLIGHT),
        Limit("answers of the sample in place of GitHub's", found["sample"] + kept["sample"], 0),
        Limit("complete answers to new questions", found["complete"], 1, is_minimum=True),
        Limit("complete answers that were searched for again", found["complete"] - kept["cached"], 0),
    ]
    return report("\n".join([table(HEAD, rows), *problems[:20]]), figures, limits)


if __name__ == "__main__":
    sys.exit(main())
