"""Prints an answer in the requested format, in a pager if it is longer than the terminal."""

import shlex
import shutil
import signal
import subprocess
import sys
import time
import webbrowser
from collections.abc import Mapping
from contextlib import suppress

from goldpan.engine.interpretation import NO_MODEL
from goldpan.errors import InvalidRequest, Misconfigured, SourcesFailed, naming
from goldpan.escaping import escape_json
from goldpan.kinds.answer import Answer
from goldpan.kinds.registry import kind_names
from goldpan.local.bootstrap import LocalSettings

from goldpan_local import presentations
from goldpan_local.exit_codes import NOTHING_FOUND, SUCCESS, write_notes, write_stdout
from goldpan_local.formats import notes, plain_text
from goldpan_local.formats.values import DAY
from goldpan_local.option_values import FORMATS, whole_number
from goldpan_local.search_options import SearchOptions

DEFAULT_PAGER = "less"
QUIET_LESS = {"LESS": "FRX", "LV": "-c"}
"""git's settings: quit if the text fits, show colours, leave it on the screen; one that is set stays."""
FOR_TERMINALS = ("table", "compact")
SHORT_NOTICE = "Without a language model."
"""In place of the notice, but for once a day; its time is that of a file beside the cache."""


def show_paged(text: str, encoding: str, environment: Mapping[str, str]) -> None:
    """Show a text in a pager as git does; without one, write it to stdout. Raises `Misconfigured` for no command.

    The pager is `GOLDPAN_PAGER`, else `PAGER`, else less; `cat` or an empty value is none. Less is none either on a
    terminal that cannot move its cursor: there it would first ask for a key. The pagers of rich and typer have no
    variable of their own, and lose the text if the program is missing.
    """
    name = next((name for name in ("GOLDPAN_PAGER", "PAGER") if name in environment), None)
    value = environment[name] if name else "" if environment.get("TERM") in {"dumb", "unknown"} else DEFAULT_PAGER
    with naming(f"{name}: {value!r} is no command", ValueError, raised=Misconfigured):
        command = shlex.split(value)
    if command in ([], ["cat"]):
        return write_stdout(text, encoding)
    try:
        pager = subprocess.Popen(command, stdin=subprocess.PIPE, env={**QUIET_LESS, **environment})  # noqa: S603 - the user's own
    except OSError as error:
        if command != [DEFAULT_PAGER]:
            write_notes([f"the pager {command[0]}: {error.strerror}"])
        return write_stdout(text, encoding)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the pager's
    try:
        pager.communicate(text.encode(encoding, "replace"))
    finally:
        signal.signal(signal.SIGINT, before)


def print_answer(answer: Answer, given: SearchOptions, environment: Mapping[str, str]) -> int:
    """Print the answer in the requested format; returns the exit code."""
    output_format = given.get("format", FORMATS[0])
    if output_format in FOR_TERMINALS and sys.stdout.isatty():
        answer = _with_short_notice(answer, environment)
    text = _render(answer, given, output_format)
    if "jq" in given:
        text = plain_text.filter_json(given["jq"], text)
    encoding = "utf-8" if output_format not in FOR_TERMINALS else sys.stdout.encoding or "utf-8"
    if sys.stdout.isatty() and not _fits(text) and given.get("pager", True):
        show_paged(text, encoding, environment)
    else:
        write_stdout(text, encoding)
    kind, _ = presentations.export_formats().get(output_format, (None, None))
    sections = [section for name, section in answer.sections.items() if kind in {None, name}]
    return SUCCESS if any(map(presentations.shown_results, sections)) else NOTHING_FOUND


