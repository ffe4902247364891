"""Measures searches for papers against six loopback sources that take 300 ms, and a language model of real latency.

All sources in parallel take at most 1.1 times the slowest path through the stages, measured in the same run; with the
model (log-normal, median 2.5 s, p95 6 s) nine of ten searches end within 20 s, all within their `max_seconds`. Every
search is cold, and the documented rate limits, which hold for loopback too, are lifted.
"""

import json
import random
import sys
import time
from collections.abc import Sequence
from statistics import median
from typing import Any, NamedTuple

from goldpan.contracts import parse_request
from goldpan.engine.dependencies import Runtime
from goldpan.engine.search import get_or_search
from goldpan.kinds.answer import Answer
from goldpan.kinds.papers.sources.connector import CONNECTOR
from goldpan.local.bootstrap import open_runtime
from goldpan_local.server.http_server import warm_up

from tests.benchmarks.frame import Child, Limit, lift, report, run_main, table
from tests.benchmarks.upstream import lognormal
from tests.support.loopback import LoopbackLLM
from tests.support.paper_search_fakes import QUESTION, papers
from tests.support.paper_sources import SOURCES, LoopbackPapers, paper_environment

LATENCY, TIMES_THE_PATH = 0.3, 1.1
MODEL_MEDIAN, MODEL_P95 = 2.5, 6.0
PAPERS_FOUND, ABSTRACT_PARTS = 300, 8
SECONDS, MAX_SECONDS, SHARE_IN_TIME = 20.0, 25.0, 0.9
ALL = "all"


def serve() -> None:
    """Serve papers until the input ends: half of the sources have each, with an abstract of a usual length."""
    found = papers(PAPERS_FOUND)
    for place, facts in enumerate(found):
        facts["abstract"] = " ".join([facts["abstract"]] * ABSTRACT_PARTS)
        facts["arxiv"] = f"2101.{place:05}"
        facts["sources"] = [name for number, name in enumerate(SOURCES) if (place + number) % 2]
    with LoopbackPapers(found, latency=LATENCY) as server:
        server.credits = 10**9
        print(server.url, flush=True)
        sys.stdin.read()


def settings(url: str) -> dict[str, str]:
    """Return the environment in which all sources are at that address, with a key each, and nothing is cached."""
    return paper_environment(url) | {"GOLDPAN_CACHE": "off", "CROSSREF_MAILTO": "me@example.org"}


class Timed(NamedTuple):
    """A search: its seconds, and its answer."""

    seconds: float
    answer: Answer


def search(runtime: Runtime, number: int, sources: Sequence[str] = SOURCES) -> Timed:
    """Search once."""
    request = parse_request({"query": f"{QUESTION} {number}", "kinds": ["papers"], "sources": list(sources)})
    start = time.perf_counter()
    answer = get_or_search(request, runtime)
    return Timed(time.perf_counter() - start, answer)


def measure_sources(environment: dict[str, str], rounds: int) -> dict[str, list[Timed]]:
    """Search at each source alone and at all together, in turns."""
    found: dict[str, list[Timed]] = {}
    paths = {name: (name,) for name in SOURCES} | {ALL: SOURCES}
    with open_runtime(environment) as runtime:
        warm_up(runtime)  # as `goldpan serve` does
        search(runtime, 999)  # opens the connections
        for number in range(rounds):
            for place, (name, sources) in enumerate(paths.items()):
                found.setdefault(name, []).append(search(runtime, number * len(paths) + place, sources))
    return found


def measure_model(environment: dict[str, str], searches: int, seed: int) -> list[Timed]:
    """Search with a language model that takes as long as real ones do, or as long as a call may take."""
    chance = random.Random(seed)

    def reply(body: dict[str, Any]) -> str:
        time.sleep(lognormal(chance, MODEL_MEDIAN, MODEL_P95))
        asked = json.loads(body["messages"][1]["content"])
        rows = [{"id": each["id"], "relevance": 0.7, "reasoning": "It fits."} for each in asked.get("papers", ())]
        return json.dumps({"results": rows})

    with LoopbackLLM(reply) as llm:
        model = {"LLM_API_KEY": "good-key", "LLM_BASE_URL": llm.base_url, "LLM_MODEL": "deepseek-flash"}
        with open_runtime(environment | model) as runtime:
            return [search(runtime, 500 + number) for number in range(searches)]


def main(searches: int = 20, rounds: int = 5, seed: int = 1) -> int:
    """Measure, print, and check the limits."""
    lift(CONNECTOR.rate_limits)
    with Child("papers_latency", "serve") as upstream:
        environment = settings(upstream.first)
        paths = measure_sources(environment, rounds)
        answered = measure_model(environment, searches, seed)
    wall = {name: median(one.seconds for one in found) for name, found in paths.items()}
    scouting = {name: median(one.answer.execution_time_ms.scout for one in found) for name, found in paths.items()}
    slowest = max(SOURCES, key=scouting.__getitem__)
    path = wall[ALL] - (scouting[ALL] - scouting[slowest]) / 1000
    seconds = sorted(one.seconds for one in answered)
    problems = [
        f"{row.source}: {row.status} {row.detail}"
        for one in (*answered, *(each for found in paths.values() for each in found))
        for row in one.answer.sources
        if row.status not in {"ok", "truncated"}
    ]
    in_time = sum(taken <= SECONDS for taken in seconds) / len(seconds)
    limits = [
        Limit("all six sources relative to the slowest path", wall[ALL] / path, TIMES_THE_PATH),
        Limit("share of the searches with a model in time", in_time, least=SHARE_IN_TIME),
        Limit("seconds of the slowest search with a model", seconds[-1], MAX_SECONDS),
        Limit("searches in which a source failed", len(problems), 0),
    ]
    rows = [(name, wall[name], scouting[name]) for name in wall]
    text, said = table(["sources", "seconds", "ms until read"], rows), f"with a model, median: {median(seconds):.1f} s"
    return report("\n".join([text, said, *dict.fromkeys(problems)]), limits)


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        run_main(main)
