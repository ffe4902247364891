"""`goldpan search`, `like` and `compare`: each makes its request from the options, searches, and prints the answer."""

import os
import sys
from collections.abc import Mapping
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, cast

import typer
from goldpan.contracts import SearchRequest
from goldpan.contracts.kinds import require_able_kind
from goldpan.errors import InvalidRequest, naming
from goldpan.kinds import registry
from goldpan.kinds.answer import Answer
from goldpan.kinds.repositories.kind import KIND
from goldpan.kinds.repositories.names import like_fields, parse_compare_request
from goldpan.local.bootstrap import open_connections
from goldpan.local.library_folder import library_file

from goldpan_local.exit_codes import NOTHING_FOUND, write_notes
from goldpan_local.formats.notes import SCOUT
from goldpan_local.formats.plain_text import check_fields, filter_json
from goldpan_local.last_search import answer_request, continued, keep_last, read_last
from goldpan_local.lazy_group import command
from goldpan_local.option_values import COMPARISON_FORMATS, Quiet, format_option, one_of, option
from goldpan_local.output import open_result, print_answer
from goldpan_local.presentations import results_of
from goldpan_local.search_options import Flag, SearchOptions, Texts, search_signature
from goldpan_local.search_request import checked, combine, is_continued, read_request

MAX_STDIN = 40_000
"""Bytes of a question on stdin: 5,000 characters, and spaces."""

NOT_FOR_LIKE = {"question", "kind", "preference", "refine", "project", "library_only", "add_to"}
"""The options of a search that `goldpan like` does not have: its question and kind are given."""
SOURCE_HELP = f"{' or '.join(KIND.sources)}; repeatable; no others are asked. Default: all."
RepoArgument = Annotated[str, typer.Argument(metavar="OWNER/NAME", help="A repository, or the address of its page.")]


def search_app() -> typer.Typer:
    """Make the command, with the options of the kinds that are registered now."""
    search.__signature__ = search_signature()  # type: ignore[attr-defined] # typer reads the options there
    return command("search", "Example: goldpan search Rust web framework --source catalogue --format json")(search)


def search(**options: object) -> int:
    """Search for QUESTION, and print a ranked list of repositories or papers.

    QUESTION is what you are looking for, with or without quotes; - reads it from stdin. Defaults of some options can
    stand in goldpan/config.toml in XDG_CONFIG_HOME (~/.config).

    Exit codes: 0 success, 1 nothing found, 2 invalid input or settings, 3
    sources failed or out of time, 130 interrupted.
    """
    return run_search(options, os.environ)


def run_search(options: Mapping[str, object], environment: Mapping[str, str]) -> int:
    """Search, print the answer and return the exit code. Raises `GoldpanError`."""
    given = combine(options, environment)
    if "json" in given:
        if options.get("format") not in {None, "json"}:
            raise InvalidRequest(f"--json: prints JSON; leave out --format {options['format']}")
        given["format"] = "json"
    if given.get("all") and "offset" in given:
        raise InvalidRequest("--all: shows the results of all pages; leave out --offset")
    if given.get("all") and "save" in given:
        raise InvalidRequest("--all: a saved search logs one page of results; leave out --all, or raise -n")
    words = given.get("question")
    if is_continued(given):
        request = _continue(words, given, environment)
    else:
        request = read_request(_read_question(words), given)
    _check_before(given, request, environment)
    answer = _search(request, given, environment)
    code = print_answer(answer, {**given, "sort": request.sort}, environment)
    if "add_to" in given:
        from goldpan_local.library_commands.libraries import add_papers  # noqa: PLC0415 - the library, with --add-to only

        shown = [result for _, result in results_of(answer, weaker=given.get("weaker", False))]
        write_notes(add_papers(given["add_to"], shown, environment))
    if "open" in given:
        open_result(answer, given["open"], weaker=given.get("weaker", False))
    return code


@command("compare", epilog="Example: goldpan compare pmndrs/react-spring formkit/auto-animate")
def compare(  # noqa: PLR0913, PLR0917 - the options of a command
    repos: Annotated[list[str], typer.Argument(metavar="OWNER/NAME", hidden=True)],
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


def _check_before(given: SearchOptions, request: SearchRequest, environment: Mapping[str, str]) -> None:
    """Raise `InvalidRequest` for what would fail only once the search has ended."""
    if "json" in given:
        check_fields(given["json"], request.kinds)
    if "jq" in given:
        if given.get("format") != "json":
            raise InvalidRequest("--jq: needs --json FIELDS, or --format json for the whole answer")
        filter_json(given["jq"])
    if "add_to" in given:
        library_file(given["add_to"], environment, "--add-to")
        with naming("--add-to", ValueError):
            require_able_kind("project_id", given["add_to"], request.kinds)


def _continue(words: list[str] | None, given: SearchOptions, environment: Mapping[str, str]) -> SearchRequest:
    """Make the request that continues the last search, in its catalogue. Raises `InvalidRequest`."""
    if words:
        raise InvalidRequest("--refine: the question is that of the last search; leave out QUESTION or --refine")
    with open_connections(environment) as opened:
        kept = read_last(opened)
    request = checked(continued(kept, given), given)
    if kept and kept.catalogue:
        given.setdefault("catalogue", kept.catalogue)
    return request


def _read_question(words: list[str] | None) -> str:
    """Return the question; "-" reads it from stdin, its lines as one."""
    if not words:
        raise InvalidRequest("QUESTION: is required; `goldpan search -h` shows the options")
    if words != ["-"]:
        return " ".join(words)
    text = sys.stdin.buffer.read(MAX_STDIN + 1)
    if len(text) > MAX_STDIN:
        raise InvalidRequest("QUESTION: stdin holds more than 5,000 characters")
    try:
        return " ".join(text.decode("utf-8-sig").split())
    except UnicodeDecodeError as error:
        raise InvalidRequest(f"QUESTION: stdin holds no UTF-8 text: {error.reason} at byte {error.start}") from error


def _search(request: SearchRequest, given: SearchOptions, environment: Mapping[str, str]) -> Answer:
    """Search, save the search if asked to, and keep what `--refine` continues."""
    if "save" in given:
        from goldpan_local.saved.running import save_and_search  # noqa: PLC0415 - the models of its log

        answer = save_and_search(request, given, environment)
    else:
        answer = answer_request(request, given, environment)
    if any(registry.get_kind(name).continues for name in request.kinds):
        with open_connections(environment) as opened:
            keep_last(opened, request, answer, given.get("catalogue"))
    return answer
