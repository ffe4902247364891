"""Papers as BibTeX, read again by a parser, and as CSL-JSON."""

import json
import re
from typing import Any

import bibtexparser
import pytest
from goldpan.kinds.papers.exports import render_bibtex, render_csl_json

from tests.support.fixed_papers import FULL, LEAST, section

HOSTILE = '} , url = {x}}\n@article{evil, \\input{/etc/passwd} 50% & #1 $x_1^2$ ~ "q" \x1b[31mred\u202e'


def entries(*papers: dict[str, Any]) -> list[dict[str, str]]:
    """Export papers and parse the text again: key, type and fields of each entry."""
    text = render_bibtex(section(*papers).results)
    library = bibtexparser.parse_string(text)
    assert library.failed_blocks == []
    assert library.comments == []
    return [
        {"key": entry.key, "entry": entry.entry_type, **{field.key: field.value for field in entry.fields}}
        for entry in library.entries
    ]


def test_an_entry_has_every_fact_that_is_known() -> None:
    """Names, a title with its capitals, the venue's field by the type, and the identifiers."""
    full, least = entries({**FULL, "title": "BERT & friends of GPT-3"}, LEAST)
    assert full == {
        "key": "Lovelace2021BERT", "entry": "inproceedings",
        "author": "Lovelace, Ada and Hopper, Grace M. and {World Health Organization} and {王小明}",
        "title": "{BERT} \\& friends of {GPT-3}",
        "booktitle": "Advances in Neural Information Processing Systems", "year": "2021",
        "doi": "10.1000/attention", "eprint": "2103.03404", "archivePrefix": "arXiv",
        "url": "https://example.org/attention", "pmid": "123", "abstract": "We study attention.",
    }  # fmt: skip
    assert {name: text for name, text in least.items() if name != "key"} == {"entry": "misc", "title": "Внимание"}


@pytest.mark.parametrize(
    ("paper_type", "entry_type", "field"),
    [
        ("article", "article", "journal"), ("review", "article", "journal"), ("preprint", "misc", "howpublished"),
        ("chapter", "incollection", "booktitle"), ("thesis", "phdthesis", "school"), ("book", "book", "publisher"),
        ("dataset", "misc", "howpublished"), (None, "article", "journal"),
    ],
)  # fmt: skip
def test_the_entry_type_follows_the_paper(paper_type: str | None, entry_type: str, field: str) -> None:
    """A paper of unknown type with a venue is an article."""
    [entry] = entries({**FULL, "type": paper_type, "venue": "V"})
    assert (entry["entry"], entry.get(field)) == (entry_type, "V")


def test_no_text_adds_a_command_or_an_entry() -> None:
    """Special characters are typeset as written, wherever they stand; addresses keep theirs."""
    ids = {"doi": "10.1000/a_b{}\\%x", "arxiv": HOSTILE}
    changed = {
        "title": HOSTILE, "authors": [HOSTILE, "Gray, and\\x, Jim"], "venue": HOSTILE, "ids": ids, "url": HOSTILE,
    }  # fmt: skip
    [entry] = entries({**FULL, **changed})
    for name in ("title", "author", "booktitle"):
        assert not set(re.findall(r"\\([a-z_]+)", entry[name])) - {
            *("textbackslash", "textbraceleft", "textbraceright", "textasciitilde", "textasciicircum"),
            *("textquotedbl", "_"),
        }  # fmt: skip
        assert not re.search(r"(?<!\\)[%&$#]", entry[name])
    assert "\x1b" not in entry["title"]
    assert entry["doi"] == "10.1000/a_b%7B%7D%5C%x"
    assert "url" not in entry


def test_keys_are_unique_and_do_not_depend_on_the_order() -> None:
    """Papers that share author, year and word have keys that depend on the paper itself."""
    twin = {**FULL, "id": "doi:10.1000/other"}
    accented = {**FULL, "id": "x", "authors": ["José Ørsted"], "title": "Über alles"}
    papers = [FULL, twin, accented, LEAST, {**LEAST, "id": "title:y"}]
    assert len({entry["key"] for entry in entries(*papers, twin, twin)}) == 7
    keys = [entry["key"] for entry in entries(*papers)]
    assert len(set(keys)) == 5
    assert keys[2] == "Orsted2021Uber"
    assert all(re.fullmatch(r"[A-Za-z0-9-]+", key) for key in keys)
    assert [entry["key"] for entry in entries(*reversed(papers))] == keys[::-1]


TYPES = {"article", "article-journal", "paper-conference", "book", "chapter", "thesis", "dataset", "document"}
"""What CSL knows of the types that are written."""


@pytest.mark.parametrize(
    "paper_type", ["article", "preprint", "review", "conference", "book", "chapter", "thesis", "dataset", "other", None]
)
def test_an_item_keeps_the_rules_of_csl(paper_type: str | None) -> None:
    """Every type of paper; no text holds a control character."""
    papers = section({**FULL, "type": paper_type, "title": "a\x1b[31m \u202e<b>"}, {**LEAST, "type": paper_type})
    text = render_csl_json(papers.results)
    assert {item["type"] for item in json.loads(text)} <= TYPES
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
