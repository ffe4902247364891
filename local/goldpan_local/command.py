"""The command: `goldpan search`, `goldpan serve`, `goldpan catalogue build`, `goldpan catalogue info`.

A module that a command needs is imported when that command runs, so that help and mistakes are answered at once.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from goldpan_local.catalogue_command import catalogue_app
from goldpan_local.serve.command import EXAMPLE as SERVE_EXAMPLE
from goldpan_local.serve.command import serve

EXAMPLE = 'Example: goldpan search "React animation library" --max-results 5'
app = typer.Typer(
    name="goldpan", add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None, epilog=EXAMPLE
)
app.add_typer(catalogue_app)


class Format(StrEnum):
    """How the answer is written."""

    table = "table"
    json = "json"
    markdown = "markdown"


def main() -> None:
    """Run the command."""
    app(prog_name="goldpan")


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and leave.", is_eager=True)] = False,  # noqa: FBT002 - an option
) -> None:
    """Turn a plain-language question into a ranked, explained list of GitHub repositories."""
    if version:
        from goldpan import __version__  # noqa: PLC0415

        typer.echo(f"goldpan {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("search", epilog='Example: goldpan search "Rust web framework" --source catalogue --format json')
def search(  # noqa: PLR0913, PLR0917 - one argument an option
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you look for, in quotes.")],
    kind: Annotated[list[str] | None, typer.Option(help="What to find; repeatable. Default: repositories.")] = None,
    mode: Annotated[str | None, typer.Option(help="focused, balanced (default) or exploratory.")] = None,
    max_results: Annotated[str | None, typer.Option(metavar="1-25", help="How many results. Default: 10.")] = None,
    max_seconds: Annotated[str | None, typer.Option(metavar="5-27", help="How long at most. Default: 25.")] = None,
    max_llm_calls: Annotated[
        str | None, typer.Option(metavar="0-60", help="Language model calls at most. Default: 40.")
    ] = None,
    source: Annotated[
        list[str] | None,
        typer.Option(help="github or catalogue; repeatable; only these are asked. Default: github, else the sample."),
    ] = None,
    catalogue: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Search this catalogue file instead of GitHub.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="JSON or TOML with overrides; null (JSON) switches a rule off.")
    ] = None,
    refresh: Annotated[bool, typer.Option("--refresh", help="Search anew, though the answer is remembered.")] = False,  # noqa: FBT002
    form: Annotated[Format, typer.Option("--format", help="How the answer is written.")] = Format.table,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress on stderr.")] = False,  # noqa: FBT002
) -> None:
    """Answer a question with a ranked list of repositories.

    Exit codes: 0 answered, 1 nothing found, 2 bad input or settings, 3 sources failed or out of time, 130 stopped.
    """
    given = {"query": question, "kinds": kind, "mode": mode, "sources": source}
    given |= {"max_results": max_results, "max_seconds": max_seconds, "max_llm_calls": max_llm_calls}
    from goldpan_local.endings import told_endings  # noqa: PLC0415

    with told_endings():
        from goldpan_local.search_command import answer_question  # noqa: PLC0415

        code = answer_question(
            {name: value for name, value in given.items() if value not in (None, [])},
            catalogue=catalogue,
            config=config,
            form=form.value,
            quiet=quiet,
            refresh=refresh,
        )
    raise typer.Exit(code)


app.command("serve", epilog=SERVE_EXAMPLE)(serve)
