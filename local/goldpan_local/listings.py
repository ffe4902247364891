"""The results alone, for spreadsheets and for other commands: CSV, or one web address a line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from goldpan.kinds.repositories.models import RankedRepository

from goldpan_local.escaping import plain, web_address

COLUMNS = (
    *("rank", "repo", "url", "stars", "language", "license", "pushed_at", "relevance", "overall"),
    *("description", "reasoning", "caveats"),
)
FORMULA_STARTS = ("=", "+", "-", "@")
"""A spreadsheet runs a cell that begins so; an apostrophe before it makes the cell a text."""


def render_csv(results: Iterable[RankedRepository]) -> str:
    """Render a heading and a line a result; an unknown fact is an empty cell."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(COLUMNS)
    lines.writerows(_cells(rank, item) for rank, item in enumerate(results, start=1))
    return text.getvalue()


def render_urls(results: Iterable[RankedRepository]) -> str:
    """Render the web address of each result that has one."""
    return "".join(f"{address}\n" for item in results if (address := web_address(item.url)))


def _cells(rank: int, item: RankedRepository) -> tuple[object, ...]:
    pushed = f"{item.pushed_at:%Y-%m-%d}" if item.pushed_at else ""
    texts = (item.repo, web_address(item.url), item.language, item.license, item.description, item.reasoning)
    repo, url, language, spdx, description, reasoning = (_text(text) for text in texts)
    return (
        *(rank, repo, url, item.stars, language, spdx, pushed, f"{item.relevance:.2f}", item.scores.overall),
        *(description, reasoning, _text("; ".join(item.caveats))),
    )


def _text(text: str | None) -> str:
    safe = plain(text)
    return f"'{safe}" if safe.startswith(FORMULA_STARTS) else safe
