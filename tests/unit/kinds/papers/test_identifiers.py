"""Identifiers of papers: every spelling of one has one normal form; the repositories that a paper names."""

from goldpan.kinds.papers.identifiers import NORMALISERS, normalise_url
from goldpan.kinds.papers.models import MergedPaper, PaperIds
from goldpan.kinds.papers.rank import named_paper

from tests.support.paper_fakes import paper


def test_the_other_systems_have_forms_of_their_own() -> None:
    """A number of one system is not taken for that of another."""
    pmid, pmcid, openalex, scholar = (NORMALISERS[name] for name in ("pmid", "pmcid", "openalex", "semantic_scholar"))
    assert normalise_url("https://example.org/?id=1") == "example.org?id=1"
    assert pmid("https://pubmed.ncbi.nlm.nih.gov/0123456/") == pmid(123456) == "123456"
    assert pmcid("https://pmc.ncbi.nlm.nih.gov/articles/pmc7096066/") == "PMC7096066"
    assert openalex("https://openalex.org/W2741809807") == openalex("w2741809807") == "W2741809807"
    sha = "649def34f8be52c8b66281af98ae884c09aef38b"
    assert scholar(f"https://www.semanticscholar.org/paper/{sha.upper()}") == sha
    assert [pmcid("7096066"), openalex("2741809807"), scholar("123"), pmid("000")] == [None] * 4
    assert normalise_url("https://www.Example.org/a/#b") == normalise_url("http://example.org/a") == "example.org/a"
    assert normalise_url("https://example.org/") is None


def test_a_paper_has_all_its_identities_and_names_repositories() -> None:
    """A README may name the preprint where the result is the publication."""
    address, code = "https://github.com/owner/tool", "Code is at https://github.com/Owner/Tool."
    tool = paper("A tool after github.com/owner/older.", abstract=code, url=address, doi="10.1/x")
    found = named_paper(MergedPaper(id="doi:10.1/x", paper=tool, ids=(PaperIds(arxiv="2101.00001"),)))
    assert (found.id, found.identities) == ("doi:10.1/x", ("doi:10.1/x", "arxiv:2101.00001"))
    assert found.mentions == {
        "github:owner/tool": "its abstract names github.com/Owner/Tool",
        "github:owner/older": "its title names github.com/owner/older",
    }
