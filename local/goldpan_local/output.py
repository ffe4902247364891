"""Prints an answer in the format that was asked for, in a pager if it is longer than the terminal."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from typing import Any

from goldpan.contracts import Answer
from goldpan.errors import InvalidRequest, Misconfigured
from goldpan.kinds.repositories.models import RankedRepository

from goldpan_local.escaping import escape_json, plain, web_address
from goldpan_local.exit_codes import NOTHING_FOUND, SUCCESS, write_stdout
from goldpan_local.formatting import source_lines
from goldpan_local.notices import with_token_hint


def print_answer(answer: Answer, given: Mapping[str, Any], environment: Mapping[str, str]) -> int:
    """Print the answer as the options and the terminal ask for; returns the exit code."""
    text = _render(with_token_hint(answer, environment), given)
    encoding = "utf-8" if given.get("format", "table") != "table" else sys.stdout.encoding or "utf-8"
    if sys.stdout.isatty() and not _fits(text) and given.get("pager", True):
        from goldpan_local.pager import show_paged  # noqa: PLC0415 - for a terminal only

        show_paged(text, encoding, environment)
    else:
        write_stdout(text, encoding)
    return SUCCESS if results_of(answer) else NOTHING_FOUND


def results_of(answer: Answer) -> list[RankedRepository]:
    """Return the results of all kinds, best first."""
    return [result for section in answer.sections.values() for result in section.results]


def open_result(answer: Answer, number: str) -> None:
    """Open a result in the browser. Raises `InvalidRequest` or `Misconfigured`."""
    import webbrowser  # noqa: PLC0415 - with --open only

    results = results_of(answer)
    if not number.isdecimal() or not 1 <= int(number) <= len(results):
        shown = f"1 to {len(results)}" if results else "none, nothing was found"
        message = f"--open: {number!r} is no result (allowed: {shown})"
        raise InvalidRequest(message)
    address = web_address(results[int(number) - 1].url)
    if address is None or not webbrowser.open(address):
        message = f"--open: no browser could be started for {address or 'a result without a web address'}"
        raise Misconfigured(message)


def _render(answer: Answer, given: Mapping[str, Any]) -> str:
    output_format = given.get("format", "table")
    if output_format == "table":
        return _table(answer, given)
    if output_format == "json":
        return escape_json(answer.to_json(indent=2)) + "\n"
    if output_format == "markdown":
        from goldpan_local.markdown import render_markdown  # noqa: PLC0415 - for this format only

        return render_markdown(answer)
    from goldpan_local.listings import render_csv, render_urls  # noqa: PLC0415 - for these formats only

    _report_failures(answer)
    return render_csv(results_of(answer)) if output_format == "csv" else render_urls(results_of(answer))


def _table(answer: Answer, given: Mapping[str, Any]) -> str:
    """Render the table; without an option, one line a result if the terminal cannot show all of it."""
    from goldpan_local.table import render_table  # noqa: PLC0415 - imports rich

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
    """Write to stderr what failed: a format that holds results alone has no place for it."""
    rows = [f"{row.source} {row.status}: {row.text}" for row in source_lines(answer.sources) if row.failed]
    errors = [f"{plain(error.stage)}: {plain(error.error)}" for error in answer.errors]
    if sys.stderr is not None:
        sys.stderr.write("".join(f"goldpan: {line}\n" for line in [*rows, *errors]))
