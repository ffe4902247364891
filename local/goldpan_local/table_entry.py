"""One result in the terminal: a row of facts, and below it what it is, how it scores and why it is here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from goldpan.kinds.repositories.models import RankedRepository, Scores
from rich.style import Style
from rich.text import Text

from goldpan_local.bars import bar, block
from goldpan_local.figures import score, short_count
from goldpan_local.page import WARNING, Page
from goldpan_local.untrusted import plain, web_address

INDENT = 4
GAP = "  "
STARS, RELEVANCE, OVERALL = 5, 4, 7
WIDE, MIDDLE = 110, 64
"""From these widths on there is room for longer bars, for the language and the overall score."""
FULL = {"ease_of_use": "ease of use"}
SHORT = {"documentation": "docs", "ease_of_use": "ease"}
DIMENSIONS = ((116, FULL, True), (100, SHORT, True), (86, FULL, False), (0, SHORT, False))
"""From which width on the six dimensions have their full names, and their numbers."""


@dataclass(frozen=True)
class Columns:
    """How wide the columns of the row are; 0 leaves one out."""

    name: int
    language: int
    bar: int

    @classmethod
    def fitting(cls, width: int) -> Columns:
        """Share out a width; a narrow terminal keeps the name, the stars and the relevance."""
        language, drawn = (16, (width - 80) // 2) if width >= WIDE else (10, 6) if width >= MIDDLE else (0, 0)
        taken = INDENT + len(GAP) + STARS + len(GAP) + RELEVANCE
        if language:
            taken += language + drawn + 1 + OVERALL + 2 * len(GAP)
        return cls(max(8, width - taken), language, drawn)


def heading(columns: Columns) -> Text:
    """Name the columns."""
    line = f"{'#':>2}{GAP}{'Repository':<{columns.name}}{GAP}{'Stars':>{STARS}}"
    if not columns.language:
        return Text(f"{line}{GAP}Fit", "bold dim")
    return Text(
        f"{line}{GAP}{'Language':<{columns.language}}{GAP}{'Relevance':<{columns.bar + 1 + RELEVANCE}}{GAP}Overall",
        "bold dim",
    )


def entry(rank: int, item: RankedRepository, columns: Columns, page: Page) -> Iterator[Text]:
    """Draw one result; a name that is longer than its column stays whole, its facts follow below."""
    name, facts = _name(item), _facts(item, columns)
    start = Text.assemble((f"{rank:>2}{GAP}", "dim"), name)
    if name.cell_len > columns.name:
        yield start
        yield Text(" " * (INDENT + columns.name)) + facts
    else:
        yield start + Text(" " * (columns.name - name.cell_len)) + facts
    if item.description:
        yield page.cut(plain(item.description), INDENT)
    yield from page.wrapped(_dimensions(item.scores, page.width), INDENT)
    yield from page.labelled("why", plain(item.reasoning), "dim", INDENT)
    for caveat in item.caveats:
        yield from page.labelled(WARNING, plain(caveat), "yellow", INDENT)


def _name(item: RankedRepository) -> Text:
    return Text.assemble((plain(item.repo), Style(bold=True, color="cyan", link=web_address(item.url))))


def _facts(item: RankedRepository, columns: Columns) -> Text:
    line = Text(GAP).append(f"{short_count(item.stars):>{STARS}}", "yellow").append(GAP)
    if not columns.language:
        return line.append(f"{item.relevance:.2f}", "bold")
    language = Text(plain(item.language) or "-", "magenta")
    language.truncate(columns.language, overflow="ellipsis", pad=True)
    line.append_text(language).append(GAP).append_text(bar(item.relevance, columns.bar))
    line.append(f" {item.relevance:.2f}", "bold").append(GAP)
    return line.append_text(block(item.scores.overall)).append(f" {score(item.scores.overall)}", "bold")


def _dimensions(scores: Scores, width: int) -> Text:
    """Draw the six dimensions, as fully as the width allows."""
    labels, numbers = next((labels, numbers) for least, labels, numbers in DIMENSIONS if width >= least)
    return Text("  ").join(_dimension(name, value, labels, numbers=numbers) for name, value in _six(scores))


def _six(scores: Scores) -> list[tuple[str, float | None]]:
    return [(name, value) for name, value in scores.model_dump().items() if name != "overall"]


def _dimension(name: str, value: float | None, labels: dict[str, str], *, numbers: bool) -> Text:
    drawn = Text.assemble((labels.get(name, name), "dim"), " ", block(value))
    return drawn.append(f" {value:.1f}") if numbers and value is not None else drawn
