"""Identities: every spelling of an identifier has one normal form, and texts are searched for them."""

import pytest
from goldpan.identities import arxiv_of_doi, find_papers, find_repositories, normalise_arxiv, normalise_doi


def test_a_doi_has_one_form_in_every_spelling() -> None:
    """Case, resolver, escapes and the punctuation around it do not count; its own brackets do."""
    written = (
        "10.1016/S0140-6736(20)30183-5", "http://dx.doi.org/10.1016%2FS0140-6736%2820%2930183-5",
        "doi: 10.1016/S0140-6736(20)30183-5.", " DOI:10.1016/S0140-6736(20)30183-5, ",
        "https://doi.org/10.1016/S0140-6736(20)30183-5/",
    )  # fmt: skip
    assert {*map(normalise_doi, written)} == {"10.1016/s0140-6736(20)30183-5"}


def test_a_doi_may_have_angle_brackets_as_those_of_old_articles_do() -> None:
    """Sources write them plainly, as entities and escaped; a tag behind a DOI is none of it."""
    written = ("(1963)020<0130:DNF>2.0.CO;2", "(1963)020&LT;0130:DNF&GT;2.0.CO;2", "(1963)020%3C0130:DNF%3E2.0.CO;2")
    forms = {normalise_doi(f"https://doi.org/10.1175/1520-0469{each}") for each in written}
    assert forms == {"10.1175/1520-0469(1963)020<0130:dnf>2.0.co;2"}
    [(identity, _)] = find_papers(f"see 10.1175/1520-0469{written[0]}.")
    assert identity.removeprefix("doi:") in forms
    assert normalise_doi("10.1175/1520-0469<a:b>") is None


@pytest.mark.parametrize("written", ["", "10.1000", "n/a", "https://example.org/10", None, 7, "10.1/x y"])
def test_what_is_no_doi_has_no_form(written: object) -> None:
    """Else two records without a DOI would share one."""
    assert normalise_doi(written) is None


def test_an_arxiv_id_has_one_form_in_both_styles() -> None:
    """The version is no part of it, and a "v" in the name of an archive is no version."""
    forms = {
        "2104.12255v1": "2104.12255", "arXiv:2104.12255": "2104.12255",
        "https://arxiv.org/pdf/2104.12255v12.pdf": "2104.12255", "HEP-TH/9901001": "hep-th/9901001",
        "solv-int/9701001v1": "solv-int/9701001", "math.GT/0309136v2": "math/0309136",
    }  # fmt: skip
    assert {written: normalise_arxiv(written) for written in forms} == forms


def test_arxivs_own_doi_names_the_paper_at_arxiv() -> None:
    """A DOI of a publisher does not."""
    assert arxiv_of_doi("10.48550/arxiv.2104.12255") == "2104.12255"
    assert arxiv_of_doi("10.1000/arxiv.2104.12255") is None


def test_papers_and_repositories_are_found_in_text() -> None:
    """In prose, links and BibTeX, in any case, without what follows them; GitHub's own pages are no repositories."""
    text = (
        "See [our paper](https://arxiv.org/abs/2005.11401v4), arXiv:hep-th/9901001. "
        "doi = {10.1145/3292500.3330701}, (https://doi.org/10.48550/arXiv.1706.03762) version 10.4 / 2020.12345"
    )
    found = "arxiv:2005.11401 arxiv:hep-th/9901001 doi:10.1145/3292500.3330701 arxiv:1706.03762"
    assert [identity for identity, _ in find_papers(text)] == found.split()
    text = "Code: https://github.com/Example-Org/Some.Repo.git, (www.github.com/a/b/tree/main). github.com/topics/nlp"
    assert [identity for identity, _ in find_repositories(text)] == ["github:example-org/some.repo", "github:a/b"]
