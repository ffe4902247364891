"""Whole searches for papers on one machine, against sources and a language model on loopback ports."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from goldpan.contracts import parse_request
from goldpan.engine.dependencies import Runtime
from goldpan.engine.search import get_or_search
from goldpan.kinds.answer import Answer
from goldpan.kinds.papers.results import PaperCollection, RankedPaper
from goldpan.local import bootstrap

from tests.integration.conftest import KEY, MODEL
from tests.support.fakes import QuickClock
from tests.support.loopback import LoopbackLLM
from tests.support.paper_sources import LoopbackPapers

QUESTION = "cats in graphs"
AUTHORS = ["Ada Cat", "Bo Katze"]
CODE = "https://github.com/example-org/motion-kit"


def known_paper(number: int, title: str = "", **facts: Any) -> dict[str, Any]:
    """Make a paper about cats in graphs, with a DOI and an abstract."""
    usual = {
        "title": title or f"Cats in graphs, study {number}", "authors": AUTHORS, "year": 2018 + number % 6,
        "venue": "Journal of Cats", "abstract": f"We find cats in graphs of {number} vertices.",
        "doi": f"10.1000/cats.{number}", "pmid": str(1000 + number), "arxiv": f"2101.{number:05}",
        "citations": number,
    }  # fmt: skip
    return {**usual, **facts}


PAPERS = tuple(known_paper(number) for number in range(24))


@contextmanager
def open_search(
    server: LoopbackPapers, llm: LoopbackLLM | None = None, *, key: str | None = "good-paper-key", **environment: str
) -> Iterator[Runtime]:
    """Open the runtime of one machine, without a cache, whose sources of papers are on a loopback server.

    What it waits for the limits of the sources passes at once.
    """
    model = {"LLM_API_KEY": KEY, "LLM_BASE_URL": llm.base_url, "LLM_MODEL": MODEL} if llm else {}
    settings = server.environment(key=key) | {"GOLDPAN_CACHE": "off", "CROSSREF_MAILTO": "me@example.org"}
    environment = settings | model | environment
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap, "WallClock", QuickClock)
        runtime = bootstrap.open_runtime(environment)
    with runtime:
        yield runtime


def ask(runtime: Runtime, question: str = QUESTION, **fields: Any) -> Answer:
    """Search for papers, as the command does."""
    return get_or_search(parse_request({"query": question, "kinds": ["papers"], "max_results": 25, **fields}), runtime)


def section(answer: Answer) -> PaperCollection:
    """Return the papers of an answer."""
    found = answer.sections["papers"]
    assert isinstance(found, PaperCollection)
    return found


def results(answer: Answer) -> tuple[RankedPaper, ...]:
    """Return the ranked papers of an answer."""
    return section(answer).results


def statuses(answer: Answer) -> dict[str, str]:
    """Return the status of each source."""
    return {row.source: row.status for row in answer.sources if row.kind == "papers"}
