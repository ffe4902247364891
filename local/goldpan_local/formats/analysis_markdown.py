"""An analysis as Markdown, for notes and issues; each statement links to the page that shows it."""

from __future__ import annotations

from collections.abc import Iterator

from goldpan.escaping import escape_markdown, web_address
from goldpan.kinds.repositories.analysis.models import Analysis, Statement

from goldpan_local.formats.notes import bullet_list, llm_usage, source_lines
from goldpan_local.formats.values import score


def render_analysis_markdown(analysis: Analysis) -> str:
    """Render the analysis as Markdown."""
    return "\n".join(_lines(analysis)) + "\n"


def _lines(analysis: Analysis) -> Iterator[str]:
    yield f"# {_linked(analysis.repo, analysis.url)}"
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
    yield from _statements(analysis)
    yield from bullet_list("Caveats", [escape_markdown(caveat) for caveat in analysis.caveats])
    rows = source_lines(analysis.sources)
    yield from bullet_list("Sources", [f"{row.source}: {escape_markdown(row.said(', '))}" for row in rows])
    yield escape_markdown(f"Analyzed {analysis.analyzed_at:%Y-%m-%d %H:%M} UTC, {llm_usage(analysis.usage)}.")


def _statements(analysis: Analysis) -> Iterator[str]:
    groups: dict[str, list[Statement]] = {}
    for statement in analysis.statements:
        groups.setdefault(statement.dimension, []).append(statement)
    for name, statements in groups.items():
        yield from bullet_list(
            name.replace("_", " ").capitalize(), [_linked(s.statement, s.evidence_url) for s in statements]
        )


def _linked(text: str, url: str) -> str:
    address = web_address(url)
    return f"[{escape_markdown(text)}](<{address}>)" if address else escape_markdown(text)
