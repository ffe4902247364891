"""Prints an answer in the requested format, in a pager if it is longer than the terminal."""

from __future__ import annotations

import shutil
import sys
import webbrowser
from collections.abc import Mapping

from goldpan.errors import InvalidRequest, Misconfigured, SourcesFailed
from goldpan.escaping import escape_json
from goldpan.kinds.answer import Answer

from goldpan_local.completion import FORMATS
from goldpan_local.exit_codes import NOTHING_FOUND, SUCCESS, write_notes, write_stdout
from goldpan_local.formats.listings import render_csv, render_urls, result_address
from goldpan_local.formats.markdown import render_markdown
from goldpan_local.formats.notes import TRY_OTHER_WORDS, source_lines
from goldpan_local.formats.pager import show_paged
from goldpan_local.notices import with_token_hint
from goldpan_local.presentations import export_format, export_formats, presentation, results_of
from goldpan_local.search_options import SearchOptions

FOR_TERMINALS = ("table", "compact")


def print_answer(answer: Answer, given: SearchOptions, environment: Mapping[str, str]) -> int:
    """Print the answer in the requested format; returns the exit code."""
    output_format = given.get("format", FORMATS[0])
    kind = None if output_format in FORMATS else export_formats()[output_format]
    text = _render(with_token_hint(answer, environment), given, output_format, kind)
    encoding = "utf-8" if output_format not in FOR_TERMINALS else sys.stdout.encoding or "utf-8"
    if sys.stdout.isatty() and not _fits(text) and given.get("pager", True):
        show_paged(text, encoding, environment)
    else:
        write_stdout(text, encoding)
    shown = [name for name, section in answer.sections.items() if section.results and kind in {None, name}]
    return SUCCESS if shown else NOTHING_FOUND


def open_result(answer: Answer, number: str) -> None:
    """Open a result in the browser. Raises `InvalidRequest` or `Misconfigured`."""
    results = list(results_of(answer))
    if not number.isdecimal() or not 1 <= int(number) <= len(results):
        shown = f"1 to {len(results)}" if results else "none, nothing was found"
        message = f"--open: {number!r} is no result (allowed: {shown})"
        raise InvalidRequest(message)
    address = result_address(*results[int(number) - 1])
    if address is None or not webbrowser.open(address):
        message = f"--open: no browser could be started for {address or 'a result without a web address'}"
        raise Misconfigured(message)


def _render(answer: Answer, given: SearchOptions, output_format: str, kind: str | None) -> str:
    match output_format:
        case "table":
            return _table(answer, given)
        case "compact":
            return _table(answer, {**given, "compact": True})
        case "json":
            return escape_json(answer.to_json(indent=2)) + "\n"
        case "markdown":
            return render_markdown(answer)
    _report_failures(answer)
    if kind is not None:
        return _export(answer, kind, output_format)
    return render_csv(answer) if output_format == "csv" else render_urls(answer)


def _export(answer: Answer, kind: str, output_format: str) -> str:
    """Render the results of one kind. Raises `SourcesFailed` if the answer has none of that kind at all."""
    section, plural = answer.sections.get(kind), presentation(kind).plural
    if section is None:
        reasons = "; ".join(row.error for row in answer.errors) or "they were not asked for"
        message = f"--format {output_format} is for {plural}, and the answer has none: {reasons}"
        raise SourcesFailed(message)
    if not section.results:
        write_notes([f"no {plural} were found. {TRY_OTHER_WORDS}"])
    return export_format(kind, output_format).render(section.results)


def _table(answer: Answer, given: SearchOptions) -> str:
    """Render the table; without an option, one line per result if the terminal cannot show all of it."""
    from goldpan_local.formats import compact, comparison, table  # noqa: PLC0415 - rich, which no other format needs

    if given.get("compared"):
        return comparison.render_comparison(answer)
    is_compact, details = given.get("compact"), given.get("details", False)
    text = "" if is_compact else table.render_table(answer, details=details)
    automatic = is_compact is None and not details and sys.stdout.isatty() and not _fits(text)
    return compact.render_compact(answer, automatic=automatic) if is_compact or automatic else text


def _fits(text: str) -> bool:
    """Report whether the terminal shows all lines with the prompt below them."""
    return text.count("\n") < shutil.get_terminal_size().lines


def _report_failures(answer: Answer) -> None:
    """Write failures and their fallbacks to stderr, for formats that hold results only."""
    rows = [f"{row.source} {row.said(': ')}" for row in source_lines(answer.sources) if row.failed]
    errors = [f"{error.stage}: {error.error}" for error in answer.errors]
    write_notes([*rows, *errors, *(answer.warnings if rows else ())])