def _with_short_notice(answer: Answer, environment: Mapping[str, str]) -> Answer:
    """Shorten the notice of a missing language model if a terminal had it in full within a day."""
    cache = LocalSettings.from_environment(environment).cache_file()
    if cache is None or NO_MODEL not in answer.warnings:
        return answer
    shown = cache.with_suffix(".notice")
    with suppress(OSError):  # it was not shown yet, or the folder cannot be written
        if time.time() - shown.stat().st_mtime < DAY:
            warnings = [SHORT_NOTICE if each == NO_MODEL else each for each in answer.warnings]
            return answer.model_copy(update={"warnings": (*warnings,)})
    with suppress(OSError):
        shown.touch()
    return answer


def open_result(answer: Answer, number: str, *, weaker: bool = False) -> None:
    """Open a result in the browser. Raises `InvalidRequest` or `Misconfigured`."""
    results = list(presentations.results_of(answer, weaker=weaker))
    if not results:
        raise InvalidRequest("--open: there is no result, nothing was found")
    first = presentations.first_number(answer)
    chosen = whole_number("--open", number, first, first + len(results) - 1)
    address = presentations.result_address(*results[chosen - first])
    if address is None or not webbrowser.open(address):
        raise Misconfigured(f"--open: no browser could be started for {address or 'a result without a web address'}")


def _render(answer: Answer, given: SearchOptions, output_format: str) -> str:
    weaker = given.get("weaker", False)
    match output_format:
        case "table" | "compact":
            return _table(answer, given if output_format == "table" else {**given, "compact": True})
        case "json" if "json" in given:
            # those of the request were checked before; a kind that failed has no section
            fields = plain_text.check_fields(given["json"], kind_names())
            return escape_json(plain_text.render_fields(answer, fields, weaker=weaker)) + "\n"
        case "json":
            return escape_json(answer.to_json(indent=2)) + "\n"
        case "markdown":
            return plain_text.render_markdown(answer)
    # The formats that are left hold results only: failures and their fallbacks, and that nothing fits, are on stderr.
    failures = [f"{row.source} {row.said(': ')}" for row in notes.source_lines(answer.sources) if row.failed]
    warnings = answer.warnings if failures or not notes.has_results(answer) else ()
    nearest = [presentations.NOTHING_FITS] if any(section.nothing_fits for section in answer.sections.values()) else []
    write_notes([*failures, *notes.error_lines(answer), *warnings, *nearest])
    return _results_alone(answer, output_format, weaker=weaker)


def _results_alone(answer: Answer, output_format: str, *, weaker: bool) -> str:
    """Render the results alone. Raises `SourcesFailed` for the format of a kind of which the answer has none at all."""
    if output_format == "csv":
        return plain_text.render_csv(answer)
    if output_format == "urls":
        return plain_text.render_urls(answer, weaker=weaker)
    kind, exported = presentations.export_formats()[output_format]
    section, plural = answer.sections.get(kind), presentations.presentation(kind).plural
    if section is None:
        reasons = "; ".join(row.error for row in answer.errors) or "they were not asked for"
        raise SourcesFailed(f"--format {output_format} is for {plural}, and the answer has none: {reasons}")
    results = presentations.shown_results(section, weaker=weaker)
    if not results:
        write_notes([f"{plural}: {notes.nothing_found(answer)}"])
    return exported.render(results)


def _table(answer: Answer, given: SearchOptions) -> str:
    """Render the table; without an option, one line per result if the terminal cannot show all of it."""
    from goldpan_local.formats import table  # noqa: PLC0415 - rich, which no other format needs

    if given.get("compared"):
        return table.render_comparison(answer)
    is_compact, details, weaker = given.get("compact"), given.get("details", False), given.get("weaker", False)
    order = given.get("sort", "")
    text = "" if is_compact else table.render_table(answer, order, details=details, weaker=weaker)
    automatic = is_compact is None and not details and sys.stdout.isatty() and not _fits(text)
    return table.render_compact(answer, order, automatic=automatic, weaker=weaker) if is_compact or automatic else text


def _fits(text: str) -> bool:
    """Report whether the terminal shows all lines with the prompt below them."""
    return text.count("\n") < shutil.get_terminal_size().lines
