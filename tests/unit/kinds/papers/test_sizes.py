"""How papers are truncated to what a state carries."""

from __future__ import annotations

from goldpan.engine.payload import json_size
from goldpan.kinds.papers.models import Candidate, MergedPaper, Paper, PaperIds, PaperVersion
from goldpan.kinds.papers.sizes import fitted


def test_what_is_left_out_of_a_candidate_first() -> None:
    """The abstract down to 300 bytes, then most identifiers and versions, authors, the rest of the text, addresses."""
    paper = Paper(
        source="test", title="A title", abstract="x" * 2000, snippet="y" * 500, url="https://x.example/1",
        pdf_url="https://x.example/1.pdf", authors=tuple(f"Author {number}" for number in range(9)),
    )  # fmt: skip
    versions = tuple(PaperVersion(doi=f"10.1/{number}") for number in range(9))
    ids = tuple(PaperIds(doi=f"10.1/{number}") for number in range(9))
    full = Candidate(merged=MergedPaper(id="doi:10.1/0", paper=paper, versions=versions, ids=ids), relevance=0.5)
    seen = []
    for most in range(json_size(full), 0, -1):
        if (found := fitted(full, most)) is None:
            break
        merged, kept = found.merged, found.merged.paper
        state = (
            len(kept.abstract or "") >= 300, len(kept.snippet or "") >= 300, len(merged.ids), len(merged.versions),
            len(kept.authors), kept.pdf_url is not None, kept.url is not None,
        )  # fmt: skip
        assert json_size(found) <= most
        seen += [state] if state not in seen else []
    assert seen == [
        (True, True, 9, 9, 9, True, True),
        (True, False, 9, 9, 9, True, True),
        (False, False, 9, 9, 9, True, True),
        (False, False, 3, 3, 9, True, True),
        (False, False, 3, 3, 5, True, True),
        (False, False, 0, 0, 5, True, True),
        (False, False, 0, 0, 5, False, True),
        (False, False, 0, 0, 0, False, False),
    ]
    assert (kept.title, kept.abstract) == ("A title", None)
