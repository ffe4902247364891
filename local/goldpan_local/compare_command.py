"""`goldpan compare` and `goldpan like`: searches that name results, printed as any answer or side by side."""

from __future__ import annotations

import os
from collections.abc import Mapping
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, cast

import typer
from goldpan.kinds.repositories.kind import KIND
from goldpan.kinds.repositories.named_requests import like_fields, parse_compare_request

from goldpan_local.answering import answer_request
from goldpan_local.completion import COMPARISON_FORMATS, complete_from, format_option
from goldpan_local.exit_codes import exit_on_error, require_stdout
from goldpan_local.output import print_answer
from goldpan_local.search_command import run_search
from goldpan_local.search_options import Flag, SearchOptions, Texts, search_signature
from goldpan_local.search_request import require_format

NOT_FOR_LIKE = {"question", "kind", "refine", "project", "library_only"}
"""The options of a search that `goldpan like` does not have: its question and kind are given."""
RepoArgument = Annotated[str, typer.Argument(metavar="OWNER/NAME", help="A repository, or the address of its page.")]
compare_app = typer.Typer(add_completion=False, rich_markup_mode=None)


@compare_app.command("compare", epilog="Example: goldpan compare pmndrs/react-spring formkit/auto-animate")
def compare(  # noqa: PLR0913, PLR0917 - the options of a command
    repos: Annotated[list[str], typer.Argument(metavar="OWNER/NAME...", hidden=True)],
    query: Annotated[
        str | None, typer.Option("--query", "-q", metavar="QUESTION", help="Order them by their fit to this question.")
    ] = None,
    source: Annotated[
        Texts,
        typer.Option(
            metavar="NAME",
            help=f"{' or '.join(KIND.sources)}; repeatable; no fallback. Default: {KIND.sources[0]}.",
            autocompletion=complete_from(lambda: KIND.sources),
        ),
    ] = None,
    catalogue: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Look them up in this catalogue file instead of at GitHub.")
    ] = None,
    refresh: Annotated[Flag, typer.Option("--refresh", help="Ask again even if the answer is cached.")] = None,
    output_format: Annotated[
        str | None, format_option(COMPARISON_FORMATS, "table (default, side by side), json, markdown, csv or urls.")
    ] = None,
    quiet: Annotated[Flag, typer.Option("--quiet", help="Show no progress on a terminal's stderr.")] = None,
) -> None:
    """Compare two to four repositories side by side: six dimensions, facts and caveats.

    Each is OWNER/NAME, or the address of its page.

    Exit codes: 0 success, 1 none of them found, 2 invalid input or settings, 3 sources failed or out of time.
    """
    given = {
        "source": source and [name.lower() for name in source],
        "catalogue": catalogue,
        "refresh": refresh,
        "format": output_format and output_format.lower(),
        "quiet": quiet,
    }
    with exit_on_error():
        typed = cast("SearchOptions", {name: value for name, value in given.items() if value})
        code = run_compare(repos, query, typed, os.environ)
    raise typer.Exit(code)


def run_compare(repos: list[str], query: str | None, given: SearchOptions, environment: Mapping[str, str]) -> int:
    """Compare repositories, print the answer and return the exit code. Raises `GoldpanError`."""
    require_stdout()
    require_format(given.get("format", COMPARISON_FORMATS[0]), COMPARISON_FORMATS)
    more = {"sources": given["source"]} if "source" in given else {}
    request = parse_compare_request({"repos": repos, "query": query}, **more)
    return print_answer(answer_request(request, given, environment), {**given, "compared": True}, environment)


def like_app() -> typer.Typer:
    """Make the command, which has the options of a search for repositories."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    repo = Parameter("repo", Parameter.KEYWORD_ONLY, annotation=RepoArgument)
    options = [each for each in search_signature(KIND.name).parameters.values() if each.name not in NOT_FOR_LIKE]
    like.__signature__ = Signature([repo, *options])  # type: ignore[attr-defined] # typer reads the options there
    app.command("like", epilog="Example: goldpan like pmndrs/react-spring --language TypeScript -n 5")(like)
    return app


def like(repo: str, **options: object) -> None:
    """Search for what is like a repository: its topics, description and language become the question.

    The repository itself is left out. The options are those of `goldpan search` for repositories.

    Exit codes: 0 success, 1 nothing found, 2 invalid input or no such repository, 3 sources failed or out of time.
    """
    with exit_on_error():
        question = like_fields({"repo": repo})["query"]
        code = run_search({**options, "question": [question], "kind": [KIND.name]}, os.environ)
    raise typer.Exit(code)
