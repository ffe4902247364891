"""What a paper is called, and the repositories that it names, for the links between papers and repositories."""

from __future__ import annotations

from goldpan.engine.links import named
from goldpan.engine.stage_values import Named
from goldpan.identities import find_repositories
from goldpan.kinds.papers.models import MergedPaper


def named_paper(merged: MergedPaper) -> Named:
    """Return the identities of a paper, those of its versions too, and the repositories in its texts and addresses."""
    paper = merged.paper
    texts = {
        "abstract": paper.abstract,
        "snippet": paper.snippet,
        "address": paper.url,
        "full text": paper.pdf_url,
        "title": paper.title,
    }
    mentions: dict[str, str] = {}
    for place, text in texts.items():
        for identity, address in find_repositories(text or ""):
            mentions.setdefault(identity, f"its {place} names {address}")
    systems = ("doi", "arxiv")
    every = ((name, getattr(ids, name)) for ids in (paper.ids, *merged.ids) for name in systems)
    identities = dict.fromkeys(f"{name}:{value}" for name, value in every if value)
    return named(merged.id, list(identities), mentions)
