"""`goldpan search`: makes the request from the options and the user's file, searches, and prints the answer."""

import os
import sys
from collections.abc import Mapping

import typer
from goldpan.config import PipelineConfig
from goldpan.contracts import SearchRequest, parse_request
from goldpan.errors import InvalidRequest
from goldpan.kinds import registry
from goldpan.kinds.answer import Answer
from goldpan.local.library_folder import library_file

from goldpan_local.exit_codes import require_stdout, write_notes
from goldpan_local.formats.fields import check_fields, filter_json
from goldpan_local.last_search import answer_request, continued, open_last_search
from goldpan_local.lazy_group import command
from goldpan_local.output import open_result, print_answer
from goldpan_local.presentations import results_of
from goldpan_local.search_options import SearchOptions, search_signature
from goldpan_local.search_request import checked, combine, is_continued, option_names, read_request, request_fields

MAX_STDIN = 40_000
"""Bytes of a question on stdin: 5,000 characters, and spaces."""


def search_app() -> typer.Typer:
    """Make the command, with the options of the kinds that are registered now."""
    search.__signature__ = search_signature()  # type: ignore[attr-defined] # typer reads the options there
    return command("search", "Example: goldpan search Rust web framework --source catalogue --format json")(search)


def search(**options: object) -> int:
    """Search for QUESTION, and print a ranked list of repositories or papers.

    QUESTION is what you are looking for, with or without quotes; - reads it from stdin. Defaults of these options can
    stand in goldpan/config.toml in XDG_CONFIG_HOME (~/.config).

    Exit codes: 0 success, 1 nothing found, 2 invalid input or settings, 3
    sources failed or out of time, 130 interrupted.
    """
    return run_search(options, os.environ)


def run_search(options: Mapping[str, object], environment: Mapping[str, str]) -> int:
    """Search, print the answer and return the exit code. Raises `GoldpanError`."""
    require_stdout()
    given, tuning = combine(options, environment)
    if "json" in given:
        if options.get("format") not in {None, "json"}:
            raise InvalidRequest(f"--json: prints JSON; leave out --format {options['format']}")
        given["format"] = "json"
    if given.get("all") and "offset" in given:
        raise InvalidRequest("--all: shows the results of all pages; leave out --offset")
    words = given.get("question")
    if is_continued(given):
        request = _continue(words, given, tuning, environment)
    else:
        request = read_request(_read_question(words), given, tuning)
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


def _continue(
    words: list[str] | None, given: SearchOptions, tuning: PipelineConfig | None, environment: Mapping[str, str]
) -> SearchRequest:
    """Make the request that continues the last search. Raises `InvalidRequest`."""
    if words:
        raise InvalidRequest("--refine: the question is that of the last search; leave out QUESTION or --refine")
    with open_last_search(environment) as last:
        if last is None:
            raise InvalidRequest("--refine: no search is kept: GOLDPAN_CACHE is off, or there is no cache folder")
        kept, names = last.read(), option_names()
    changes = request_fields(given, tuning, names)
    if "kinds" in changes:
        parse_request({"query": "any", "kinds": changes["kinds"], "feedback": given.get("refine", [])}, names)
    return checked(continued(kept, given.get("refine", []), changes), given, names)


def _read_question(words: list[str] | None) -> str:
    """Return the question; "-" reads it from stdin, its lines as one."""
    if not words:
        raise InvalidRequest("QUESTION: is required; `goldpan search -h` shows the options")
    if words != ["-"]:
        return " ".join(words)
    if sys.stdin is None:  # it was closed before the command began
        raise InvalidRequest("QUESTION: stdin is closed")
    text = sys.stdin.buffer.read(MAX_STDIN + 1)
    if len(text) > MAX_STDIN:
        raise InvalidRequest("QUESTION: stdin holds more than 5,000 characters")
    try:
        return " ".join(text.decode("utf-8-sig").split())
    except UnicodeDecodeError as error:
        raise InvalidRequest(f"QUESTION: stdin holds no UTF-8 text: {error.reason} at byte {error.start}") from error


def _search(request: SearchRequest, given: SearchOptions, environment: Mapping[str, str]) -> Answer:
    """Search, and save the search or keep what `--refine` continues."""
    if "save" in given:
        from goldpan_local.saved.running import save_and_search  # noqa: PLC0415 - the models of its log

        return save_and_search(request, given, environment)
    answer = answer_request(request, given, environment)
    if any(registry.get_kind(name).continues for name in request.kinds):
        with open_last_search(environment) as last:
            if last is not None:
                last.keep(request, answer)
    return answer
