"""No value of another form costs the record that holds it: the schemas of the sources promise little."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from goldpan.kinds.papers.models import Paper
from goldpan.kinds.papers.sources import crossref, openalex, semantic_scholar
from goldpan.kinds.papers.sources.europe_pmc import read_record
from goldpan.kinds.papers.sources.records import Record
from goldpan.kinds.papers.sources.serpapi import read_result

from tests.support.paper_shapes import (
    Facts,
    crossref_work,
    europe_pmc_result,
    openalex_work,
    semantic_scholar_paper,
    serpapi_result,
)

FACTS: Facts = {
    "title": "A title",
    "authors": ["Ada Lovelace"],
    "year": 2021,
    "venue": "Nature",
    "abstract": "About it.",
    "doi": "10.1000/1",
    "pmid": "1",
    "arxiv": "2104.12255",
    "citations": 1,
}
READERS: dict[str, tuple[dict[str, Any], Callable[[Record], Paper | None]]] = {
    "europe_pmc": (europe_pmc_result(FACTS), read_record),
    "serpapi": (serpapi_result(FACTS, 0), read_result),
    "openalex": (openalex_work(FACTS), openalex.read_work),
    "crossref": (crossref_work(FACTS), crossref.read_work),
    "semantic_scholar": (semantic_scholar_paper(FACTS), semantic_scholar.read_paper),
}
TITLES = {"title", "display_name"}
TEXTS = ("", "x" * 100_000, "\x00\u202e<b>", "https://[")
ODD: tuple[Any, ...] = (*TEXTS, None, True, -1, 2**70, 1.5, [], [None], {}, [[{}]], {"a": None})


def places(value: object, *path: str | int) -> Iterator[tuple[str | int, ...]]:
    """Yield the path to each value below this one."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield (*path, key)
        yield from places(child, *path, key)


@pytest.mark.parametrize("source", READERS)
def test_an_odd_value_is_an_unknown_fact(source: str) -> None:
    """In every place of a record, at any depth; only the title is needed."""
    record, read = READERS[source]
    for path in places(record):
        for odd in ODD:
            changed = copy.deepcopy(record)
            inner: Any = changed
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = odd
            paper = read(changed)
            assert path[0] in TITLES or (paper and paper.title == "A title"), (path, odd)
            assert paper is None or len(paper.model_dump_json()) < 10_000
