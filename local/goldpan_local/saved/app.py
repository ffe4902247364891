"""`goldpan saved` and its commands."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated

import typer
from goldpan.errors import Misconfigured

from goldpan_local.completion import LOG_FORMATS, RUN_FORMATS, complete_from, format_option
from goldpan_local.exit_codes import exit_on_error
from goldpan_local.saved.commands import list_saved, print_log, remove_saved, run_saved
from goldpan_local.saved.folder import SavedFolder

SAVED_HELP = """Saved searches: what is new since the last run.

Without a command, list them. `goldpan search QUESTION --save NAME` saves one."""
saved_app = typer.Typer(name="saved", help=SAVED_HELP, add_completion=False, rich_markup_mode=None)


def saved_names() -> Sequence[str]:
    """Return the names of the saved searches, for a shell's completion; none if there is no folder for them."""
    try:
        return SavedFolder.of(os.environ).names()
    except Misconfigured:  # `goldpan saved` says which variable is missing; a shell can show no message here
        return []


NameArgument = Annotated[str, typer.Argument(metavar="NAME", autocompletion=complete_from(saved_names))]


@saved_app.callback(invoke_without_command=True)
def saved(context: typer.Context) -> None:
    """List the saved searches, which are in goldpan/saved in XDG_DATA_HOME (~/.local/share)."""
    if context.invoked_subcommand is None:
        with exit_on_error():
            list_saved(os.environ)


@saved_app.command("run", epilog="Example: goldpan saved run date-libraries --format json")
def run(
    name: NameArgument,
    output_format: Annotated[str, format_option(RUN_FORMATS, "table (default), json or markdown.")] = "table",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress on a terminal's stderr.")] = False,  # noqa: FBT002 - an option
) -> None:
    """Search again, and show what is new, what is gone and what moved since the last run.

    Exit codes: 0 something is new, 1 nothing is new, 2 invalid input, 3 sources failed or out of time.
    """
    with exit_on_error():
        code = run_saved(name, output_format.lower(), os.environ, quiet=quiet)
    raise typer.Exit(code)


@saved_app.command("log", epilog="Example: goldpan saved log date-libraries > search-report.md")
def log(
    name: NameArgument,
    output_format: Annotated[
        str, format_option(LOG_FORMATS, "markdown (default; a search report for an appendix) or json.")
    ] = "markdown",
) -> None:
    """Print the log of all runs: each source's query as sent, the counts, deduplication, rules, results, decisions."""
    with exit_on_error():
        print_log(name, output_format.lower(), os.environ)


@saved_app.command("remove")
def remove(name: NameArgument) -> None:
    """Remove a saved search and its log."""
    with exit_on_error():
        remove_saved(name, os.environ)
