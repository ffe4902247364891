"""The answer as text for others: Markdown, and what a script gets by `--json FIELDS` and `--jq EXPRESSION`."""

import json
import sys

import pytest
from goldpan_local.formats.plain_text import filter_json, render_markdown
from markdown_it import MarkdownIt

from tests.support.fixed_papers import use_papers
from tests.support.local import ANSWER, HOSTILE, answer, catalogue, use_runtime
from tests.unit.local.conftest import Run, refused

PAPERS = ("search", "attention", "--kind", "papers")
EXPECTED = r"""# React animation

1. **[motion/react-motion](<https://github.com/motion/react-motion>)** - 21,456 stars, TypeScript, relevance 0.92

   Springs for \*React\*.

   Scores: overall 7.4, maturity 9.8, activity 3.1, documentation 7.0, community 6.5, ease of use 6.0, maintenance 4.2

   Why: It animates with springs.

   Caveat: No push for 11 months.

2. **glide/glide** - stars unknown, language unknown, relevance 0.40

   Scores: overall -, maturity -, activity -, documentation -, community -, ease of use -, maintenance -

   Why: Matches “animation” in the name.

## Warnings

- One strategy failed.

## Errors

- expanded failed

## Sources

- github: ok, 40 by stars, recency
- github: rate limited, expanded; no searches left; try again at 03:05:00 UTC

2 shown of 2 that fit and 1,057 found, 1.2 s, 3 language model calls, 1,600 tokens, \$0.0012
"""


def test_the_whole_answer() -> None:
    """Every fact is in the Markdown, and an address that is not http or https is no link."""
    assert render_markdown(answer()) == EXPECTED


def test_external_text_adds_no_structure() -> None:
    """A Markdown reader sees hostile text as text, wherever it stands."""
    row = {"kind": "repositories", "strategy": HOSTILE, "source": "github", "status": "ok", "detail": HOSTILE}
    error = {"stage": HOSTILE, "error": f"{HOSTILE} failed", "timestamp": "2026-01-02T03:04:05Z"}
    facts = {"repo": HOSTILE, "description": HOSTILE, "language": HOSTILE, "reasoning": HOSTILE, "caveats": [HOSTILE]}
    rows = [ANSWER["repositories"]["results"][0] | facts | more for more in ({}, {"url": "javascript:alert(1)"})]
    section = ANSWER["repositories"] | {"results": rows}
    everywhere = {"query": HOSTILE, "warnings": [HOSTILE], "errors": [error], "sources": [row]}
    shown = render_markdown(answer(**everywhere, repositories=section))
    html = MarkdownIt("commonmark").render(shown)
    assert "\x1b" not in shown
    assert "<script" not in html
    assert html.count("<a ") == 1
    assert html.count("[red]x[/red]&lt;script&gt;") == 16


def test_chosen_fields_of_both_kinds_are_an_array(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A field that a kind lacks is null."""
    use_papers(monkeypatch)
    papers = run(*PAPERS, "--json", "title,year")
    assert json.loads(papers.stdout)[1] == {"title": "Внимание", "year": None}
    chosen = run(*PAPERS, "--json", "ids", "--jq", ".[0].ids.doi, [.[].ids.pmid]")
    assert chosen.stdout == '10.1000/attention\n["123", null]\n'
    assert json.loads(run(*PAPERS, "--format", "json", "--jq", ".papers.facets.by_year").stdout)[0]["value"] == "2021"
    assert "--jq: Cannot index string" in refused(run(*PAPERS, "--json", "title", "--jq", ".[].title.x"))
    use_runtime(monkeypatch, catalogue())
    found = run("search", "React animation library", "--source", "catalogue", "--json", "repo, stars,relevance")
    assert [*json.loads(found.stdout)[0]] == ["repo", "stars", "relevance"]
    both = run("search", "React animation", "--kind", "repositories", "--kind", "papers", "--json", "repo,title")
    assert json.loads(both.stdout)[0]["title"] is None, "papers failed"


def test_hostile_text_reaches_no_terminal_and_a_missing_package_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A raw text loses its terminal commands, JSON has them escaped."""
    hostile = json.dumps(["\x1b[31mred\x1b]0;x\x07"])
    assert filter_json(".[0], .", hostile) == 'red\n["\\u001b[31mred\\u001b]0;x\\u0007"]\n'
    monkeypatch.setitem(sys.modules, "jq", None)
    missing = run("search", "attention", "--format", "json", "--jq", ".")
    assert (missing.exit_code, "jq is not installed: pip install 'goldpan-search[jq]'" in missing.stderr) == (2, True)
