"""`goldpan saved`: runs, lists and removes saved searches, and prints their logs."""

import os
from typing import Annotated

import typer
from goldpan.contracts import parse_request
from goldpan.errors import naming
from pydantic import TypeAdapter

from goldpan_local.exit_codes import NOTHING_FOUND, SUCCESS, write_json, write_notes
from goldpan_local.formats.terminal_markdown import write_document
from goldpan_local.option_values import DOCUMENT_FORMATS, Quiet, complete_from, format_option, one_of
from goldpan_local.saved.log import Run, changes_of, read_runs
from goldpan_local.saved.report import render_changes, render_report, render_saved
from goldpan_local.saved.running import NOW, SavedFolder, run_and_log
from goldpan_local.search_options import SearchOptions

LOG_FORMATS = ("markdown", "json")
SAVED_HELP = """Saved searches: what is new since the last run.

Without a command, list them. `goldpan search QUESTION --save NAME` saves one."""
saved_app = typer.Typer(name="saved", help=SAVED_HELP, add_completion=False, rich_markup_mode=None)


NameArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="The name of a saved search.",
        autocompletion=complete_from(lambda: SavedFolder(os.environ).names()),
    ),
]


@saved_app.callback(invoke_without_command=True)
def saved(context: typer.Context) -> None:
    """List the saved searches, which are in goldpan/saved in XDG_DATA_HOME (~/.local/share)."""
    if context.invoked_subcommand is None:
        write_document(render_saved(list(SavedFolder(os.environ).searches())), "table")


@saved_app.command("run", epilog="Example: goldpan saved run date-libraries --format json")
def run(
    name: NameArgument,
    output_format: Annotated[str, format_option(DOCUMENT_FORMATS, "table (default), json or markdown.")] = "table",
    *,
    quiet: Quiet = False,
) -> int:
    """Search again, and show what is new and what is gone since the last run.

    Exit codes: 0 something is new, 1 nothing is new, 2 invalid input, 3 sources failed or out of time.
    """
    chosen, folder = one_of("--format", output_format, DOCUMENT_FORMATS), SavedFolder(os.environ)
    search = folder.read(name)
    with naming(f"{name}: this version cannot run it"):
        request = parse_request(search.request)
    earlier = read_runs(folder.log(name))
    given: SearchOptions = {**NOW, "quiet": quiet}
    if search.catalogue:
        given["catalogue"] = search.catalogue
    answer, logged = run_and_log(folder, name, request, given, os.environ)
    changes = changes_of(name, logged, earlier)
    if chosen == "json":
        write_json(changes.model_dump_json(indent=2))
    else:
        write_document(render_changes(changes, answer), chosen)
    return SUCCESS if changes.new else NOTHING_FOUND


@saved_app.command("log", epilog="Example: goldpan saved log date-libraries > search-report.md")
def log(
    name: NameArgument,
    output_format: Annotated[
        str, format_option(LOG_FORMATS, "markdown (default; a search report for an appendix) or json.")
    ] = "markdown",
) -> None:
    """Print the log of all runs: each source's query as sent, the counts, deduplication, rules, results, decisions."""
    chosen, folder = one_of("--format", output_format, LOG_FORMATS), SavedFolder(os.environ)
    search, runs = folder.read(name), read_runs(folder.log(name))
    if chosen == "json":
        write_json(TypeAdapter(list[Run]).dump_json(runs, indent=2).decode())
    else:
        write_document(render_report(name, search, runs), chosen)


@saved_app.command("remove")
def remove(name: NameArgument) -> None:
    """Remove a saved search and its log."""
    SavedFolder(os.environ).remove(name)
    write_notes([f"removed {name} and its log"])
