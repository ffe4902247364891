"""`goldpan compare` and `goldpan like`: searches that name results, printed as any answer or side by side."""

import os
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, cast

import typer
from goldpan.kinds.repositories.kind import KIND
from goldpan.kinds.repositories.names import like_fields, parse_compare_request

from goldpan_local.exit_codes import NOTHING_FOUND, require_stdout
from goldpan_local.formats.notes import SCOUT
from goldpan_local.last_search import answer_request
from goldpan_local.lazy_group import command
from goldpan_local.option_values import COMPARISON_FORMATS, Quiet, format_option, one_of, option
from goldpan_local.output import print_answer
from goldpan_local.search_command import run_search
from goldpan_local.search_options import Flag, SearchOptions, Texts, search_signature

NOT_FOR_LIKE = {"question", "kind", "preference", "refine", "project", "library_only", "add_to"}
"""The options of a search that `goldpan like` does not have: its question and kind are given."""
SOURCE_HELP = f"{' or '.join(KIND.sources)}; repeatable; no others are asked. Default: all."
RepoArgument = Annotated[str, typer.Argument(metavar="OWNER/NAME", help="A repository, or the address of its page.")]


@command("compare", epilog="Example: goldpan compare pmndrs/react-spring formkit/auto-animate")
def compare(  # noqa: PLR0913, PLR0917 - the options of a command
    repos: Annotated[list[str], typer.Argument(metavar="OWNER/NAME...", hidden=True)],
    query: Annotated[str | None, option("QUESTION", "Order them by their fit to this question.", "--query")] = None,
    source: Annotated[Texts, option("NAME", SOURCE_HELP, values=lambda: KIND.sources)] = None,
    catalogue: Annotated[
        Path | None, option("FILE", "Look them up in this catalogue file instead of at GitHub.")
    ] = None,
    refresh: Annotated[Flag, option(None, "Ask again even if the answer is cached.", "--refresh")] = None,
    output_format: Annotated[
        str | None, format_option(COMPARISON_FORMATS, "table (default, side by side), json, markdown, csv or urls.")
    ] = None,
    *,
    quiet: Quiet = False,
) -> int:
    """Compare two to four repositories side by side: six dimensions, facts and caveats.

    Each is OWNER/NAME, or the address of its page.

    Exit codes: 0 success, 1 one of them not found, 2 invalid input or settings, 3 sources failed or out of time.
    """
    require_stdout()
    named = [name.lower() for name in source or ()]
    typed = {"source": named, "catalogue": catalogue, "refresh": refresh, "quiet": quiet}
    given = cast("SearchOptions", {name: value for name, value in typed.items() if value})
    chosen = one_of("--format", output_format or COMPARISON_FORMATS[0], COMPARISON_FORMATS)
    request = parse_compare_request({"repos": repos, "query": query}, **({"sources": named} if named else {}))
    answer = answer_request(request, given, os.environ)
    code = print_answer(answer, {**given, "format": chosen, "compared": True}, os.environ)
    return NOTHING_FOUND if any(row.stage == SCOUT for row in answer.errors) else code


def like_app() -> typer.Typer:
    """Make the command, which has the options of a search for repositories."""
    repo = Parameter("repo", Parameter.KEYWORD_ONLY, annotation=RepoArgument)
    options = [each for each in search_signature(KIND.name).parameters.values() if each.name not in NOT_FOR_LIKE]
    like.__signature__ = Signature([repo, *options])  # type: ignore[attr-defined] # typer reads the options there
    return command("like", epilog="Example: goldpan like pmndrs/react-spring --language TypeScript -n 5")(like)


def like(repo: str, **options: object) -> int:
    """Search for what is like a repository: its topics, description and language become the question.

    The repository itself is left out. The options are those of `goldpan search` for repositories.

    Exit codes: 0 success, 1 nothing found, 2 invalid input or no such repository, 3 sources failed or out of time.
    """
    question = like_fields({"repo": repo})["query"]
    return run_search({**options, "question": [question], "kind": [KIND.name]}, os.environ)
