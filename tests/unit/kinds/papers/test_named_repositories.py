"""What a paper is called, and the repositories that it names."""

from __future__ import annotations

from goldpan.kinds.papers.models import MergedPaper, Paper, PaperIds
from goldpan.kinds.papers.named_repositories import named_paper


def test_a_paper_has_all_its_identities_and_names_repositories() -> None:
    """A README may name the preprint where the result is the publication."""
    paper = Paper(
        source="openalex",
        title="A tool",
        abstract="Code is at https://github.com/Owner/Tool.",
        url="https://github.com/owner/tool",
        ids=PaperIds(doi="10.1/x"),
    )
    found = named_paper(MergedPaper(id="doi:10.1/x", paper=paper, ids=(PaperIds(arxiv="2101.00001"),)))
    assert (found.id, found.identities) == ("doi:10.1/x", ("doi:10.1/x", "arxiv:2101.00001"))
    assert found.mentions == {"github:owner/tool": "its abstract names github.com/Owner/Tool"}
