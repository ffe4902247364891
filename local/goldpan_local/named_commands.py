"""`goldpan compare` and `goldpan like`: the arguments and options of the commands that name repositories."""

from __future__ import annotations

import os
from dataclasses import dataclass
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from goldpan_local.completion import COMPARISON_FORMATS, complete_from, format_option
from goldpan_local.exit_codes import exit_on_error
from goldpan_local.search_options import Flag, SearchOptions, Texts

NOT_FOR_LIKE = {"question", "kind", "refine", "year", "venue", "author", "type", "open_access"} | {
    "project",
    "library_only",
}
"""The options of a search that are not those of `goldpan like`: they are of papers, or are the question."""
RepoArgument = Annotated[str, typer.Argument(metavar="OWNER/NAME", help="A repository, or the address of its page.")]


@dataclass(frozen=True)
class CompareOptions:
    """The arguments and options of `goldpan compare`, as typed."""

    repos: Annotated[list[str], typer.Argument(metavar="OWNER/NAME...", hidden=True)]
    """Hidden, because the help would give its type, `list[str]`; the help of the command describes it."""
    query: Annotated[
        str | None, typer.Option("--query", "-q", metavar="QUESTION", help="Order them by their fit to this question.")
    ] = None
    source: Annotated[
        Texts,
        typer.Option(
            metavar="NAME",
            help="github or catalogue; repeatable; no fallback. Default: github.",
            autocompletion=complete_from(lambda: ("github", "catalogue")),
        ),
    ] = None
    catalogue: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Look them up in this catalogue file instead of at GitHub.")
    ] = None
    refresh: Annotated[Flag, typer.Option("--refresh", help="Ask again even if the answer is cached.")] = None
    format: Annotated[
        str | None, format_option(COMPARISON_FORMATS, "table (default, side by side), json, markdown, csv or urls.")
    ] = None
    quiet: Annotated[Flag, typer.Option("--quiet", help="Show no progress on a terminal's stderr.")] = None


def compare(**options: Any) -> None:
    """Compare two to four repositories side by side: six dimensions, facts and caveats.

    Each is OWNER/NAME, or the address of its page.

    Exit codes: 0 success, 1 none of them found, 2 invalid input or settings, 3 sources failed or out of time.
    """
    with exit_on_error():
        from goldpan_local.compare_command import run_compare  # noqa: PLC0415

        code = run_compare(CompareOptions(**options), os.environ)
    raise typer.Exit(code)


def like(repo: str, **options: Any) -> None:
    """Search for what is like a repository: its topics, description and language become the question.

    The repository itself is left out. The options are those of `goldpan search` for repositories.

    Exit codes: 0 success, 1 nothing found, 2 invalid input or no such repository, 3 sources failed or out of time.
    """
    with exit_on_error():
        from goldpan_local.compare_command import run_like  # noqa: PLC0415

        code = run_like(repo, SearchOptions(**options), os.environ)
    raise typer.Exit(code)


def _like_signature() -> Signature:
    """Return the repository and the options of a search, which typer reads from there."""
    given = signature(SearchOptions, eval_str=True).parameters.values()
    repo = Parameter("repo", Parameter.POSITIONAL_OR_KEYWORD, annotation=RepoArgument)
    return Signature([repo, *(each for each in given if each.name not in NOT_FOR_LIKE)])


def add_named_commands(app: typer.Typer) -> None:
    """Add both commands."""
    compare.__signature__ = signature(CompareOptions, eval_str=True)  # type: ignore[attr-defined] # as below
    like.__signature__ = _like_signature()  # type: ignore[attr-defined] # typer reads the options there
    app.command("compare", epilog="Example: goldpan compare pmndrs/react-spring formkit/auto-animate")(compare)
    app.command("like", epilog="Example: goldpan like pmndrs/react-spring --language TypeScript -n 5")(like)
