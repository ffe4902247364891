"""How the question, the sources and the last line of an answer are written, for the table and for Markdown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC

from goldpan.contracts import FAILED_STATUSES, Interpretation, Section, SourceStatus, Usage
from goldpan.counts import counted
from goldpan.escaping import escape_markdown, plain, web_address
from goldpan.kinds.answer import Answer
from goldpan.known import Known

from goldpan_local.formats.values import duration

NOTHING_FOUND = "Nothing found. Try fewer or different words."
NOTHING_LEFT = "Nothing that was found fits; the notes say what was left out, and why."
SCOUT = "scout"
"""The stage whose errors are what was not found."""


@dataclass(frozen=True)
class SourceLine:
    """The strategies that had the same status and details at one source."""

    source: str
    status: str
    text: str

    @property
    def failed(self) -> bool:
        """Whether the source returned no result list."""
        return self.status in FAILED_STATUSES

    def said(self, separator: str) -> str:
        """Return the status in words, and the text after the separator, if there is any."""
        return separator.join(filter(None, (self.status.replace("_", " "), self.text)))


def llm_usage(usage: Usage) -> str:
    """Format the language model calls with their tokens and cost."""
    if not usage.llm_calls:
        return "no language model calls"
    calls, tokens = counted(usage.llm_calls, "language model calls"), usage.input_tokens + usage.output_tokens
    return f"{calls}, {counted(tokens, 'tokens')}, ${usage.cost_usd:.4f}"


def read_as(interpretation: Iterable[Interpretation]) -> str:
    """Describe how the question was read, such as "read as: date library · MIT · not jQuery", or return ""."""
    kinds = ("term", "constraint", "exclusion", "likeness", "correction", "wish")
    values: dict[str, list[str]] = {kind: [] for kind in kinds}
    for part in interpretation:
        if part.kind in values:
            typed = f" (you typed {part.text})" if part.kind == "correction" else ""
            values[part.kind].append(f"“{part.value}”" if part.kind == "wish" else f"{part.value}{typed}")
    terms = values.pop("term")
    # one kind may read as a phrase what another one reads as its words
    parts = {one for one in terms for other in terms if one != other and f" {one} " in f" {other} "}
    subject = " ".join(one for one in terms if one not in parts)
    rest = [value for group in values.values() for value in group]
    entries = [entry for entry in (subject, *rest) if entry]
    return f"read as: {' · '.join(entries)}" if entries else ""


def footer(answer: Answer, order: str = "", *, options: bool = True) -> str:
    """Summarize the search: counts, what orders the results, duration, cost, and the time of a cached answer.

    With options, it names those of the command that search again or show more.
    """
    counts = "".join(f"{line}, " for line in (*_counts(answer.sections), *([f"ordered by {order}"] if order else [])))
    cached = f"; cached at {answer.answered_at:%H:%M} UTC" if answer.cached else ""
    again = ", --refresh searches again" if answer.cached and options else ""
    ends = [(each.offset + len(each.results) + len(each.weaker), each.total) for each in answer.sections.values()]
    following = [end for end, total in ends if end < total]
    more = f"; --offset {min(following)} or --all shows more" if following and options else ""
    return f"{counts}{answer.execution_time_ms.total / 1000:.1f} s, {llm_usage(answer.usage)}{cached}{again}{more}"


def _counts(sections: Mapping[str, Section]) -> Iterator[str]:
    """Count the results of each kind, which is named if there are several."""
    for kind, section in sections.items():
        named = f"{kind}: " if len(sections) > 1 else ""
        weaker = f", {section.total_weaker} weaker" if section.total_weaker else ""
        fitting = "of which none fits well" if section.nothing_fits else "that fit"
        fitting = f"{len(section.results)} shown of {section.total - section.total_weaker} {fitting}"
        yield f"{named}{fitting}{weaker} and {section.total_candidates:,} found"


def source_lines(rows: Iterable[SourceStatus]) -> list[SourceLine]:
    """Group the status rows by source, status and details: one line a group, its strategies joined."""
    groups: dict[tuple[str, str, str], list[SourceStatus]] = {}
    for row in rows:
        groups.setdefault((row.source, row.status, _details(row)), []).append(row)
    lines = []
    for (source, status, details), group in groups.items():
        strategies = ", ".join(dict.fromkeys(filter(None, map(_strategy, group))))
        slowest = max((row.duration_ms for row in group if row.duration_ms is not None), default=None)
        took = "" if slowest is None else f"{slowest / 1000:.1f} s"  # strategies run side by side
        lines.append(SourceLine(source, status, "; ".join(filter(None, (strategies, details, took)))))
    return lines


def known_lines(known: Known) -> list[str]:
    """Describe what was known of a search that failed, its candidates one a line; nothing if no source answered."""
    if all(row.status in FAILED_STATUSES for row in known.sources):
        return []
    sources = [f"{row.source}: {row.said(', ')}" for row in source_lines(known.sources)]
    found = [f"  {each.title} {each.url or ''}" for previews in known.candidates.values() for each in previews]
    heading = ["found, not in order:"] if found else []
    return [*filter(None, [read_as(known.interpretation)]), *sources, *heading, *found]


def _strategy(row: SourceStatus) -> str:
    """Name the strategy with the number of candidates that it added."""
    if row.strategy == row.source:
        return counted(row.kept, row.kind) if row.kept else ""
    return f"{row.kept} by {plain(row.strategy)}" if row.kept else plain(row.strategy)


def error_lines(answer: Answer) -> list[str]:
    """Describe the errors, but those that a warning quotes; what a search did not find needs no name of a stage."""
    left = [row for row in answer.errors if not any(row.error in warning for warning in answer.warnings)]
    return [f"{'' if row.stage == SCOUT else f'{plain(row.stage)}: '}{plain(row.error)}" for row in left]


def _details(row: SourceStatus) -> str:
    retry = f"try again at {row.retry_at.astimezone(UTC):%H:%M:%S} UTC" if row.retry_at else ""
    cached = "cached" + (f" {duration(row.age_s)} ago" if row.age_s is not None else "") if row.cached else ""
    return "; ".join(part for part in (plain(row.detail), retry, cached) if part)


def markdown(blocks: Iterable[str]) -> str:
    """Write a document in Markdown: its blocks with an empty line between them; empty blocks are left out."""
    return "\n\n".join(filter(None, blocks)) + "\n"


def bullet_list(title: str, lines: Sequence[str], heading: str = "##") -> Iterator[str]:
    """Yield the blocks of a list in Markdown, its heading and its lines; nothing for an empty list."""
    if lines:
        yield f"{heading} {title}"
        yield "\n".join(f"- {line}" for line in lines)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table in Markdown, as one block."""
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (columns, ["---"] * len(columns), *rows))


def source_list(rows: Iterable[SourceStatus]) -> Iterator[str]:
    """Yield the blocks of the list of the sources in Markdown."""
    lines = [f"{row.source}: {escape_markdown(row.said(', '))}" for row in source_lines(rows)]
    return bullet_list("Sources", lines)


def linked(text: str, url: str | None) -> str:
    """Write a link in Markdown; the text alone if it has no web address."""
    name, address = escape_markdown(text), web_address(url)
    return f"[{name}](<{address}>)" if address else name


def nothing_found(answer: Answer) -> str:
    """Say that there is no result: other words help, unless constraints left out what was found."""
    return NOTHING_LEFT if any(section.dropped for section in answer.sections.values()) else NOTHING_FOUND


def has_results(answer: Answer) -> bool:
    """Report whether there is any result, on this page or on others."""
    return any(section.total for section in answer.sections.values())
