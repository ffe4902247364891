"""An analysis as Markdown; each statement links to the page that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from goldpan.escaping import escape_markdown
from goldpan.kinds.repositories.analysis.models import Analysis

from goldpan_local.formats.grid import bar
from goldpan_local.formats.notes import bullet_list, linked, llm_usage, markdown, source_list, table
from goldpan_local.formats.values import score

BAR_WIDTH, MAX_SCORE = 20, 10
TITLES = {"fit": "fit to the question"}


def render_analysis(analysis: Analysis) -> str:
    """Render the analysis as Markdown."""
    return markdown(_blocks(analysis))


def _blocks(analysis: Analysis) -> Iterator[str]:
    yield f"# {linked(analysis.repo, analysis.url)}"
    yield escape_markdown(analysis.description)
    yield escape_markdown(f"For: {analysis.query}") if analysis.query else ""
    yield escape_markdown(" ".join(point.text for point in analysis.summary))
    scores = analysis.scores.model_dump().items()
    yield table(("dimension", "score", "of 10"), [(_title(name), score(value), _bar(value)) for name, value in scores])
    for name, statements in groupby(analysis.statements, attrgetter("dimension")):
        listed = [linked(each.statement, each.evidence_url) for each in statements]
        yield from bullet_list(_title(name).capitalize(), listed)
    yield from bullet_list("Caveats", [escape_markdown(caveat) for caveat in analysis.caveats])
    yield from source_list(analysis.sources)
    cached = "; cached" if analysis.cached else ""
    seconds, made = f"{analysis.execution_time_ms / 1000:.1f} s", f"{analysis.analyzed_at:%Y-%m-%d %H:%M} UTC"
    yield escape_markdown(f"Analyzed {made}, {seconds}, {llm_usage(analysis.usage)}{cached}.")


def _bar(value: float | None) -> str:
    return "unknown" if value is None else bar(value / MAX_SCORE, BAR_WIDTH).plain


def _title(name: str) -> str:
    return TITLES.get(name, name.replace("_", " "))
