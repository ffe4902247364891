"""An answer for the terminal: the ranked results, where they come from, and what to know about them."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from goldpan.contracts import Answer
from rich.console import Console
from rich.text import Text

from goldpan_local.answer_closing import closing
from goldpan_local.bars import ASCII, UNKNOWN
from goldpan_local.page import WARNING, Page
from goldpan_local.source_lines import source_lines
from goldpan_local.table_entry import Columns, entry, heading
from goldpan_local.untrusted import plain


def render_table(answer: Answer) -> str:
    """Draw the answer for the terminal that stdout is, or in plain text where it is none."""
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    with console.capture() as captured:
        for line in _lines(answer, Page.of(console)):
            console.print(line, soft_wrap=True)
    drawn = captured.get()
    return drawn.translate(ASCII) if console.options.ascii_only else drawn


def _lines(answer: Answer, page: Page) -> Iterator[Text]:
    yield from page.wrapped(Text(plain(answer.query), "bold"))
    yield Text()
    yield from _results(answer, page)
    for row in source_lines(answer.sources):
        text = f"{row.status.replace('_', ' ')}: {row.text}"
        yield from page.labelled(row.source, text, "red" if row.failed else "dim")
    for warning in answer.warnings:
        yield from page.labelled(WARNING, plain(warning), "yellow")
    for error in answer.errors:
        yield from page.labelled(WARNING, f"{plain(error.stage)}: {plain(error.error)}", "red")
    yield from page.wrapped(Text(closing(answer), "dim"))


def _results(answer: Answer, page: Page) -> Iterator[Text]:
    results = [result for section in answer.sections.values() for result in section.results]
    if not results:
        yield Text("Nothing found. Fewer or other words may find more.")
        yield Text()
        return
    columns = Columns.fitting(page.width)
    yield heading(columns)
    for rank, item in enumerate(results, start=1):
        yield from entry(rank, item, columns, page)
        yield Text()
    if any(value is None for item in results for value in item.scores.model_dump().values()):
        yield Text(f"{UNKNOWN} unknown", "dim")
