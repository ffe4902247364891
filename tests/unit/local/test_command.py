"""The command line: help, usage errors, what goes to stdout and what to stderr, and what is imported for it."""

import gc
import json
import logging
import re
import socket
from pathlib import Path
from unittest.mock import Mock

import pytest
from goldpan import __version__
from goldpan_local.command import _OncePerFailure
from goldpan_local.lazy_group import LazyCommand
from goldpan_local.search_command import MAX_STDIN

from tests.support.local import catalogue, use_runtime
from tests.unit.local.conftest import Run, refused

QUESTION = "React animation library"
PAPERS = ("search", "x", "--kind", "papers")
FORMATS = ("table", "json", "markdown", "csv", "urls", "compact")


def test_without_arguments_it_shows_help(run: Run) -> None:
    """The bare command and the bare group show their help."""
    assert "Example: goldpan search React animation library -n 5" in run().stdout
    assert "Usage: goldpan catalogue" in run("catalogue").stdout
    assert run("--version").stdout == f"goldpan {__version__}\n"
    catalogue_commands = [f"catalogue {name}" for name in ("build", "info", "crawl", "update", "enrich")]
    for command in ("search", "compare", "like", "analyze", "saved run", "serve", "dedupe", *catalogue_commands):
        shown = run(*command.split(), "-h").stdout
        assert f"Example: goldpan {command}" in shown
        assert "<list[" not in shown
    described = " ".join(run("search", "-h").stdout.split())
    assert "relevance (default); repositories: stars, pushed, overall; papers:" in described
    assert "Nothing that is this; repeatable." in described
    assert "bibtex" not in run("like", "-h").stdout
    headings = re.findall(r"^(\S.*):$", run("search", "-h").stdout, re.MULTILINE)
    filters = [f"Filters of {each}" for each in ("repositories", "repositories and papers", "papers")]
    assert headings == ["Search", *filters, "Your library of papers", "Output", "Options"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("search", "x", "--min-stars", "many"), "--min-stars: must be a whole number (given 'many')"),
        (("search", "x", "--format", "jsn"), "urls, compact, bibtex, ris, csl-json; did you mean json?"),
        (("search", "caf\udce9"), "QUESTION: must be valid UTF-8"),
        (("search", "-"), "QUESTION: must have at least 1 character"),
        (("search", "x", "--catalogue", "c.sqlite", "--source", "github"), "--source leaves the catalogue out"),
        (("serch", "x"), "Did you mean 'search'"),
        (("search", "x", "--all", "--offset", "3"), "--all: shows the results of all pages; leave out --offset"),
        (("search", "x", "--all", "--save", "x"), "--all: a saved search logs one page of results; leave out --all"),
        (("compare", "a/a", "b/b", "--source", "arxiv"), "--source: repositories needs one of github, catalogue"),
        (("compare", "a/a", "b/b", "--format", "jsn"), "allowed: table, json, markdown, csv, urls; did you mean json?"),
        (("like", "a/a", "--year", "2020"), "No such option"),
        (("library", "import", ".", "--project", "../x"), "--project: must have 1 to 64 characters: "),
        (("library", "chunks", "x", "-k", "0"), "-k: must be a whole number from 1 to 100 (given '0')"),
        ((*PAPERS, "--year", "20x"), "--year: must be a year or a range such as 2020, 2020..2024, 2020.. or ..2024"),
        ((*PAPERS, "--year", "2024..2020"), "--year: the range ends before it begins"),
        (("search", "x", "--year", "2020..2024"), "--year: is a filter of papers, which kinds (--kind) does not name"),
        (("search", "x", "--format", "bibtex"), "--format: bibtex is for papers; --kind papers searches for them"),
        (("search", "x", "--project", "thesis"), "--project: is for a search of papers, which kinds (--kind) does not"),
        (("search", "x", "--add-to", "mine"), "--add-to: is for a search of papers, which kinds (--kind) does not"),
        ((*PAPERS, "--add-to", "My papers"), "--add-to: must have 1 to 64 characters"),
        (("search", "--ignore", "y"), "goldpan: no search is kept: GOLDPAN_CACHE is off, or there is no cache folder"),
        (("search", "x", "--refine", "y"), "--refine: the question is that of the last search; leave out QUESTION"),
        ((*PAPERS, "--json", "titel"), "did you mean title?"),
        ((*PAPERS, "--json", "title", "--format", "csv"), "--json: prints JSON; leave out --format csv"),
        ((*PAPERS, "--json"), "--json: names no field; allowed, with commas between: abstract, authors, "),
        ((*PAPERS, "--jq", "."), "--jq: needs --json FIELDS, or --format json for the whole answer"),
        (("analyze", "flask"), "repo: must be OWNER/NAME, such as pallets/flask"),
        (("serve", "--catalogue", "missing.sqlite"), "no catalogue at missing.sqlite"),
        (("serve", "--port", "9" * 5000), "--port: must be a whole number from 0 to 65535"),
    ],
)
def test_invalid_input_exits_with_2_and_is_named(run: Run, arguments: tuple[str, ...], message: str) -> None:
    """The message names the field or option and what is allowed; nothing goes to stdout."""
    assert message in refused(run(*arguments))


