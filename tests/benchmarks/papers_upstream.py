"""The six sources of papers of a benchmark, in a process of their own: each request takes the same time."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from tests.benchmarks.data import PAPERS, read_rows
from tests.support.paper_shapes import Facts
from tests.support.paper_sources import LoopbackPapers

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


def main() -> None:
    """Serve until the input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.3)
    with SteadyPapers(read_papers(), parser.parse_args().latency) as server:
        print(server.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
