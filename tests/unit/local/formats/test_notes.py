"""Source lines, errors and the footer."""

import json

from goldpan.contracts import Usage
from goldpan_local.formats.fields import render_fields
from goldpan_local.formats.notes import error_lines, footer, llm_usage, source_lines
from goldpan_local.formats.table import render_table
from goldpan_local.presentations import groups

from tests.support.local import ANSWER, answer


def test_the_footer() -> None:
    """It has the time of a cached answer, and how further results are shown."""
    cached = answer(repositories=None, usage={}, cached=True)
    assert footer(cached) == "1.2 s, no language model calls; cached at 03:04 UTC, --refresh searches again"
    found = ANSWER["repositories"]
    later = {"results": found["results"][:1], "weaker": found["results"][1:], "offset": 4, "total": 9}
    paged = footer(answer(repositories={**found, **later, "total_weaker": 3}, usage={}))
    assert paged.startswith("1 shown of 6 that fit, 3 weaker and 1,057 found, ")
    assert paged.endswith("; --offset 6 or --all shows more")
    one = Usage(llm_calls=1, input_tokens=10, output_tokens=2, cost_usd=0.00009)
    assert llm_usage(one) == "1 language model call, 12 tokens, $0.0001"


def test_weaker_results_are_shown_if_asked_for_or_after_the_last_of_the_others() -> None:
    """Otherwise a line counts them."""
    found = ANSWER["repositories"]
    for fitting, weaker, shown in ((1, False, 0), (1, True, 1), (0, False, 1)):
        page = {"results": found["results"][:fitting], "weaker": found["results"][1:], "total": 9, "total_weaker": 3}
        found_here = answer(repositories={**found, **page})
        assert [len(each) for _, each in groups(found_here.repositories, weaker=weaker)][-1] == shown
        assert len(json.loads(render_fields(found_here, ["repo"], weaker=weaker))) == fitting + shown
        assert ("glide" in render_table(found_here, weaker=weaker)) == bool(shown)


def test_source_lines_group_what_is_alike() -> None:
    """Strategies with the same source, status and details share a line; a failure and a cached result are shown."""
    row = {"kind": "repositories", "source": "github", "status": "ok"}
    rows = [
        {**row, "strategy": "stars", "kept": 3, "cached": True, "age_s": 60},
        {**row, "strategy": "recency", "cached": True, "age_s": 60},
        {**row, "strategy": "expanded", "status": "timeout", "detail": "no\x1b[31m answer"},
        {**row, "strategy": "stars", "source": "catalogue", "status": "empty"},
        {**row, "strategy": "recency", "source": "catalogue", "status": "truncated", "kept": 9},
    ]
    lines = [(line.source, line.status, line.text, line.failed) for line in source_lines(answer(sources=rows).sources)]
    assert lines == [
        ("github", "ok", "3 by stars, recency; cached 1 minute ago", False),
        ("github", "timeout", "expanded; no answer", True),
        ("catalogue", "empty", "stars", False),
        ("catalogue", "truncated", "9 by recency", False),
    ]


def test_a_source_that_is_its_own_strategy_is_named_once() -> None:
    """As those of papers are; one that found nothing, or was skipped, has no number."""
    row = {"kind": "papers", "strategy": "arxiv", "source": "arxiv"}
    rows = [
        {**row, "status": "ok", "kept": 17},
        {**row, "status": "empty"},
        {**row, "status": "skipped", "detail": "ARXIV_KEY is not set"},
    ]
    lines = [line.said(": ") for line in source_lines(answer(sources=rows).sources)]
    assert lines == ["ok: 17 papers", "empty", "skipped: ARXIV_KEY is not set"]


def test_an_error_that_a_warning_quotes_is_not_repeated() -> None:
    """Such as that of a kind without a result; others stand."""
    error = {"timestamp": "2026-08-22T12:00:00Z"}
    errors = [
        {**error, "stage": "papers", "error": "arxiv: unavailable (down)"},
        {**error, "stage": "score", "error": "the language model answered 500"},
    ]
    found = answer(errors=errors, warnings=["No papers in this answer: arxiv: unavailable (down)."])
    assert error_lines(found) == ["score: the language model answered 500"]
