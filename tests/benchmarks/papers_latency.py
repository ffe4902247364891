"""Measures searches for papers against six loopback sources that take 300 ms, and a language model of real latency.

All sources in parallel take at most 1.1 times the slowest path through the stages, measured in the same run; with the
model (log-normal, median 2.5 s, p95 6 s) nine of ten searches end within 20 s, all within their `max_seconds`. Every
search is cold, and the documented rate limits, which hold for loopback too, are lifted. Needs ../shared.
"""

import json
import math
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from goldpan.contracts import parse_request
from goldpan.engine.dependencies import Runtime
from goldpan.engine.search import get_or_search
from goldpan.kinds.answer import Answer
from goldpan.kinds.papers.sources.settings import RATE_LIMITS
from goldpan.local.bootstrap import open_runtime
from goldpan_local.server.http_server import warm_up

from tests.benchmarks.frame import PAPERS, Limit, lift, read_rows, report, run_main, table
from tests.benchmarks.processes import Child
from tests.support.loopback import LoopbackLLM
from tests.support.paper_shapes import Facts
from tests.support.paper_sources import SOURCES, LoopbackPapers, paper_environment

TOPICS = (
    "translation", "summarization", "dialogue", "answering", "parsing", "sentiment", "knowledge", "multilingual",
    "entity", "generation",
)  # fmt: skip
"""Words that many titles of the library have."""
FOUND, STEP = 50, 10
"""Papers that a query finds, and the distance of their possible beginnings: what two queries find, at one source or at
two, differs in part."""


class SteadyPapers(LoopbackPapers):
    """Serves a page of the papers whose titles have the topic of a query, without any search."""

    def __init__(self, papers: Mapping[str, Sequence[dict[str, Any]]], latency: float) -> None:
        super().__init__((facts for page in papers.values() for facts in page), latency=latency)
        self._pages = papers
        self.credits = 10**9

    def _search(self, source: str, text: str, filters: str = "") -> list[Facts]:
        del filters
        page = next((page for topic, page in self._pages.items() if topic in text.lower()), ())
        start = STEP * sum(map(ord, source + text)) % max(1, len(page) - FOUND)
        return list(page[start : start + FOUND])


def read_papers() -> dict[str, list[dict[str, Any]]]:
    """Read the papers of each topic, with an arXiv id, a PMID and a DOI each."""
    found: dict[str, list[dict[str, Any]]] = {topic: [] for topic in TOPICS}
    for number, raw in enumerate(read_rows(PAPERS / "library" / "papers.jsonl.gz")):
        topic = next((topic for topic in TOPICS if topic in raw["title"].lower()), None)
        if topic is not None:
            ids = {"doi": f"10.1000/library.{number}", "arxiv": f"2101.{number:05}", "pmid": str(1 + number)}
            kept = {name: raw[name] for name in ("title", "authors", "year", "venue", "abstract")}
            found[topic].append({**kept, **ids})
    return found


def serve() -> None:
    """Serve the sources until the input ends."""
    with SteadyPapers(read_papers(), LATENCY) as server:
        print(server.url, flush=True)
        sys.stdin.read()


LATENCY, TIMES_THE_PATH = 0.3, 1.1
MODEL_MEDIAN, MODEL_P95 = 2.5, 6.0
SIGMA = math.log(MODEL_P95 / MODEL_MEDIAN) / 1.645
SECONDS, MAX_SECONDS, SHARE_IN_TIME = 20.0, 25.0, 0.9
ALL = "all"
METHODS = ("attention", "pretraining", "evaluation", "datasets", "reinforcement learning")


def settings(url: str) -> dict[str, str]:
    """Return the environment in which all sources are at that address, with a key each, and nothing is cached."""
    return paper_environment(url) | {"GOLDPAN_CACHE": "off", "CROSSREF_MAILTO": "me@example.org"}


def question(number: int) -> str:
    """Write a question that no other search has."""
    return f"{METHODS[number // len(TOPICS) % len(METHODS)]} for {TOPICS[number % len(TOPICS)]} task {1000 + number}"


@dataclass(frozen=True)
class Timed:
    """A search: its seconds, those of the processor, and its answer."""

    seconds: float
    cpu: float
    answer: Answer

    @property
    def scouting(self) -> float:
        """The seconds until all sources had answered, and their records were read."""
        return self.answer.execution_time_ms.scout / 1000


def search(runtime: Runtime, number: int, sources: Sequence[str] = SOURCES) -> Timed:
    """Search once."""
    request = parse_request({"query": question(number), "kinds": ["papers"], "sources": list(sources)})
    start, cpu = time.perf_counter(), time.process_time()
    answer = get_or_search(request, runtime)
    return Timed(time.perf_counter() - start, time.process_time() - cpu, answer)


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
        time.sleep(chance.lognormvariate(math.log(MODEL_MEDIAN), SIGMA))
        asked = json.loads(body["messages"][1]["content"])
        rows = [{"id": each["id"], "relevance": 0.7, "reasoning": "It fits."} for each in asked.get("papers", ())]
        return json.dumps({"results": rows})

    with LoopbackLLM(reply) as llm:
        model = {"LLM_API_KEY": "good-key", "LLM_BASE_URL": llm.base_url, "LLM_MODEL": "deepseek-flash"}
        with open_runtime(environment | model) as runtime:
            return [search(runtime, 500 + number) for number in range(searches)]


def main(searches: int = 20, rounds: int = 5, seed: int = 1) -> int:
    """Measure, print, and check the limits."""
    lift(RATE_LIMITS)
    with Child("papers_latency", "serve") as upstream:
        environment = settings(upstream.first)
        paths = measure_sources(environment, rounds)
        answered = measure_model(environment, searches, seed)
    wall = {name: median(one.seconds for one in found) for name, found in paths.items()}
    cpu = {name: median(one.cpu for one in found) for name, found in paths.items()}
    scouting = {name: median(one.scouting for one in found) for name, found in paths.items()}
    slowest = max(SOURCES, key=scouting.__getitem__)
    path = wall[ALL] - scouting[ALL] + scouting[slowest]
    seconds = sorted(one.seconds for one in answered)
    problems = [
        f"{row.source}: {row.status} {row.detail}"
        for one in (*answered, *(each for found in paths.values() for each in found))
        for row in one.answer.sources
        if row.status not in {"ok", "truncated"}
    ]
    figures = {
        "all_over_slowest_path": wall[ALL] / path,
        "share_within_20_s": sum(taken <= SECONDS for taken in seconds) / len(seconds),
        "median_seconds_with_model": median(seconds),
        "slowest_seconds_with_model": seconds[-1],
    }
    limits = [
        Limit("all six sources relative to the slowest path", figures["all_over_slowest_path"], TIMES_THE_PATH),
        Limit(
            "share of the searches with a model in time", figures["share_within_20_s"], SHARE_IN_TIME, is_minimum=True
        ),
        Limit("seconds of the slowest search with a model", seconds[-1], MAX_SECONDS),
        Limit("searches in which a source failed", len(problems), 0),
    ]
    rows = [[name, wall[name], scouting[name], cpu[name]] for name in wall]
    text = table(["sources", "seconds", "until read", "of the processor"], rows)
    return report("\n".join([text, *dict.fromkeys(problems)]), figures, limits)


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        run_main(main, needs_data=True)
