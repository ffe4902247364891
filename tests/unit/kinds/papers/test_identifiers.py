"""Identifiers of papers: every spelling of one identifier has one normal form, and other texts have none."""

from __future__ import annotations

import pytest
from goldpan.kinds.papers.identifiers import (
    arxiv_of_doi,
    arxiv_version,
    find_identifiers,
    normalise_arxiv,
    normalise_doi,
    normalise_openalex,
    normalise_pmcid,
    normalise_pmid,
    normalise_semantic_scholar,
    normalise_url,
)


@pytest.mark.parametrize(
    "written",
    [
        "10.1016/S0140-6736(20)30183-5",
        "https://doi.org/10.1016/s0140-6736(20)30183-5",
        "http://dx.doi.org/10.1016%2FS0140-6736%2820%2930183-5",
        "doi: 10.1016/S0140-6736(20)30183-5.",
        " DOI:10.1016/S0140-6736(20)30183-5, ",
    ],
)
def test_a_doi_has_one_form_in_every_spelling(written: str) -> None:
    """Case, resolver, escapes and the punctuation around it do not count; its own brackets do."""
    assert normalise_doi(written) == "10.1016/s0140-6736(20)30183-5"


@pytest.mark.parametrize("written", ["", "10.1000", "n/a", "https://example.org/10", None, 7, "10.1/x y"])
def test_what_is_no_doi_has_no_form(written: object) -> None:
    """Else two records without a DOI would share one."""
    assert normalise_doi(written) is None


@pytest.mark.parametrize(
    ("written", "form", "version"),
    [
        ("2104.12255v1", "2104.12255", 1),
        ("arXiv:2104.12255", "2104.12255", None),
        ("https://arxiv.org/pdf/2104.12255v12.pdf", "2104.12255", 12),
        ("http://export.arxiv.org/abs/0808.0539", "0808.0539", None),
        ("solv-int/9701001v1", "solv-int/9701001", 1),
        ("hep-th/9901001", "hep-th/9901001", None),
        ("math.GT/0309136v2", "math/0309136", 2),
        ("https://arxiv.org/abs/quant-ph/0201082v1", "quant-ph/0201082", 1),
    ],
)
def test_an_arxiv_id_has_one_form_in_both_styles(written: str, form: str, version: int | None) -> None:
    """The version is no part of it, and a "v" in the name of an archive is no version."""
    assert (normalise_arxiv(written), arxiv_version(written)) == (form, version)


def test_arxivs_own_doi_names_the_paper_at_arxiv() -> None:
    """A DOI of a publisher does not."""
    assert arxiv_of_doi("10.48550/arxiv.2104.12255") == "2104.12255"
    assert arxiv_of_doi("10.1000/arxiv.2104.12255") is None


def test_the_other_systems_have_forms_of_their_own() -> None:
    """A number of one system is not taken for that of another."""
    assert normalise_pmid("https://pubmed.ncbi.nlm.nih.gov/0123456/") == normalise_pmid(123456) == "123456"
    assert normalise_pmcid("https://pmc.ncbi.nlm.nih.gov/articles/pmc7096066/") == "PMC7096066"
    assert normalise_openalex("https://openalex.org/W2741809807") == normalise_openalex("w2741809807") == "W2741809807"
    sha = "649def34f8be52c8b66281af98ae884c09aef38b"
    assert normalise_semantic_scholar(f"https://www.semanticscholar.org/paper/{sha.upper()}") == sha
    assert [normalise_pmcid("7096066"), normalise_openalex("2741809807"), normalise_semantic_scholar("123")] == [
        None
    ] * 3
    assert normalise_url("https://www.Example.org/a/#b") == normalise_url("http://example.org/a") == "example.org/a"
    assert normalise_url("https://example.org/") is None


def test_identifiers_are_found_in_text() -> None:
    """In prose, in links and in BibTeX, without what follows them."""
    text = (
        "See [our paper](https://arxiv.org/abs/2005.11401v4), arXiv:hep-th/9901001. "
        "doi = {10.1145/3292500.3330701}, (https://doi.org/10.48550/arXiv.1706.03762) version 10.4 / 2020.12345"
    )
    assert list(find_identifiers(text)) == [
        ("arxiv", "2005.11401"),
        ("arxiv", "hep-th/9901001"),
        ("doi", "10.1145/3292500.3330701"),
        ("arxiv", "1706.03762"),
    ]
