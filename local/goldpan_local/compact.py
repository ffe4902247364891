"""An answer with one line a result, for a list that is longer than the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from goldpan.contracts import Answer, Section
from goldpan.escaping import plain, web_address
from goldpan.kinds.repositories.models import RankedRepository
from rich.cells import cell_len
from rich.console import RenderableType
from rich.style import Style
from rich.text import Text

from goldpan_local.formatting import error_lines, footer, short_count, source_lines
from goldpan_local.grid import labelled, render
from goldpan_local.table import question_lines

FACTS_WIDTH = 32
"""What rank, stars, relevance and language take, so that a name never pushes them off the line."""
LANGUAGE_WIDTH = 12
WHOLE_TABLE = "--no-compact shows scores and reasons"


def render_compact(answer: Answer, *, automatic: bool = False) -> str:
    """Render the answer in few lines; `automatic` names the option that shows the whole table."""
    return render(lambda width: [*_lines(answer, width), *_notes(answer, automatic=automatic)])


def _lines(answer: Answer, width: int) -> Iterator[RenderableType]:
    yield from question_lines(answer)
    if not any(section.results for section in answer.sections.values()):
        yield "Nothing found. Fewer or other words may find more."
        return
    first = 1
    for kind, section in answer.sections.items():
        if len(answer.sections) > 1:
            yield Text(kind.capitalize(), "bold underline")
        yield from _section(kind, section, width, first)
        first += len(section.results)
        yield Text()


def _section(kind: str, section: Section, width: int, first: int) -> Iterator[Text]:
    if kind == "papers":
        from goldpan_local.papers.compact import paper_line  # noqa: PLC0415 - for papers only

        yield from (paper_line(rank, item, width) for rank, item in enumerate(section.results, start=first))
        return
    longest = max((cell_len(plain(item.repo)) for item in section.results), default=0)
    for rank, item in enumerate(section.results, start=first):
        yield _line(rank, item, width, min(longest, width - FACTS_WIDTH))


def _line(rank: int, item: RankedRepository, width: int, name_width: int) -> Text:
    """Render rank, name, stars, relevance, language and as much of the description as fits."""
    name = Text(plain(item.repo), Style(bold=True, color="cyan", link=web_address(item.url)))
    language = Text(plain(item.language) or "-", "magenta")
    name.truncate(name_width, overflow="ellipsis", pad=True)
    language.truncate(LANGUAGE_WIDTH, overflow="ellipsis", pad=True)
    facts = [Text(f"{rank:>2}", "dim"), name, Text(f"{short_count(item.stars):>5}", "yellow")]
    facts += [Text(f"{item.relevance:.2f}", "bold"), language]
    caveat = Text("! ", "yellow") if item.caveats else Text()
    line = Text("  ").join([*facts, Text.assemble(caveat, plain(item.description))])
    line.truncate(width, overflow="ellipsis")
    return line


def _notes(answer: Answer, *, automatic: bool) -> Iterator[RenderableType]:
    """Render what failed, the warnings and the footer; what went well is left out."""
    for row in source_lines(answer.sources):
        if row.failed:
            yield labelled(row.source, row.said(": "), "red")
    for warning in answer.warnings:
        yield labelled("!", plain(warning), "yellow")
    for line in error_lines(answer):
        yield labelled("!", line, "red")
    yield Text(f"{footer(answer)}{f'; {WHOLE_TABLE}' if automatic else ''}", "dim")
