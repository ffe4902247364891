"""`--json FIELDS` and `--jq EXPRESSION`: what a script gets of the results."""

import json
import sys

import pytest
from goldpan_local.formats.plain_text import filter_json

from tests.support.fixed_papers import use_papers
from tests.support.local import catalogue, use_runtime
from tests.unit.local.conftest import Run, refused

PAPERS = ("search", "attention", "--kind", "papers")


def test_chosen_fields_of_both_kinds_are_an_array(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A field that a kind lacks is null."""
    use_papers(monkeypatch)
    papers = run(*PAPERS, "--json", "title,year")
    assert json.loads(papers.stdout)[1] == {"title": "Внимание", "year": None}
    chosen = run(*PAPERS, "--json", "ids", "--jq", ".[0].ids.doi, [.[].ids.pmid]")
    assert chosen.stdout == '10.1000/attention\n["123", null]\n'
    assert json.loads(run(*PAPERS, "--format", "json", "--jq", ".papers.facets.by_year").stdout)[0]["value"] == "2021"
    use_runtime(monkeypatch, catalogue())
    found = run("search", "React animation library", "--source", "catalogue", "--json", "repo, stars,relevance")
    assert [*json.loads(found.stdout)[0]] == ["repo", "stars", "relevance"]
    both = run("search", "React animation", "--kind", "repositories", "--kind", "papers", "--json", "repo,title")
    assert json.loads(both.stdout)[0]["title"] is None, "papers failed"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--json", "titel"), "--json: 'titel' is unknown; allowed, with commas between: abstract, authors, "),
        (("--json", "titel"), "did you mean title?"),
        (("--json", "title", "--format", "csv"), "--json: prints JSON; leave out --format csv"),
        (("--json",), "--json: names no field; allowed, with commas between: abstract, authors, "),
        (("--json", "repo"), "--json: 'repo' is unknown"),
        (("--jq", "."), "--jq: needs --json FIELDS, or --format json for the whole answer"),
        (("--json", "title", "--jq", ".["), "--jq: jq: error: syntax error"),
        (("--json", "title", "--jq", ".[].title.x"), "--jq: Cannot index string with string"),
    ],
)
def test_what_is_no_field_and_no_expression_is_refused(
    run: Run, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], message: str
) -> None:
    """By the name of the option; before the search, if that is possible."""
    use_papers(monkeypatch)
    assert message in refused(run(*PAPERS, *options))


def test_hostile_text_reaches_no_terminal_and_a_missing_package_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A raw text loses its terminal commands, JSON has them escaped."""
    hostile = json.dumps(["\x1b[31mred\x1b]0;x\x07"])
    assert filter_json(".[0], .", hostile) == 'red\n["\\u001b[31mred\\u001b]0;x\\u0007"]\n'
    monkeypatch.setitem(sys.modules, "jq", None)
    missing = run("search", "attention", "--format", "json", "--jq", ".")
    assert (missing.exit_code, 'pip install "goldpan-search[jq]"' in missing.stderr) == (2, True)
