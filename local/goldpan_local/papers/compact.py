"""A paper in one line, for a list that is longer than the terminal."""

from __future__ import annotations

from goldpan.escaping import plain
from goldpan.kinds.papers.facts import author_line, main_address
from goldpan.kinds.papers.models import RankedPaper
from rich.style import Style
from rich.text import Text

from goldpan_local.formatting import short_count

FACTS_WIDTH = 25
"""What rank, year, citations and relevance take with the gaps between them."""
TITLE_SHARE = 0.7
"""Of what is left; the authors have the rest."""


def paper_line(rank: int, item: RankedPaper, width: int) -> Text:
    """Render rank, year, citations, relevance, title, and as much of the authors and the venue as fits."""
    title = Text(plain(item.title), Style(bold=True, color="cyan", link=main_address(item)))
    title.truncate(max(10, round((width - FACTS_WIDTH) * TITLE_SHARE)), overflow="ellipsis", pad=True)
    facts = [Text(f"{rank:>2}", "dim"), Text(f"{item.year or '-':>4}", "yellow")]
    facts += [Text(f"{short_count(item.citations):>5}", "magenta"), Text(f"{item.relevance:.2f}", "bold"), title]
    caveat = Text("! ", "yellow") if item.caveats or item.unverified else Text()
    rest = " · ".join(text for text in (author_line(item.authors), plain(item.venue)) if text)
    line = Text("  ").join([*facts, Text.assemble(caveat, rest)])
    line.truncate(width, overflow="ellipsis")
    return line
