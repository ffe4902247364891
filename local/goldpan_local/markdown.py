"""An answer as Markdown, for notes and issues; external text cannot add structure to it."""

from __future__ import annotations

from collections.abc import Iterator

from goldpan.contracts import Answer
from goldpan.kinds.repositories.models import RankedRepository

from goldpan_local.escaping import escape_markdown, web_address
from goldpan_local.formatting import detail_facts, footer, read_as, score, source_lines


def render_markdown(answer: Answer) -> str:
    """Render the answer as Markdown."""
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: Answer) -> Iterator[str]:
    yield f"# {escape_markdown(answer.query)}"
    yield ""
    if line := read_as(answer):
        yield escape_markdown(line)
        yield ""
    results = [result for section in answer.sections.values() for result in section.results]
    if not results:
        yield "Nothing found."
        yield ""
    for rank, item in enumerate(results, start=1):
        yield from _entry(rank, item)
    yield from _list("Warnings", [escape_markdown(warning) for warning in answer.warnings])
    errors = [f"{escape_markdown(row.stage)}: {escape_markdown(row.error)}" for row in answer.errors]
    yield from _list("Errors", errors)
    rows = source_lines(answer.sources)
    sources = [f"{row.source}: {escape_markdown(row.status)}, {escape_markdown(row.text)}" for row in rows]
    yield from _list("Sources", sources)
    yield escape_markdown(footer(answer))


def _entry(rank: int, item: RankedRepository) -> Iterator[str]:
    """Render one result; its paragraphs are indented to the width of its number, so that they belong to its item."""
    start = f"{rank}. "
    lines = [f"**{_link(item)}** - {_facts(item)}"]
    if item.description:
        lines.append(escape_markdown(item.description))
    if item.note:
        lines.append(f"Note: {escape_markdown(item.note)}")
    if known := detail_facts(item):
        lines.append(escape_markdown(" · ".join(known)))
    lines.append(f"Scores: {_scores(item)}")
    lines.append(f"Why: {escape_markdown(item.reasoning)}")
    lines += [f"Caveat: {escape_markdown(caveat)}" for caveat in item.caveats]
    yield start + lines[0]
    for line in lines[1:]:
        yield ""
        yield " " * len(start) + line
    yield ""


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


def _list(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield f"## {title}"
        yield ""
        yield from (f"- {line}" for line in lines)
        yield ""
