"""Measures whole searches for papers by rules, at sources that serve judged collections by their documented rules.

Each question of scifact, cranfield, cacm and cisi is asked as typed, with all keys, also of each source `--alone`;
nDCG@10 is of what is shown, the weaker last. The stages have deadlines with `--deadlines` only. Needs ../shared.
"""

import sys
from collections.abc import Sequence
from statistics import fmean
from typing import Any, NamedTuple

import pytest
from goldpan.contracts import parse_request
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Runtime
from goldpan.engine.search import get_or_search
from goldpan.errors import GoldpanError
from goldpan.kinds.papers.sources.connector import CONNECTOR
from goldpan.local.bootstrap import open_runtime

from tests.benchmarks.frame import Limit, lift, ndcg, read_collection, report, run_main, table
from tests.benchmarks.papers_judged import JudgedPapers, title_of
from tests.benchmarks.papers_latency import settings
from tests.support.paper_sources import SOURCES

FLOORS = {"scifact": 0.60, "cranfield": 0.44, "cacm": 0.36, "cisi": 0.33}
SHOWN, MOST_CALLS = 25, 12


class Found(NamedTuple):
    """One question: the nDCG@10 of what it was shown, whether that was nothing, and its calls."""

    ndcg: float
    is_empty: bool
    calls: int


def ask(runtime: Runtime, question: str, sources: Sequence[str]) -> list[str]:
    """Return the titles above the line and then those below it, none of a search without an answer."""
    request = {"query": question, "kinds": ["papers"], "max_results": SHOWN, "sources": list(sources)}
    try:
        section: Any = get_or_search(parse_request(request), runtime).sections["papers"]
    except GoldpanError as error:
        print(f"{question[:60]}: {error}", file=sys.stderr)
        return []
    return [paper.title for paper in (*section.results, *section.weaker)]


def measure(name: str, every: int, *, alone: bool) -> dict[str, list[Found]]:
    """Ask the questions of a collection at all sources, and at each alone; and rank all documents by BM25."""
    documents, questions = read_collection(name, every)
    titles = {row["id"]: title_of(row) for row in documents}
    paths = {"all": SOURCES} | ({each: (each,) for each in SOURCES} if alone else {})
    found = {path: list[Found]() for path in ("BM25", *paths)}
    with JudgedPapers(documents) as server, open_runtime(settings(server.url)) as runtime:
        for question in questions:
            judged = {titles[each]: grade for each, grade in question["relevant"].items()}
            first = [server.facts[place]["title"] for place in server.texts.order(question["query"])]
            found["BM25"].append(Found(ndcg(first, judged), not first, 0))
            for path, sources in paths.items():
                server.requests.clear()
                shown = ask(runtime, question["query"], sources)
                found[path].append(Found(ndcg(shown, judged), not shown, len(server.requests)))
    return found


def main(every: int = 1, only: list[str] | None = None, *, alone: bool = False, deadlines: bool = False) -> int:
    """Measure, print, and check the floors."""
    lift(CONNECTOR.rate_limits)
    with pytest.MonkeyPatch.context() as patch:
        if not deadlines:
            patch.setattr(Deadline, "left", property(lambda _: 900.0))
        found = {name: measure(name, every, alone=alone) for name in only or FLOORS}
    rows = list[list[object]]()
    for name, path, asked in ((name, *each) for name, paths in found.items() for each in paths.items()):
        figures, empty, calls = zip(*asked, strict=True)
        rows.append([name, path, fmean(figures), sum(empty), fmean(calls), max(calls)])
    head = ["collection", "sources", "nDCG@10", "empty", "calls", "most"]
    everywhere = {name: paths["all"] for name, paths in found.items()}
    searches = [each for asked in everywhere.values() for each in asked]
    limits = [
        *(
            Limit(f"nDCG@10 of {name}", fmean(each.ndcg for each in asked), least=FLOORS[name])
            for name, asked in everywhere.items()
        ),
        Limit("answers without a paper", sum(each.is_empty for each in searches), 0),
        Limit("calls of a search", max(each.calls for each in searches), MOST_CALLS),
    ]
    return report(table(head, rows), limits)


if __name__ == "__main__":
    run_main(main)