@pytest.mark.parametrize("command", [("search", "x", "--source", "catalogue"), ("serve",)])
def test_an_invalid_setting_exits_with_2_and_is_named(run: Run, command: tuple[str, ...]) -> None:
    """A setting that lacks another one is reported at once, by a server before it listens."""
    assert refused(run(*command, env={"LLM_API_KEY": "k"})).startswith("goldpan: LLM_BASE_URL is not set")


def test_nothing_but_the_answer_is_written_to_a_pipe(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress is for a terminal; an answer without a result has the exit code 1."""
    use_runtime(monkeypatch, catalogue())
    for output_format in FORMATS:
        result = run("search", QUESTION, "--format", output_format)
        assert (result.exit_code, result.stderr, "glide/glide" in result.stdout) == (0, "", True)
        nothing = run("search", "quantum chemistry", "--format", output_format)
        assert (nothing.exit_code, "glide/glide" in nothing.stdout) == (1, False)


def test_a_question_needs_no_quotes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its words may stand beside options; a dash reads them from stdin, on any number of lines."""
    use_runtime(monkeypatch, catalogue())
    options = ("--format", "JSON", "--mode", "Focused", "-n", "1")
    unquoted = json.loads(run("search", "React", "animation", *options, "library").stdout)
    piped = json.loads(run("search", "-", *options, stdin="\ufeffReact animation\nlibrary\n").stdout)
    for answer in (unquoted, piped):
        assert (answer["query"], answer["mode"]) == (QUESTION, "focused")
        assert len(answer["repositories"]["results"]) == 1
    full = QUESTION.ljust(MAX_STDIN)
    assert run("search", "-", *options, stdin=full).exit_code == 0
    assert "stdin holds more than 5,000 characters" in refused(run("search", "-", *options, stdin=f"{full} "))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands_options_and_their_values(run: Run, shell: str) -> None:
    """Only what can be asked for is offered."""
    assert "goldpan" in run(env={"_GOLDPAN_COMPLETE": f"source_{shell}"}).stdout

    def complete(*words: str) -> str:
        typed = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
        fish = {"_TYPER_COMPLETE_ARGS": " ".join(words), "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
        return run(env={"_GOLDPAN_COMPLETE": f"complete_{shell}", **typed, **fish}).stdout

    assert "search" in complete("goldpan", "se")
    assert "--max-results" in complete("goldpan", "search", "--max-r")
    sources = re.findall(r"\w+", complete("goldpan", "search", "x", "--source", "g"))
    assert sources in (["github"], ["_arguments", "github"])
    assert [name for name in FORMATS if name not in complete("goldpan", "search", "--format", "")] == []
    assert "exploratory" in complete("goldpan", "search", "--mode", "ex")
    assert "pushed" in complete("goldpan", "search", "--sort", "pu")
    assert "repositories" in complete("goldpan", "search", "--kind", "re")


def test_options_reach_the_search(run: Run, tmp_path: Path) -> None:
    """Each option of the request changes the answer; every format prints a question in any script as it was typed."""
    options = ("--mode", "focused", "--max-results", "3", "--max-llm-calls", "0", "--max-seconds", "9", "-q")
    result = run("search", QUESTION, "--source", "catalogue", *options, "--format", "json")
    answer = json.loads(result.stdout)
    assert (answer["mode"], len(answer["repositories"]["results"])) == ("focused", 3)
    filters = ("--language", "javascript", "--license", "mit", "--min-stars", "100", "--exclude", "jquery")
    named = run("search", "date library", "--source", "catalogue", *filters, "--sort", "stars", "--details", "-q")
    assert "read as: date library" in named.stdout
    assert "licence MIT" in named.stdout
    assert "ordered by stars" in " ".join(named.stdout.split())
    question = "анимация для React 🎉"
    shown = [run("search", question, "--source", "catalogue", "--format", form) for form in FORMATS[:3]]
    assert [question in result.stdout_bytes.decode() for result in shown] == [True, True, True]
    cache = {"GOLDPAN_CACHE": str(tmp_path / "cache.sqlite")}
    compared = ("compare", "pallets/flask", "vuejs/core", "--source", "Catalogue", "--format", "json")
    answers = [json.loads(run(*compared, *more, env=cache).stdout) for more in ((), (), ("--refresh",))]
    assert [each["cached"] for each in answers] == [False, True, False]


def test_the_sample_answers_if_github_cannot_be_reached(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer shows the failed source beside the one that answered; a source that is named is asked alone."""
    for name in ("create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, Mock(side_effect=OSError(113, "No route to host")))
    result = run("search", QUESTION)
    parts = ("github unavailable: stars", "No route to host", "Answered from the embedded sample catalogue of")
    assert (result.exit_code, [text for text in parts if text not in result.stdout]) == (0, [])
    assert run("search", QUESTION, "--source", "github").exit_code == 3
    both = run("search", QUESTION, "--source", "github", "--source", "catalogue", "--format", "json")
    rows = {(row["source"], row["status"]) for row in json.loads(both.stdout)["sources"]}
    assert {("github", "unavailable"), ("catalogue", "ok")} <= rows


def test_help_and_completion_import_no_command(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their lines are known without; a wrong name is refused with the same speed."""
    monkeypatch.setattr(LazyCommand, "load", Mock(side_effect=AssertionError))
    assert "Compare repositories side by side." in run("-h").stdout
    completion = {"_GOLDPAN_COMPLETE": "complete_bash", "COMP_WORDS": "goldpan\nse", "COMP_CWORD": "1"}
    assert run(env=completion).stdout.split() == ["search", "serve"]
    assert run("serach").exit_code == 2


@pytest.mark.parametrize(("command", "collects"), [("search", False), ("serve", True), ("library", True)])
def test_only_short_commands_collect_no_garbage(run: Run, command: str, *, collects: bool) -> None:
    """A search ends before it matters; a server and an import do not."""
    gc.disable()
    try:
        run(command, "-h")
        assert gc.isenabled() is collects
    finally:
        gc.enable()


def test_stores_of_one_file_fail_with_one_warning() -> None:
    """The same reason is logged again after ten seconds, another one at once."""
    once, said = _OncePerFailure(), [("cache: down", 0), ("locks: down", 5), ("cache: down", 15), ("cache: down", 25.1)]
    said += [("cache: full", 26), ("cache: down", 27)]
    records = [logging.makeLogRecord({"msg": message, "created": at}) for message, at in said]
    assert [once.filter(record) for record in records] == [True, False, False, True, True, True]
