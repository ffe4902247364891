"""Identifiers of papers: every spelling of one identifier has one normal form, and other texts have none."""

from __future__ import annotations

from goldpan.kinds.papers.identifiers import NORMALISERS, normalise_url


def test_the_other_systems_have_forms_of_their_own() -> None:
    """A number of one system is not taken for that of another."""
    pmid, pmcid, openalex, scholar = (NORMALISERS[name] for name in ("pmid", "pmcid", "openalex", "semantic_scholar"))
    assert pmid("https://pubmed.ncbi.nlm.nih.gov/0123456/") == pmid(123456) == "123456"
    assert pmcid("https://pmc.ncbi.nlm.nih.gov/articles/pmc7096066/") == "PMC7096066"
    assert openalex("https://openalex.org/W2741809807") == openalex("w2741809807") == "W2741809807"
    sha = "649def34f8be52c8b66281af98ae884c09aef38b"
    assert scholar(f"https://www.semanticscholar.org/paper/{sha.upper()}") == sha
    assert [pmcid("7096066"), openalex("2741809807"), scholar("123"), pmid("000")] == [None] * 4
    assert normalise_url("https://www.Example.org/a/#b") == normalise_url("http://example.org/a") == "example.org/a"
    assert normalise_url("https://example.org/") is None
