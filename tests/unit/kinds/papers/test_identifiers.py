"""Identifiers of papers: every spelling of one identifier has one normal form, and other texts have none."""

from __future__ import annotations

from goldpan.kinds.papers.identifiers import (
    normalise_openalex,
    normalise_pmcid,
    normalise_pmid,
    normalise_semantic_scholar,
    normalise_url,
)


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
