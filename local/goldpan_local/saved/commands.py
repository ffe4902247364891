"""Runs, lists and removes saved searches, and prints their logs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from goldpan.contracts import parse_request
from goldpan.errors import GoldpanError, InvalidRequest
from goldpan.escaping import escape_json
from goldpan.kinds.answer import Answer
from pydantic import TypeAdapter

from goldpan_local.completion import LOG_FORMATS, RUN_FORMATS
from goldpan_local.exit_codes import NOTHING_FOUND, SUCCESS, require_stdout, write_notes, write_stdout
from goldpan_local.formats.values import counted
from goldpan_local.saved.changes import Changes, changes_of
from goldpan_local.saved.folder import SavedFolder
from goldpan_local.saved.log import Run, read_runs, run_of
from goldpan_local.saved.report import render_changes, render_report
from goldpan_local.saved.running import NOW, run_and_log
from goldpan_local.saved.tables import SavedRow, render_change_table, render_saved
from goldpan_local.search_options import SearchOptions
from goldpan_local.search_request import require_format


def run_saved(name: str, output_format: str, environment: Mapping[str, str], *, quiet: bool) -> int:
    """Run a saved search and print what changed; returns 1 if nothing is new. Raises `GoldpanError`."""
    require_stdout()
    require_format(output_format, RUN_FORMATS)
    folder = SavedFolder.of(environment)
    search = folder.read(name)
    try:
        request = parse_request(search.request)
    except InvalidRequest as error:
        message = f"{name}: this version cannot run it: {error}"
        raise InvalidRequest(message) from error
    earlier = _read_log(folder.log(name))
    given: SearchOptions = {**NOW, "quiet": quiet}
    if search.catalogue:
        given = {**given, "catalogue": search.catalogue}
    answer = run_and_log(folder, name, request, given, environment)
    changes = changes_of(name, run_of(request, answer), earlier)
    _print_changes(changes, answer, output_format)
    return SUCCESS if changes.new else NOTHING_FOUND


def list_saved(environment: Mapping[str, str]) -> None:
    """Print the saved searches, with the number of their runs and the time of the last one. Raises `GoldpanError`."""
    folder = SavedFolder.of(environment)
    rows = []
    for name in folder.names():
        try:
            query = str(folder.read(name).request.get("query", ""))
        except GoldpanError as error:  # the other searches are still listed
            write_notes([str(error)])
            continue
        runs = _read_log(folder.log(name))
        rows.append(SavedRow(name, len(runs), runs[-1].at if runs else None, query))
    write_stdout(render_saved(rows), sys.stdout.encoding or "utf-8")


def remove_saved(name: str, environment: Mapping[str, str]) -> None:
    """Remove a saved search and its log. Raises `GoldpanError`."""
    SavedFolder.of(environment).remove(name)
    write_notes([f"removed {name} and its log"])


def print_log(name: str, output_format: str, environment: Mapping[str, str]) -> None:
    """Print the log of a saved search. Raises `GoldpanError`."""
    require_stdout()
    require_format(output_format, LOG_FORMATS)
    folder = SavedFolder.of(environment)
    search = folder.read(name)
    runs = _read_log(folder.log(name))
    if output_format == "json":
        write_stdout(escape_json(TypeAdapter(list[Run]).dump_json(runs, indent=2).decode()) + "\n")
        return
    write_stdout(render_report(name, search, runs))


def _read_log(path: Path) -> list[Run]:
    runs, broken = read_runs(path)
    if broken:
        write_notes([f"{path}: skipped {counted(broken, 'damaged lines')}"])
    return runs


def _print_changes(changes: Changes, answer: Answer, output_format: str) -> None:
    if output_format == "json":
        text = escape_json(changes.model_dump_json(indent=2)) + "\n"
    elif output_format == "markdown":
        text = render_changes(changes)
    else:
        text = render_change_table(changes, answer)
    write_stdout(text, sys.stdout.encoding or "utf-8" if output_format == "table" else "utf-8")
