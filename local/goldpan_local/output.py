"""Prints an answer in the format that was asked for, in a pager if it is longer than the terminal."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from typing import Any

from goldpan.contracts import Answer, Section
from goldpan.errors import InvalidRequest, Misconfigured, SourcesFailed
from goldpan.escaping import escape_json

from goldpan_local.completion import PAPER_FORMATS
from goldpan_local.exit_codes import NOTHING_FOUND, SUCCESS, write_notes, write_stdout
from goldpan_local.formatting import source_lines
from goldpan_local.notices import with_token_hint


def print_answer(answer: Answer, given: Mapping[str, Any], environment: Mapping[str, str]) -> int:
    """Print the answer as the options and the terminal ask for; returns the exit code."""
    text = _render(with_token_hint(answer, environment), given)
    encoding = "utf-8" if given.get("format", "table") not in ("table", "compact") else sys.stdout.encoding or "utf-8"
    if sys.stdout.isatty() and not _fits(text) and given.get("pager", True):
        from goldpan_local.pager import show_paged  # noqa: PLC0415 - for a terminal only

        show_paged(text, encoding, environment)
    else:
        write_stdout(text, encoding)
    shown = [kind for kind, _ in results_of(answer) if given.get("format") not in PAPER_FORMATS or kind == "papers"]
    return SUCCESS if shown else NOTHING_FOUND


def results_of(answer: Answer) -> list[tuple[str, Any]]:
    """Return the kind of each result and the result, in the order in which they are numbered."""
    return [(kind, result) for kind, section in answer.sections.items() for result in section.results]


def open_result(answer: Answer, number: str) -> None:
    """Open a result in the browser. Raises `InvalidRequest` or `Misconfigured`."""
    import webbrowser  # noqa: PLC0415 - with --open only

    results = results_of(answer)
    if not number.isdecimal() or not 1 <= int(number) <= len(results):
        shown = f"1 to {len(results)}" if results else "none, nothing was found"
        message = f"--open: {number!r} is no result (allowed: {shown})"
        raise InvalidRequest(message)
    from goldpan_local.listings import result_address  # noqa: PLC0415

    address = result_address(*results[int(number) - 1])
    if address is None or not webbrowser.open(address):
        message = f"--open: no browser could be started for {address or 'a result without a web address'}"
        raise Misconfigured(message)


def _render(answer: Answer, given: Mapping[str, Any]) -> str:
    output_format = given.get("format", "table")
    if output_format == "table":
        return _table(answer, given)
    if output_format == "compact":
        return _table(answer, {**given, "compact": True})
    if output_format == "json":
        return escape_json(answer.to_json(indent=2)) + "\n"
    if output_format == "markdown":
        from goldpan_local.markdown import render_markdown  # noqa: PLC0415 - for this format only

        return render_markdown(answer)
    _report_failures(answer)
    if output_format in PAPER_FORMATS:
        return _export(answer, output_format)
    from goldpan_local.listings import render_csv, render_urls  # noqa: PLC0415 - for these formats only

    return render_csv(answer) if output_format == "csv" else render_urls(answer)


def _export(answer: Answer, output_format: str) -> str:
    """Render the papers for a reference manager. Raises `SourcesFailed` if the answer has no papers at all."""
    section: Section | None = answer.sections.get("papers")
    if section is None:
        reasons = "; ".join(row.error for row in answer.errors) or "they were not asked for"
        message = f"--format {output_format} is for papers, and the answer has none: {reasons}"
        raise SourcesFailed(message)
    if not section.results:
        write_notes(["no papers were found. Fewer or other words may find more."])
    if output_format == "bibtex":
        from goldpan.kinds.papers.exports.bibtex import render_bibtex  # noqa: PLC0415 - for this format only

        return render_bibtex(section.results)
    from goldpan.kinds.papers.exports.csl_json import render_csl_json  # noqa: PLC0415 - for this format only

    return render_csl_json(section.results)


def _table(answer: Answer, given: Mapping[str, Any]) -> str:
    """Render the table; without an option, one line a result if the terminal cannot show all of it."""
    from goldpan_local.table import render_table  # noqa: PLC0415 - imports rich

    if given.get("compared"):
        from goldpan_local.comparison_table import render_comparison  # noqa: PLC0415 - for comparisons only

        return render_comparison(answer)
    compact, details = given.get("compact"), given.get("details", False)
    text = "" if compact else render_table(answer, details=details)
    automatic = compact is None and not details and sys.stdout.isatty() and not _fits(text)
    if not compact and not automatic:
        return text
    from goldpan_local.compact import render_compact  # noqa: PLC0415

    return render_compact(answer, automatic=automatic)


def _fits(text: str) -> bool:
    """Report whether the terminal shows all lines with the prompt below them."""
    return text.count("\n") < shutil.get_terminal_size().lines


def _report_failures(answer: Answer) -> None:
    """Write to stderr what failed, and what took its place: a format that holds results alone has no place for it."""
    rows = [f"{row.source} {row.said(': ')}" for row in source_lines(answer.sources) if row.failed]
    errors = [f"{error.stage}: {error.error}" for error in answer.errors]
    write_notes([*rows, *errors, *(answer.warnings if rows else ())])
