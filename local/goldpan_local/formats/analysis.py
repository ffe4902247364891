"""An analysis as a table for the terminal, and as Markdown; each statement links to the page that shows it."""

from __future__ import annotations

from collections.abc import Iterator

from goldpan.escaping import escape_markdown, plain, web_address
from goldpan.kinds.repositories.analysis.models import Analysis, Statement
from rich.console import RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from goldpan_local.formats.grid import INDENT, bar, labelled, render
from goldpan_local.formats.notes import bullet_list, linked, llm_usage, source_lines
from goldpan_local.formats.values import score

BAR_WIDTH, MAX_SCORE = 20, 10
TITLES = {"fit": "fit to the question"}


def render_analysis(analysis: Analysis) -> str:
    """Render the analysis for the terminal, or in plain text if stdout is none; a terminal links each statement."""
    return render(lambda _width: [*_head(analysis), *_scores(analysis), *_statements(analysis), *_notes(analysis)])


def _head(analysis: Analysis) -> Iterator[RenderableType]:
    address = web_address(analysis.url)
    yield Text(plain(analysis.repo), Style(bold=True, link=address))
    if analysis.description:
        yield Text(plain(analysis.description))
    if analysis.query:
        yield Text(f"for: {plain(analysis.query)}", "dim")
    yield Text()
    for point in analysis.summary:
        yield Text(plain(point.text))
    if analysis.summary:
        yield Text()


def _scores(analysis: Analysis) -> Iterator[RenderableType]:
    table = Table.grid(padding=(0, 2, 0, 0))
    values = analysis.scores.model_dump()
    overall = values.pop("overall")
    for name, value in [*values.items(), ("overall", overall)]:
        table.add_row(_title(name), *_bar(value))
    yield table
    yield Text()


def _bar(value: float | None) -> tuple[Text, Text]:
    if value is None:
        return Text("   -", "dim"), Text("unknown", "dim")
    return Text(f"{score(value):>4}", "bold"), bar(value / MAX_SCORE, BAR_WIDTH)


def _statements(analysis: Analysis) -> Iterator[RenderableType]:
    """Render the statements by dimension; on a terminal each links to its evidence."""
    for name, statements in _by_dimension(analysis).items():
        yield Text(_title(name), "bold")
        for each in statements:
            link = web_address(each.evidence_url)
            yield Padding(Text(plain(each.statement), Style(link=link)), (0, 0, 0, INDENT))
    yield Text()


def _notes(analysis: Analysis) -> Iterator[RenderableType]:
    for caveat in analysis.caveats:
        yield labelled("!", plain(caveat), "yellow")
    for row in source_lines(analysis.sources):
        yield labelled(row.source, row.said(": "), "red" if row.failed else "dim")
    cached = f"; cached at {analysis.analyzed_at:%H:%M} UTC" if analysis.cached else ""
    seconds = f"{analysis.execution_time_ms / 1000:.1f} s"
    evidence = "--format markdown lists the page of each statement"
    yield Text(f"{seconds}, {llm_usage(analysis.usage)}{cached}; {evidence}", "dim")


def _by_dimension(analysis: Analysis) -> dict[str, list[Statement]]:
    groups: dict[str, list[Statement]] = {}
    for statement in analysis.statements:
        groups.setdefault(statement.dimension, []).append(statement)
    return groups


def _title(name: str) -> str:
    return TITLES.get(name, name.replace("_", " "))


def render_analysis_markdown(analysis: Analysis) -> str:
    """Render the analysis as Markdown."""
    return "\n".join(_lines(analysis)) + "\n"


def _lines(analysis: Analysis) -> Iterator[str]:
    yield f"# {linked(analysis.repo, analysis.url)}"
    yield ""
    for text in (analysis.description, f"For: {analysis.query}" if analysis.query else None):
        if text:
            yield escape_markdown(text)
            yield ""
    if analysis.summary:
        yield escape_markdown(" ".join(point.text for point in analysis.summary))
        yield ""
    yield "| dimension | score |"
    yield "|---|---|"
    for name, value in analysis.scores.model_dump().items():
        yield f"| {name.replace('_', ' ')} | {score(value)} |"
    yield ""
    for name, statements in _by_dimension(analysis).items():
        listed = [linked(each.statement, each.evidence_url) for each in statements]
        yield from bullet_list(name.replace("_", " ").capitalize(), listed)
    yield from bullet_list("Caveats", [escape_markdown(caveat) for caveat in analysis.caveats])
    rows = source_lines(analysis.sources)
    yield from bullet_list("Sources", [f"{row.source}: {escape_markdown(row.said(', '))}" for row in rows])
    yield escape_markdown(f"Analyzed {analysis.analyzed_at:%Y-%m-%d %H:%M} UTC, {llm_usage(analysis.usage)}.")
