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
    assert fields("journal = {CoRR}, volume = {abs/1706.03762}")["arxiv"] == "1706.03762"
    assert fields("journal = {Cats}, volume = {17}").get("arxiv") is None
