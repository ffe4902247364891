"""Papers as CSL-JSON."""

from __future__ import annotations

import json

import jsonschema
import pytest
from goldpan.kinds.papers.exports.csl_json import render_csl_json

from tests.support.fixed_papers import FULL, LEAST, section

TEXTS = ("title", "container-title", "publisher", "DOI", "PMID", "PMCID", "URL", "abstract", "number", "note")
TYPES = ["article", "article-journal", "paper-conference", "book", "chapter", "thesis", "dataset", "document"]
ITEMS = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["id", "type"],
        "additionalProperties": False,
        "properties": {
            "id": {"type": "string"},
            "type": {"enum": TYPES},
            "author": {
                "type": "array",
                "items": {
                    "additionalProperties": False,
                    "properties": {part: {"type": "string"} for part in ("family", "given", "suffix", "literal")},
                },
            },
            "issued": {
                "required": ["date-parts"],
                "properties": {
                    "date-parts": {"maxItems": 2, "items": {"minItems": 1, "maxItems": 3, "items": {"type": "number"}}}
                },
            },
            **{name: {"type": "string", "minLength": 1} for name in TEXTS},
        },
    },
}  # fmt: skip
"""What the schema of CSL allows of the fields that are written."""


@pytest.mark.parametrize(
    "paper_type", ["article", "preprint", "review", "conference", "book", "chapter", "thesis", "dataset", "other", None]
)
def test_an_item_keeps_the_rules_of_csl(paper_type: str | None) -> None:
    """Every type of paper; a fact that is not known is no field."""
    papers = section({**FULL, "type": paper_type, "title": "a\x1b[31m \u202e<b>"}, {**LEAST, "type": paper_type})
    text = render_csl_json(papers.results)
    jsonschema.validate(json.loads(text), ITEMS)
    assert text.isprintable() or set(text) - {"\n"} == {sign for sign in text if sign.isprintable()}


def test_an_item_has_every_fact_that_is_known() -> None:
    """Organisations and names in scripts without capitals are literal."""
    [item] = json.loads(render_csl_json(section(FULL).results))
    assert item == {
        "id": "Lovelace2021Attention", "type": "paper-conference", "title": FULL["title"],
        "author": [
            {"family": "Lovelace", "given": "Ada"}, {"family": "Hopper", "given": "Grace M."},
            {"literal": "World Health Organization"}, {"literal": "王小明"},
        ],
        "issued": {"date-parts": [[2021]]}, "container-title": "Advances in Neural Information Processing Systems",
        "DOI": "10.1000/attention", "PMID": "123", "note": "arXiv:2103.03404", "URL": "https://example.org/attention",
        "abstract": "We study attention.",
    }  # fmt: skip
    assert render_csl_json([]) == "[]\n"


def test_a_preprint_has_its_arxiv_id_as_its_number() -> None:
    """Styles print the number of a preprint and no note."""
    preprint = {**LEAST, "type": "preprint", "venue": "arXiv", "ids": {"arxiv": "2103.03404"}}
    [item] = json.loads(render_csl_json(section(preprint).results))
    assert (item["type"], item["number"], "note" in item) == ("article", "arXiv:2103.03404", False)
