"""Source lines, errors and the footer."""

import csv
import json

from goldpan.contracts import Usage
from goldpan_local.formats import notes
from goldpan_local.formats.plain_text import render_csv, render_fields, render_markdown
from goldpan_local.formats.table import render_table
from goldpan_local.presentations import groups

from tests.support.fixed_papers import paper_answer
from tests.support.local import ANSWER, answer

EVENING = "2026-01-02T22:05:00+02:00"


def test_the_footer() -> None:
    """It has the time of a cached answer, and how further results are shown."""
    cached = answer(repositories=None, usage={}, cached=True)
    assert notes.footer(cached) == "1.2 s, no language model calls; cached at 03:04 UTC, --refresh searches again"
    found = ANSWER["repositories"]
    later = {"results": found["results"][:1], "weaker": found["results"][1:], "offset": 6, "total": 9}
    paged = notes.footer(answer(repositories={**found, **later, "total_weaker": 3}, usage={}))
    assert paged.startswith("1 shown of 6 that fit, 3 weaker and 1,057 found, ")
    assert paged.endswith("; --offset 8 or --all shows more")
    one = Usage(llm_calls=1, input_tokens=10, output_tokens=2, cost_usd=0.00009)
    assert notes.llm_usage(one) == "1 language model call, 12 tokens, $0.0001"


def test_weaker_results_are_shown_if_asked_for_or_after_the_last_of_the_others() -> None:
    """Otherwise a line counts them."""
    found = ANSWER["repositories"]
    first, weak = found["results"]
    for fitting, weaker, shown in ((3, False, 0), (3, True, 1), (0, False, 1)):
        page = {"results": [first] * fitting, "weaker": [weak], "offset": 5, "total": 9, "total_weaker": 3}
        found_here, last = answer(repositories={**found, **page}), 6 + fitting
        assert [len(each) for _, each in groups(found_here.sections["repositories"], weaker=weaker)][-1] == shown
        assert len(json.loads(render_fields(found_here, ["repo"], weaker=weaker))) == fitting + shown
        table, markdown = render_table(found_here, weaker=weaker), render_markdown(found_here)
        assert (f" {last}  glide/glide " in table, "glide" in table) == (bool(shown), bool(shown))
        assert "No further results." not in table
        assert (f"\n{last}. **glide/glide**" in markdown, "<details>" in markdown) == (True, bool(fitting))
        rows = [(row["rank"], row["weaker"]) for row in csv.DictReader(render_csv(found_here).splitlines())]
        assert rows == [*((str(rank), "false") for rank in range(6, last)), (str(last), "true")]
    alone = {"results": [], "weaker": found["results"], "total": 2, "total_weaker": 2, "nothing_fits": True}
    [(heading, nearest)] = groups(answer(repositories={**found, **alone}).sections["repositories"], weaker=False)
    assert (heading, len(nearest)) == ("Nothing fits well; the nearest:", 2)
    beyond = answer(repositories={**found, "results": [], "offset": 10, "total": 9}, usage={})
    assert "No further results." in render_table(beyond)
    assert notes.footer(beyond).endswith("no language model calls")


def test_how_a_question_was_read_is_one_line() -> None:
    """The subject first; a correction says what was typed, a wish is quoted."""
    parts = [("wish", "no surveys", "no surveys"), ("exclusion", "not jQuery", "not jQuery"), ("term", "dat", "date")]
    parts += [("term", "library", "library"), ("correction", "dat", "date"), ("unread", "hm", "hm")]
    parts += [("term", "date library", "date library")]
    rows = [
        {"id": str(place), "kind": kind, "text": text, "value": value}
        for place, (kind, text, value) in enumerate(parts)
    ]
    line = notes.read_as(answer(interpretation=rows).interpretation)
    assert line == "read as: date library · not jQuery · date (you typed dat) · “no surveys”"


def test_what_was_dropped_is_no_reason_for_other_words() -> None:
    """Whatever kind it was dropped from."""
    sections = paper_answer(repositories=True).sections
    for dropped, said in (({"stars": 3}, "Nothing that was found fits"), ({}, "Nothing found. Try fewer")):
        left = {**sections, "papers": sections["papers"].model_copy(update={"dropped": dropped})}
        assert notes.nothing_found(answer().model_copy(update={"sections": left})).startswith(said)


def test_source_lines_group_what_is_alike() -> None:
    """Strategies with the same source, status and details share a line; a failure and a cached result are shown."""
    own = {"kind": "papers", "strategy": "arxiv", "source": "arxiv"}
    row = {"kind": "repositories", "source": "github", "status": "ok"}
    rows = [
        {**row, "strategy": "stars", "kept": 3, "cached": True, "age_s": 60, "duration_ms": 1900},
        {**row, "strategy": "recency", "cached": True, "age_s": 60, "duration_ms": 100},
        {**row, "strategy": "expanded", "status": "timeout", "detail": "no\x1b[31m answer", "retry_at": EVENING},
        {**row, "strategy": "stars", "source": "catalogue", "status": "empty"},
        {**row, "strategy": "recency", "source": "catalogue", "status": "truncated", "kept": 9},
        {**own, "status": "ok", "kept": 17},
        {**own, "status": "skipped", "detail": "ARXIV_KEY is not set"},
    ]
    rows.append(rows[2])  # the same in another round
    lines = [
        (line.source, line.status, line.text, line.failed) for line in notes.source_lines(answer(sources=rows).sources)
    ]
    assert lines == [
        ("github", "ok", "3 by stars, recency; cached 1 minute ago; 1.9 s", False),
        ("github", "timeout", "expanded; no answer; try again at 20:05:00 UTC", True),
        ("catalogue", "empty", "stars", False),
        ("catalogue", "truncated", "9 by recency", False),
        ("arxiv", "ok", "17 papers", False),
        ("arxiv", "skipped", "ARXIV_KEY is not set", True),
    ]


def test_an_error_that_a_warning_quotes_is_not_repeated() -> None:
    """Such as that of a kind without a result; others stand."""
    error = {"timestamp": "2026-08-22T12:00:00Z"}
    errors = [
        {**error, "stage": "papers", "error": "arxiv: unavailable (down)"},
        {**error, "stage": "score", "error": "the language model answered 500"},
    ]
    found = answer(errors=errors, warnings=["No papers in this answer: arxiv: unavailable (down)."])
    assert notes.error_lines(found) == ["score: the language model answered 500"]
