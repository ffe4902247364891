"""A comparison as a table for the terminal: a column a repository, a row a fact."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from goldpan.contracts import Answer
from goldpan.escaping import plain, web_address
from goldpan.kinds.repositories.models import RankedRepository
from rich.console import RenderableType
from rich.rule import Rule
from rich.style import Style
from rich.table import Table
from rich.text import Text

from goldpan_local.formatting import read_as, score
from goldpan_local.grid import GAP, colour, labelled, render
from goldpan_local.table import DIMENSIONS, answer_notes

LABEL_WIDTH = 14
Cell = Callable[[RankedRepository], Text]


def render_comparison(answer: Answer) -> str:
    """Render the repositories side by side, the best fit first, then the caveats of each."""
    return render(lambda width: [*_question(answer), *_columns(answer, width), *answer_notes(answer)])


def _question(answer: Answer) -> Iterator[Text]:
    if answer.interpretation:
        yield Text(plain(answer.query), "bold")
        yield Text(plain(read_as(answer)), "dim")
        yield Text()


def _columns(answer: Answer, width: int) -> Iterator[RenderableType]:
    section = answer.sections.get("repositories")
    results: Sequence[RankedRepository] = section.results if section else ()
    if not results:
        yield "None of them was found.\n"
        return
    column = max(8, (width - LABEL_WIDTH) // len(results) - GAP)
    table = Table.grid(padding=(0, GAP, 0, 0))
    table.add_column(width=LABEL_WIDTH, style="dim")
    for _ in results:
        table.add_column(width=column, overflow="fold")
    table.add_row("", *(_name(item, column) for item in results))
    for title, cell in _rows(answer).items():
        table.add_row(title, *map(cell, results))
    yield table
    yield Rule(style="dim")
    for item in results:
        if answer.interpretation:
            yield labelled(plain(item.repo), plain(item.reasoning), "dim")
        for caveat in item.caveats:
            yield labelled("!", f"{plain(item.repo)}: {plain(caveat)}", "yellow")
    yield Text()


def _rows(answer: Answer) -> Mapping[str, Cell]:
    """Return the rows by their titles; without a question no repository has a relevance of its own."""
    fit: dict[str, Cell] = {"relevance": lambda item: Text(f"{item.relevance:.2f}", colour(item.relevance))}
    dimensions = {name.replace("_", " "): _dimension(name) for name in (*DIMENSIONS, "overall")}
    facts: dict[str, Cell] = {
        "stars": lambda item: Text("-" if item.stars is None else f"{item.stars:,}", "yellow"),
        "licence": lambda item: Text(plain(item.license) or "-"),
        "language": lambda item: Text(plain(item.language) or "-", "magenta"),
        "last push": lambda item: Text(f"{item.pushed_at:%Y-%m-%d}" if item.pushed_at else "-"),
        "latest release": _release,
        "caveats": lambda item: Text(str(len(item.caveats)) if item.caveats else "none"),
    }
    return {**(fit if answer.interpretation else {}), **dimensions, **facts}


def _dimension(name: str) -> Cell:
    def cell(item: RankedRepository) -> Text:
        value: float | None = getattr(item.scores, name)
        return Text(score(value), "dim" if value is None else colour(value / 10))

    return cell


def _name(item: RankedRepository, width: int) -> Text:
    """Return the name, in two lines if it is wider than its column."""
    name = plain(item.repo)
    return Text(
        name if len(name) <= width else name.replace("/", "/\n"),
        Style(bold=True, color="cyan", link=web_address(item.url)),
    )


def _release(item: RankedRepository) -> Text:
    release = item.latest_release
    if release is None:
        return Text("-")
    return Text(" ".join(filter(None, (plain(release.name), f"{release.at:%Y-%m-%d}" if release.at else ""))))
