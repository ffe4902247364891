"""An answer as text for others: Markdown for notes and issues, CSV for spreadsheets, one web address a line, and JSON.

External text cannot add structure to the Markdown, nor a formula to a spreadsheet. `--json FIELDS` chooses fields of
results, and `--jq EXPRESSION` says what a jq expression makes of the JSON.
"""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import get_args

from goldpan.contracts.validation_errors import suggest
from goldpan.engine.presentation import AnyAttribute, AnyPresentation, RankedResult
from goldpan.errors import InvalidRequest
from goldpan.escaping import escape_json, escape_markdown, plain
from goldpan.kinds.answer import Answer
from goldpan.kinds.registry import get_kind
from pydantic import BaseModel

from goldpan_local.formats import notes
from goldpan_local.formats.values import cell_text, csv_value, description, facts, phrase
from goldpan_local.presentations import first_number, groups, presentation, result_address, results_of

SELF_EXPLANATORY = {"text", "year"}
"""The formats of columns that are written without their label."""


def render_markdown(answer: Answer, *, options: bool = True) -> str:
    """Render the answer as Markdown; its last line names options of the command if asked."""
    reading = escape_markdown(notes.read_as(answer.interpretation))
    blocks = [f"# {escape_markdown(answer.query)}", reading, *_sections(answer)]
    blocks += notes.bullet_list("Warnings", [escape_markdown(warning) for warning in answer.warnings])
    blocks += notes.bullet_list("Errors", [escape_markdown(line) for line in notes.error_lines(answer)])
    last = escape_markdown(notes.footer(answer, options=options))
    return notes.markdown([*blocks, *notes.source_list(answer.sources), last])


def _sections(answer: Answer) -> Iterator[str]:
    """Render the sections, numbered through; weaker results are closed where Markdown becomes HTML."""
    if not notes.has_results(answer):
        yield notes.nothing_found(answer)
        return
    first = first_number(answer)
    for kind, section in answer.sections.items():
        shown = presentation(kind)
        yield f"## {shown.plural.capitalize()}" if len(answer.sections) > 1 else ""
        for heading, results in groups(section, weaker=True):
            is_closed = bool(section.results) and results == section.weaker
            yield f"<details>\n<summary>{heading.rstrip(':')}</summary>" if is_closed else heading
            for rank, result in enumerate(results, start=first):
                number = f"{rank}. "  # its width indents the further paragraphs, so that they belong to the item
                yield number + f"\n\n{' ' * len(number)}".join(_paragraphs(shown, result))
            yield "</details>" if is_closed else ""
            first += len(results)
        for line in shown.section_lines(section):
            yield f"{line.label.capitalize()}: {escape_markdown(line.text)}"


def _paragraphs(shown: AnyPresentation, result: RankedResult) -> list[str]:
    name = notes.linked(str(shown.title.read(result)), result_address(shown, result))
    known = facts(shown, result)
    columns = [_column(column, result) for column in shown.columns if column.format != "score"]
    head = columns if shown.description else [*known, *columns]
    lines = [f"**{name}** - {escape_markdown(', '.join(filter(None, head)))}"]
    if shown.description:
        lines += [escape_markdown(text) for text in (description(shown, result), " · ".join(known)) if text]
    scores = [column for column in shown.columns if column.format == "score"]
    if scores:
        lines.append("Scores: " + ", ".join(f"{each.label} {cell_text(each, each.read(result))}" for each in scores))
    if links := shown.links(result):
        lines.append("Links: " + ", ".join(f"[{label}](<{url}>)" for label, url in links.items()))
    lines += [f"{line.label.capitalize()}: {escape_markdown(line.text)}" for line in shown.lines(result)]
    lines.append(f"Why: {escape_markdown(result.reasoning)}")
    return lines + [f"Caveat: {escape_markdown(caveat)}" for caveat in shown.caveats(result)]


def _column(column: AnyAttribute, result: RankedResult) -> str:
    """Write the value of a column in words; an unknown year is left out, as the facts are."""
    value = column.read(result)
    if value is None:
        return "" if column.format == "year" else f"{column.label} unknown"
    return cell_text(column, value) if column.format in SELF_EXPLANATORY else phrase(column, value)


def render_csv(answer: Answer) -> str:
    """Render a line for each result, weaker ones last; several kinds have all their columns, and one for the kind."""
    shown = {kind: presentation(kind) for kind in answer.sections}
    columns = dict.fromkeys(attribute.name for each in shown.values() for attribute in each.export)
    several = ["kind"] if len(shown) > 1 else []
    text = io.StringIO()
    lines = csv.DictWriter(text, [*several, "rank", *columns, "weaker"], "", "ignore", lineterminator="\n")
    lines.writeheader()
    for kind, section in answer.sections.items():
        for rank, result in enumerate((*section.results, *section.weaker), section.offset + 1):
            cells = {each.name: csv_value(each, each.read(result)) for each in shown[kind].export}
            weaker = str(rank > section.offset + len(section.results)).lower()
            lines.writerow({"kind": kind, "rank": rank, **cells, "weaker": weaker})
    return text.getvalue()


def render_urls(answer: Answer, *, weaker: bool) -> str:
    """Render the web address of each result that has one."""
    found = [result_address(shown, result) for shown, result in results_of(answer, weaker=weaker)]
    return "".join(f"{address}\n" for address in found if address)


def check_fields(text: str, kinds: Sequence[str]) -> list[str]:
    """Return the named fields of results of these kinds. Raises `InvalidRequest` with those that there are."""
    models = [get_args(get_kind(kind).section.model_fields["results"].annotation)[0] for kind in kinds]
    allowed = sorted({field for model in models for field in model.model_fields})
    names = [name for part in text.split(",") if (name := part.strip())]
    wrong = next((name for name in names if name not in allowed), "")
    if wrong or not names:
        said = f"{wrong!r} is unknown" if wrong else "names no field"
        listed = f"{', '.join(allowed)}{suggest(wrong, allowed)}"
        raise InvalidRequest(f"--json: {said}; allowed, with commas between: {listed}")
    return names


def render_fields(answer: Answer, fields: Sequence[str], *, weaker: bool) -> str:
    """Render the fields of the results that are shown as a JSON array; null where a kind lacks one."""
    shown = [result for _, result in results_of(answer, weaker=weaker)]
    known = [each.model_dump(mode="json", include={*fields}) for each in shown if isinstance(each, BaseModel)]
    rows = [{field: row.get(field) for field in fields} for row in known]
    return json.dumps(rows, ensure_ascii=False, indent=2)


def filter_json(expression: str, text: str | None = None) -> str:
    """Apply a jq expression to JSON, a value a line; without a text, only check it. Raises `InvalidRequest`."""
    import jq  # noqa: PLC0415 - optional

    try:
        program = jq.compile(expression)
        values = [] if text is None else program.input_text(text).all()
    except ValueError as error:
        raise InvalidRequest(f"--jq: {plain(str(error))}") from error
    lines = (
        plain(each) if isinstance(each, str) else escape_json(json.dumps(each, ensure_ascii=False)) for each in values
    )
    return "".join(f"{line}\n" for line in lines)
