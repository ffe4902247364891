"""Papers as BibTeX, read again by a parser, as CSL-JSON and as RIS."""

import json
import re
from typing import Any

import bibtexparser
import pytest
from goldpan.kinds.papers.exports import render_bibtex, render_csl_json, render_ris

from tests.support.fixed_papers import FULL, LEAST, section

HOSTILE = '} , url = {x}}\n@article{evil, \\input{/etc/passwd} 50% & #1 $x_1^2$ ~ "q" \x1b[31mred\u202e'

PUBLISHED: dict[str, Any] = {
    **FULL, "volume": "12", "issue": "3", "pages": "12-34", "publisher": "ACM", "isbn": "9780262033848",
    "issn": "1234-5678", "language": "en", "license": "CC-BY", "editors": ["Hopper, Grace M.", "And, Ada"],
    "notices": ["Correction -- 10.1/x", "Corrigendum"],
}  # fmt: skip
RIS = """TY  - CPAPER|ID  - Lovelace2021Attention
AU  - Lovelace, Ada|AU  - Hopper, Grace M.|AU  - World Health Organization|AU  - 王小明
A2  - Hopper, Grace M.|A2  - And, Ada
TI  - Attention is not all you need: 50% of {it} & more|T2  - Advances in Neural Information Processing Systems
PB  - ACM|PY  - 2021|VL  - 12|IS  - 3|SP  - 12|EP  - 34|SN  - 9780262033848|SN  - 1234-5678|LA  - en
DO  - 10.1000/attention|UR  - https://example.org/attention|L1  - https://example.org/a.pdf|AB  - We study attention.
N1  - PMID: 123|N1  - arXiv:2103.03404|N1  - License: CC-BY|N1  - Correction -- 10.1/x|N1  - Corrigendum|ER  - ||"""

CSL_TYPES = {"article", "article-journal", "paper-conference", "book", "chapter", "thesis", "dataset", "document"}


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
    full, least = entries({**PUBLISHED, "title": "BERT & friends of GPT-3"}, LEAST)
    assert full == {
        "key": "Lovelace2021BERT", "entry": "inproceedings",
        "author": "Lovelace, Ada and Hopper, Grace M. and {World Health Organization} and {王小明}",
        "title": "{BERT} \\& friends of {GPT-3}",
        "booktitle": "Advances in Neural Information Processing Systems", "year": "2021",
        "doi": "10.1000/attention", "eprint": "2103.03404", "archivePrefix": "arXiv",
        "url": "https://example.org/attention", "pmid": "123", "abstract": "We study attention.",
        "editor": "Hopper, Grace M. and {And}, Ada", "publisher": "ACM", "volume": "12", "number": "3",
        "pages": "12--34", "isbn": "9780262033848", "issn": "1234-5678", "language": "en", "copyright": "CC-BY",
        "note": "Correction -{}- 10.1/x; Corrigendum",
    }  # fmt: skip
    assert {name: text for name, text in least.items() if name != "key"} == {"entry": "misc", "title": "Внимание"}


def test_authors_that_are_cut_off_are_not_all() -> None:
    """A reader of the bibliography would take the last name for the last author."""
    cut = {**PUBLISHED, "authors": ("A. Lovelace", "et al.")}
    assert entries(cut)[0]["author"].endswith(" and others")
    papers = section(cut).results
    for text in (render_ris(papers), render_csl_json(papers)):
        assert "There may be further authors." in text
        assert "et al." not in text


@pytest.mark.parametrize(
    ("paper_type", "entry_type", "field"),
    [
        ("article", "article", "journal"), ("review", "article", "journal"), ("preprint", "misc", "howpublished"),
        ("chapter", "incollection", "booktitle"), ("thesis", "phdthesis", "school"), ("book", "book", "publisher"),
        ("dataset", "misc", "howpublished"), (None, "article", "journal"), ("other", "misc", "howpublished"),
        ("conference", "inproceedings", "booktitle"),
    ],
)  # fmt: skip
def test_the_entry_type_follows_the_paper(paper_type: str | None, entry_type: str, field: str) -> None:
    """One of unknown type with a venue is an article; a book has its series beside its publisher; CSL has all types."""
    [entry] = entries({**FULL, "type": paper_type, "venue": "V"})
    assert (entry["entry"], entry.get(field)) == (entry_type, "V")
    [entry] = entries({**FULL, "type": paper_type, "venue": "V", "publisher": "P"})
    assert (entry.get("series") == "V") == (paper_type in {"book", "thesis"})
    [item] = json.loads(render_csl_json(section({**FULL, "type": paper_type}).results))
    assert item["type"] in CSL_TYPES


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
    long = {**FULL, "title": f"The {'x' * 50}"}
    papers = [FULL, twin, accented, LEAST, {**LEAST, "id": "title:y"}, long]
    assert len({entry["key"] for entry in entries(*papers, twin, twin)}) == 8
    keys = [entry["key"] for entry in entries(*papers)]
    assert (len(set(keys)), keys[5]) == (6, f"Lovelace2021X{'x' * 29}")
    assert keys[2] == "Orsted2021Uber"
    assert all(re.fullmatch(r"[A-Za-z0-9-]+", key) for key in keys)
    assert [entry["key"] for entry in entries(*reversed(papers))] == keys[::-1]


def test_an_item_has_every_fact_that_is_known() -> None:
    """Organisations and names in scripts without capitals are literal."""
    [item] = json.loads(render_csl_json(section(PUBLISHED).results))
    assert item == {
        "id": "Lovelace2021Attention", "type": "paper-conference", "title": FULL["title"],
        "author": [
            {"family": "Lovelace", "given": "Ada"}, {"family": "Hopper", "given": "Grace M."},
            {"literal": "World Health Organization"}, {"literal": "王小明"},
        ],
        "issued": {"date-parts": [[2021]]}, "container-title": "Advances in Neural Information Processing Systems",
        "DOI": "10.1000/attention", "PMID": "123", "URL": "https://example.org/attention",
        "note": "arXiv:2103.03404\nLicense: CC-BY\nCorrection -- 10.1/x\nCorrigendum",
        "abstract": "We study attention.",
        "editor": [{"family": "Hopper", "given": "Grace M."}, {"family": "And", "given": "Ada"}], "publisher": "ACM",
        "volume": "12", "issue": "3", "page": "12-34", "ISBN": "9780262033848", "ISSN": "1234-5678", "language": "en",
    }  # fmt: skip
    assert render_csl_json([]) == "[]\n"
    assert render_ris(section(PUBLISHED).results) == RIS.replace("\n", "|").replace("|", "\r\n")
    hostile = section({**PUBLISHED, "title": "A\r\nER  - \r\nTY  - \x1b\u202e\ue000"}).results
    assert render_ris(hostile).count("\r\n") == RIS.count("|") + RIS.count("\n")
    assert render_csl_json(hostile).replace("\n", "").isprintable()
    # styles print the number of a preprint and no note
    preprint = {**LEAST, "type": "preprint", "venue": "arXiv", "ids": {"arxiv": "2103.03404"}}
    [item] = json.loads(render_csl_json(section(preprint).results))
    assert (item["type"], item["number"], "note" in item) == ("article", "arXiv:2103.03404", False)
