"""What the fields of a bibliography say of a paper."""

from typing import Any

import pytest
from goldpan_local.library_files.bibtex_entries import macros_of, parse_bibtex, record_fields


def fields(text: str) -> dict[str, Any]:
    """Return the record of one entry."""
    library = parse_bibtex("x.bib", f"@article{{key, title = {{Cats}}, {text}}}")
    return record_fields(library.entries[0], macros_of(library))


@pytest.mark.parametrize(
    ("written", "doi"),
    [
        (r"10.1000/abc\_1", "10.1000/abc_1"),
        (r"10.1000/abc{\_}1", "10.1000/abc_1"),
        (r"\url{https://doi.org/10.1000/abc_1}", "https://doi.org/10.1000/abc_1"),
        (r"10.1002/(SICI)1097\%3C1::AID\#1", "10.1002/(SICI)1097%3C1::AID#1"),
        ("10.1000/abc_1", "10.1000/abc_1"),
    ],
)
def test_an_identifier_has_no_latex(written: str, doi: str) -> None:
    """Reference managers escape it, and it is that of the same paper."""
    assert fields(f"doi = {{{written}}}")["doi"] == doi


def test_the_volume_of_corr_is_an_arxiv_id() -> None:
    """As DBLP exports it; the volume of a journal is none."""
    known = fields("journal = {CoRR}, volume = {abs/1706.03762}")
    assert (known["arxiv"], known.get("volume"), known["type"]) == ("1706.03762", None, "article")
    assert fields("journal = {Cats}, volume = {17}").get("arxiv") is None


def test_values_of_latex_are_text() -> None:
    """Commands that the decoder does not know, macros in any case, names that stand in braces, and "others"."""
    text = '@string{Jnl = "J. of "}\n@ARTICLE{k, TITLE = {\\textquotedbl{}Cats\\textquotedbl{} {\\textbraceleft}1}, '
    text += (
        "journal = jnl # {Cats} # unknown, author = {{Cats and Dogs Inc.} and Bo Cat and others}, pmcid = {PMC\\_1}}"
    )
    known = record_fields((library := parse_bibtex("x.bib", text)).entries[0], macros_of(library))
    assert (known["title"], known["venue"]) == ('"Cats" {1', "J. of Catsunknown")
    assert (known["authors"], known["pmcid"]) == (["Cats and Dogs Inc.", "Bo Cat"], "PMC_1")
    assert fields("note = {a # b}, journal = {x # y}")["venue"] == "x # y"


def test_a_preprint_is_one_by_its_archive() -> None:
    """An article that gives its arXiv id too is an article, and another archive is none that is known."""
    for written, expected in (
        ("@misc{k, eprint = {1706.03762}, eprinttype = {arXiv}}", ("preprint", "1706.03762")),
        ("@article{k, eprint = {1706.03762}, archivePrefix = {arXiv}}", ("article", "1706.03762")),
        ("@misc{k, eprint = {1706.03762}, eprinttype = {hal}}", (None, None)),
    ):
        known = record_fields(parse_bibtex("x.bib", written).entries[0], {})
        assert (known.get("type"), known.get("arxiv")) == expected


def test_a_field_or_an_entry_that_is_too_large_or_deep_is_refused() -> None:
    """It is named, and so is a fault of the file; parts that are joined count together."""
    long = " # ".join(['"' + "x" * 60_000 + '"'] * 2)
    with pytest.raises(ValueError, match=r"abstract: must have at most 100,000 characters \(given 100,001: 'xxx"):
        fields(f"abstract = {long}")
    with pytest.raises(ValueError, match="key: LaTeX that is nested too deeply"):
        fields("abstract = {" + "{" * 9000 + "}" * 9000 + "}")
