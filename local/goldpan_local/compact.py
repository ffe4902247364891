"""An answer with one line a result, for a list that is longer than the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from goldpan.contracts import Answer
from goldpan.kinds.repositories.models import RankedRepository
from rich.cells import cell_len
from rich.console import RenderableType
from rich.style import Style
from rich.text import Text

from goldpan_local.escaping import plain, web_address
from goldpan_local.formatting import footer, short_count, source_lines
from goldpan_local.table import labelled, question_lines, render

FACTS_WIDTH = 32
"""What rank, stars, relevance and language take, so that a name never pushes them off the line."""
LANGUAGE_WIDTH = 12
WHOLE_TABLE = "--no-compact shows scores and reasons"


def render_compact(answer: Answer, *, automatic: bool = False) -> str:
    """Render the answer in few lines; `automatic` names the option that shows the whole table."""
    return render(lambda width: [*_lines(answer, width), *_notes(answer, automatic=automatic)])


def _lines(answer: Answer, width: int) -> Iterator[RenderableType]:
    yield from question_lines(answer)
    results = [result for section in answer.sections.values() for result in section.results]
    if not results:
        yield "Nothing found. Fewer or other words may find more."
        return
    longest = max(cell_len(plain(item.repo)) for item in results)
    for rank, item in enumerate(results, start=1):
        yield _line(rank, item, width, min(longest, width - FACTS_WIDTH))
    yield Text()


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
            yield labelled(row.source, f"{row.status.replace('_', ' ')}: {row.text}", "red")
    for warning in answer.warnings:
        yield labelled("!", plain(warning), "yellow")
    for error in answer.errors:
        yield labelled("!", f"{plain(error.stage)}: {plain(error.error)}", "red")
    yield Text(f"{footer(answer)}{f'; {WHOLE_TABLE}' if automatic else ''}", "dim")
