"""The command `goldpan`, with its commands by name."""

import gc
import logging
import os
import sys
from typing import Annotated

import typer
from goldpan.version import __version__

from goldpan_local.exit_codes import INVALID_INPUT, discard, open_closed_streams, write_notes
from goldpan_local.lazy_group import LazyCommand, lazy_group, show_help

COMMANDS = {
    "search": LazyCommand("search_command:search_app", "Search, and print a ranked list.", is_short=True),
    "compare": LazyCommand("search_command:compare", "Compare repositories side by side.", is_short=True),
    "like": LazyCommand("search_command:like_app", "Search for what is like a repository.", is_short=True),
    "analyze": LazyCommand("analyze_command:analyze_repository", "Look closely at one repository.", is_short=True),
    "doctor": LazyCommand("doctor_command:doctor", "Check keys, limits and files, and say what to do.", is_short=True),
    "serve": LazyCommand("server.http_server:serve", "Answer over HTTP, and show a page."),
    "mcp": LazyCommand("agents.server:mcp", "Offer the searches to an agent."),
    "dedupe": LazyCommand("dedupe.command:dedupe", "Find the same papers in a file."),
    "catalogue": LazyCommand("catalogue_commands:catalogue_app", "Build, grow and inspect catalogue files."),
    "library": LazyCommand("library_commands:library_app", "Search your own papers and notes."),
    "saved": LazyCommand("saved.app:saved_app", "Saved searches: what is new since the last run."),
}
SAME_FAILURE_SECONDS = 10.0
app = typer.Typer(
    name="goldpan",
    cls=lazy_group(COMMANDS),
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Example: goldpan search React animation library -n 5",
)


def main() -> None:
    """Run the command."""
    open_closed_streams()
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # to look for them reads all that is installed
    logging.getLogger("goldpan.infra.table").addFilter(_OncePerFailure())
    gc.disable()  # to look for garbage takes a fifth of a short search, whose memory is free when it ends
    try:
        app(prog_name="goldpan")
    except OSError as error:  # commands handle their own; this is the help text on stdout
        discard(sys.stdout)
        write_notes([f"stdout: {error.strerror or error}"])
        raise SystemExit(INVALID_INPUT) from error
    finally:
        gc.freeze()  # the interpreter would look once more at its exit


class _OncePerFailure(logging.Filter):
    """Drops the warnings of a store that repeat the reason of another: the stores of one machine share a file."""

    last: tuple[str, float] = ("", 0.0)

    def filter(self, record: logging.LogRecord) -> bool:
        """Report whether this reason was not the last one, some seconds ago."""
        before, self.last = self.last, (record.getMessage().partition(": ")[2], record.created)
        return self.last[0] != before[0] or self.last[1] - before[1] > SAME_FAILURE_SECONDS


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.", is_eager=True)] = False,  # noqa: FBT002 - an option
) -> None:
    """Turn a plain-language question into a ranked, explained list of GitHub repositories or papers."""
    if version:
        typer.echo(f"goldpan {__version__}")
        raise typer.Exit
    show_help(context)
