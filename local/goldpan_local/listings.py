"""The results alone, for spreadsheets and for other commands: CSV, or one web address a line."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from goldpan.contracts import Answer
from goldpan.escaping import csv_text, web_address
from goldpan.kinds.repositories.models import RankedRepository

COLUMNS = (
    *("rank", "repo", "url", "stars", "language", "license", "pushed_at", "relevance", "overall"),
    *("description", "reasoning", "caveats"),
)


def render_csv(answer: Answer) -> str:
    """Render a heading and a line a result; an unknown fact is an empty cell.

    An answer of several kinds has the columns of all of them, behind one that names the kind.
    """
    rows = [(kind, row) for kind, section in answer.sections.items() for row in _rows(kind, section.results)]
    columns = dict.fromkeys(name for kind in answer.sections for name in _columns(kind))
    text = io.StringIO()
    lines = csv.DictWriter(text, ["kind"] * (len(answer.sections) > 1) + [*columns], "", "ignore", lineterminator="\n")
    lines.writeheader()
    lines.writerows({"kind": kind, **row} for kind, row in rows)
    return text.getvalue()


def render_urls(answer: Answer) -> str:
    """Render the web address of each result that has one."""
    found = [(kind, item) for kind, section in answer.sections.items() for item in section.results]
    return "".join(f"{address}\n" for kind, item in found if (address := result_address(kind, item)))


def result_address(kind: str, item: Any) -> str | None:
    """Return the web address of a result of a kind."""
    if kind == "papers":
        from goldpan.kinds.papers.facts import main_address  # noqa: PLC0415 - for papers only

        return main_address(item)
    return web_address(item.url)


def _columns(kind: str) -> tuple[str, ...]:
    if kind == "papers":
        from goldpan_local.papers.csv_rows import COLUMNS as PAPER_COLUMNS  # noqa: PLC0415 - for papers only

        return PAPER_COLUMNS
    return COLUMNS


def _rows(kind: str, results: Iterable[Any]) -> Iterator[dict[str, object]]:
    """Make the cells of each result by its columns."""
    cells: Callable[[int, Any], tuple[object, ...]] = _cells
    if kind == "papers":
        from goldpan_local.papers.csv_rows import paper_cells  # noqa: PLC0415 - for papers only

        cells = paper_cells
    for rank, item in enumerate(results, start=1):
        yield dict(zip(_columns(kind), cells(rank, item), strict=True))


def _cells(rank: int, item: RankedRepository) -> tuple[object, ...]:
    pushed = f"{item.pushed_at:%Y-%m-%d}" if item.pushed_at else ""
    texts = (item.repo, web_address(item.url), item.language, item.license, item.description, item.reasoning)
    repo, url, language, spdx, description, reasoning = (csv_text(text) for text in texts)
    return (
        *(rank, repo, url, item.stars, language, spdx, pushed, f"{item.relevance:.2f}", item.scores.overall),
        *(description, reasoning, csv_text("; ".join(item.caveats))),
    )
