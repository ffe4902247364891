"""The papers of an answer as paragraphs of Markdown."""

from __future__ import annotations

from goldpan.escaping import escape_markdown
from goldpan.kinds.papers.facts import (
    author_line,
    facet_line,
    found_by_line,
    links,
    main_address,
    unverified_line,
    version_line,
)
from goldpan.kinds.papers.models import Facets, RankedPaper


def paper_paragraphs(item: RankedPaper) -> list[str]:
    """Render a paper; the first paragraph has its title and its facts."""
    title, address = escape_markdown(item.title), main_address(item)
    lines = [f"**{f'[{title}](<{address}>)' if address else title}** - {_facts(item)}"]
    if found := links(item):
        lines.append("Links: " + ", ".join(f"[{name}](<{url}>)" for name, url in found.items()))
    if line := version_line(item.versions):
        lines.append(f"Versions: {escape_markdown(line)}")
    lines.append(f"Why: {escape_markdown(item.reasoning)}")
    if line := found_by_line(item):
        lines.append(f"Found by: {escape_markdown(line)}")
    if line := unverified_line(item):
        lines.append(f"Caveat: {escape_markdown(line)}")
    return lines + [f"Caveat: {escape_markdown(caveat)}" for caveat in item.caveats]


def facets(found: Facets) -> list[str]:
    """Render what the papers have in common, and an empty line; nothing if nothing is known."""
    line = facet_line(found)
    return [f"Facets: {escape_markdown(line)}", ""] if line else []


def _facts(item: RankedPaper) -> str:
    citations = "citations unknown" if item.citations is None else f"{item.citations:,} citations"
    access = "open access" if item.open_access else ""
    facts = (author_line(item.authors), item.venue, str(item.year or ""), item.type, access)
    known = [escape_markdown(fact) for fact in facts if fact]
    return ", ".join([*known, citations, f"relevance {item.relevance:.2f}"])
