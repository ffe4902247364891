"""An answer as Markdown, for notes and issues; external text cannot add structure to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from goldpan.contracts import Answer
from goldpan.escaping import escape_markdown, web_address
from goldpan.kinds.repositories.models import RankedRepository

from goldpan_local.formatting import bullet_list, detail_facts, error_lines, footer, read_as, score, source_lines


def render_markdown(answer: Answer) -> str:
    """Render the answer as Markdown."""
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: Answer) -> Iterator[str]:
    yield f"# {escape_markdown(answer.query)}"
    yield ""
    if line := read_as(answer):
        yield escape_markdown(line)
        yield ""
    yield from _results(answer)
    yield from bullet_list("Warnings", [escape_markdown(warning) for warning in answer.warnings])
    yield from bullet_list("Errors", [escape_markdown(line) for line in error_lines(answer)])
    rows = source_lines(answer.sources)
    sources = [f"{row.source}: {escape_markdown(row.said(', '))}" for row in rows]
    yield from bullet_list("Sources", sources)
    yield escape_markdown(footer(answer))


def _results(answer: Answer) -> Iterator[str]:
    """Render the sections one after the other, with titles if there are several; the results are numbered through."""
    if not any(section.results for section in answer.sections.values()):
        yield "Nothing found."
        yield ""
        return
    first, sections = 1, dict[str, Any](answer.sections)
    for kind, section in sections.items():
        if len(answer.sections) > 1:
            yield f"## {kind.capitalize()}"
            yield ""
        paragraphs: Callable[[Any], list[str]] = _paragraphs
        last: list[str] = []
        if kind == "papers":
            from goldpan_local.papers.markdown import facets, paper_paragraphs  # noqa: PLC0415 - for papers only

            paragraphs, last = paper_paragraphs, facets(section.facets)
        for rank, item in enumerate(section.results, start=first):
            yield from _entry(rank, paragraphs(item))
        yield from last
        first += len(section.results)


def _entry(rank: int, lines: Sequence[str]) -> Iterator[str]:
    """Render one result; its paragraphs are indented to the width of its number, so that they belong to its item."""
    start = f"{rank}. "
    yield start + lines[0]
    for line in lines[1:]:
        yield ""
        yield " " * len(start) + line
    yield ""


def _paragraphs(item: RankedRepository) -> list[str]:
    lines = [f"**{_link(item)}** - {_facts(item)}"]
    if item.description:
        lines.append(escape_markdown(item.description))
    if item.note:
        lines.append(f"Note: {escape_markdown(item.note)}")
    if known := detail_facts(item):
        lines.append(escape_markdown(" · ".join(known)))
    lines.append(f"Scores: {_scores(item)}")
    lines.append(f"Why: {escape_markdown(item.reasoning)}")
    return lines + [f"Caveat: {escape_markdown(caveat)}" for caveat in item.caveats]


def _link(item: RankedRepository) -> str:
    name, address = escape_markdown(item.repo), web_address(item.url)
    return f"[{name}](<{address}>)" if address else name


def _facts(item: RankedRepository) -> str:
    stars = "stars unknown" if item.stars is None else f"{item.stars:,} stars"
    return f"{stars}, {escape_markdown(item.language) or 'language unknown'}, relevance {item.relevance:.2f}"


def _scores(item: RankedRepository) -> str:
    values = item.scores.model_dump()
    overall = values.pop("overall")
    six = ", ".join(f"{name.replace('_', ' ')} {score(value)}" for name, value in values.items())
    return f"overall {score(overall)} ({six})"
