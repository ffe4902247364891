"""Measures the answers through a GitHub on a loopback port, with and without the strategy `known`, by rules alone.

That GitHub searches as documented, for all words, in its own texts of the data, without those of lists; what goldpan
ships is searched beside it, and no rule drops a repository. Needs ../shared.
"""

from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from itertools import product
from statistics import fmean
from typing import Any

from goldpan.engine.dependencies import Dependencies
from goldpan.infra.encoder.table import shipped_table
from goldpan.infra.http_client import HttpClient
from goldpan.kinds.repositories.sources.catalogue.build import records_from_lines
from goldpan.kinds.repositories.sources.catalogue.reader import open_sample
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from goldpan.kinds.repositories.sources.github.source import open_github

from tests.benchmarks.frame import Limit, floors, report_runs, run_main
from tests.benchmarks.quality_runs import OBSERVED, REPOSITORIES, ask, read_questions, score
from tests.benchmarks.upstream import TOKEN, facts
from tests.support.factories import StillClock
from tests.support.loopback import LoopbackGitHub
from tests.support.memory_stores import memory_connections

SOURCES = {"known": ("github", "catalogue"), "GitHub alone": ("github",)}
FLOORS = {"natural, known": 0.28, "titles, known": 0.32}
MAX_EMPTY = 0.02


def run(sort: str, shape: str, every: int) -> dict[str, Any]:
    """Answer the questions, and score the answers."""
    questions, results, requests = read_questions(sort, every), dict[str, list[str]](), list[int]()
    clock, encoder = StillClock(OBSERVED), shipped_table()
    records = (record.model_copy(update={"list_description": None}) for record in records_from_lines(REPOSITORIES))
    served = LoopbackGitHub(map(facts, records), graphql_calls_an_hour=10**9)
    with served as server, closing(HttpClient()) as http, closing(open_sample(encoder)) as catalogue:
        settings = GitHubSettings.from_environment({"GITHUB_API_URL": server.url, "GITHUB_TOKEN": TOKEN})
        github = open_github(settings, memory_connections(http, clock, {}))
        dependencies = Dependencies(clock, {"github": github, "catalogue": catalogue}, encoder=encoder)
        for question in questions:
            server.requests.clear()
            results[question["qid"]] = ask(question["query"], dependencies, SOURCES[shape])
            requests.append(len(server.requests))
    return {**score(results, questions), "requests a question": fmean(requests), "most requests": max(requests)}


def limits(figures: Mapping[str, Mapping[str, Any]]) -> list[Limit]:
    """List the floors of what was measured."""
    empty = [Limit(f"empty answers: {name}", figures[name]["share of empty answers"], MAX_EMPTY) for name in FLOORS]
    found = {name: figures[name]["nDCG@10"] for name in FLOORS}
    return [*empty, *floors(found, FLOORS, "nDCG@10: ")]


def main(every: int = 1) -> int:
    """Measure, print, and check the floors."""
    with ProcessPoolExecutor(2) as pool:
        runs = {
            f"{sort}, {shape}": pool.submit(run, sort, shape, every)
            for sort, shape in product(("natural", "titles"), SOURCES)
        }
        figures = {name: made.result() for name, made in runs.items()}
    return report_runs(figures, limits(figures) if every == 1 else [])


if __name__ == "__main__":
    run_main(main)
