"""An answer as Markdown, for notes and issues; what comes from outside cannot add structure to it."""

from __future__ import annotations

from collections.abc import Iterator

from goldpan.contracts import Answer
from goldpan.kinds.repositories.models import RankedRepository

from goldpan_local.answer_closing import closing
from goldpan_local.figures import score
from goldpan_local.source_lines import source_lines
from goldpan_local.untrusted import markdown, web_address


def render_markdown(answer: Answer) -> str:
    """Write the answer as Markdown."""
    return "\n".join(_lines(answer)) + "\n"


def _lines(answer: Answer) -> Iterator[str]:
    yield f"# {markdown(answer.query)}"
    yield ""
    results = [result for section in answer.sections.values() for result in section.results]
    if not results:
        yield "Nothing found."
        yield ""
    for rank, item in enumerate(results, start=1):
        yield from _entry(rank, item)
    yield from _list("Warnings", [markdown(warning) for warning in answer.warnings])
    yield from _list("Errors", [f"{markdown(row.stage)}: {markdown(row.error)}" for row in answer.errors])
    rows = source_lines(answer.sources)
    yield from _list("Sources", [f"{row.source}: {markdown(row.status)}, {markdown(row.text)}" for row in rows])
    yield markdown(closing(answer))


def _entry(rank: int, item: RankedRepository) -> Iterator[str]:
    """Write one result; its lines are indented as far as its number takes, which makes them its own."""
    start = f"{rank}. "
    lines = [f"**{_link(item)}** - {_facts(item)}"]
    if item.description:
        lines.append(markdown(item.description))
    lines.append(f"Scores: {_scores(item)}")
    lines.append(f"Why: {markdown(item.reasoning)}")
    lines += [f"Caveat: {markdown(caveat)}" for caveat in item.caveats]
    yield start + lines[0]
    for line in lines[1:]:
        yield ""
        yield " " * len(start) + line
    yield ""


def _link(item: RankedRepository) -> str:
    name, address = markdown(item.repo), web_address(item.url)
    return f"[{name}](<{address}>)" if address else name


def _facts(item: RankedRepository) -> str:
    stars = "stars unknown" if item.stars is None else f"{item.stars:,} stars"
    return f"{stars}, {markdown(item.language) or 'language unknown'}, relevance {item.relevance:.2f}"


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
