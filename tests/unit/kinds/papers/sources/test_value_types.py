"""A value of another type costs its own field: the rest of the record is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from goldpan.kinds.papers.models import Paper
from goldpan.kinds.papers.sources import crossref_works, openalex_works, semantic_scholar

from tests.support.paper_shapes import Facts, crossref_work, openalex_work, semantic_scholar_paper

FACTS = {
    "title": "On cats",
    "authors": ["Ada Cat"],
    "year": 2021,
    "venue": "Journal of Cats",
    "abstract": "All about cats.",
    "doi": "10.1000/cats",
    "arxiv": "2101.00001",
    "pdf_url": "https://example.org/cats.pdf",
    "open_access": True,
}
TITLES = {"display_name", "title"}
ODD: tuple[Any, ...] = (None, True, -1, 10**30, 1.5, "", [], [None], [[None]], [[[]]], {}, {"a": None}, "x" * 100_000)


@pytest.mark.parametrize(
    ("shape", "read"),
    [
        (openalex_work, openalex_works.read_work),
        (crossref_work, crossref_works.read_work),
        (semantic_scholar_paper, semantic_scholar.read_paper),
    ],
)
def test_a_value_of_another_type_costs_its_own_field(
    shape: Callable[[Facts], dict[str, Any]], read: Callable[[Any], Paper | None]
) -> None:
    """Whatever stands in place of a value, or of the members of one, the paper has its title and a bounded size."""
    genuine = shape(FACTS)
    for name in genuine.keys() - TITLES:
        inner = genuine[name] if isinstance(genuine[name], dict) else {}
        for odd in ODD:
            for value in (odd, [odd, odd], *({**inner, key: odd} for key in inner)):
                paper = read({**genuine, name: value})
                assert paper is not None, (name, value)
                assert paper.title == "On cats"
                assert len(paper.model_dump_json()) < 5000
