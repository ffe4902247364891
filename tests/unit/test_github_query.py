"""A search in GitHub's query language: within its limits, and with no qualifier that nobody asked for."""

from __future__ import annotations

from datetime import date

import pytest
from goldpan.config import PipelineConfig
from goldpan.kinds.repositories.models import RepositorySearch, StarRange
from goldpan.kinds.repositories.question.rules import translate_by_rules
from goldpan.kinds.repositories.question.searches import plan_tasks
from goldpan.kinds.repositories.sources.github.query_syntax import MAX_QUERY, render
from hypothesis import given, settings
from hypothesis import strategies as st

WORDS = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=40)
HOSTILE = (
    'react stars:>1 "exact phrase"',
    "parser user:me OR org:them",
    "(a OR b) AND NOT c in:readme",
    "topic:react language:c++ fork:only",
    "archived:false pushed:>2020-01-01 sort:stars",
    "-deprecated repo:a/b license:mit \\n",
)


def asked(question: str) -> list[RepositorySearch]:
    """Translate and plan a question."""
    tasks = plan_tasks(
        translate_by_rules(question, "exploratory"), [("github", 15)], PipelineConfig(), date(2026, 8, 22)
    )
    return [search for task in tasks for search in task.searches]


@pytest.mark.parametrize(
    ("stars", "written"),
    [
        (StarRange(), ""),
        (StarRange(min=50), " stars:>=50"),
        (StarRange(max=500), " stars:<=500"),
        (StarRange(min=10, max=1000), " stars:10..1000"),
        (StarRange(min=0), " stars:>=0"),
    ],
)
def test_a_star_range_is_written_as_github_reads_it(stars: StarRange, written: str) -> None:
    """Open ends are comparisons, two ends a range, no end nothing."""
    assert render(RepositorySearch(words=("react",), stars=stars)).text == f"react{written}"


def test_every_qualifier_is_written() -> None:
    """Language, topics and dates stand behind the words; a language of two words is quoted."""
    search = RepositorySearch(
        words=("plot",),
        language="Jupyter Notebook",
        topics=("data", "charts"),
        created_after=date(2020, 1, 1),
        pushed_after=date(2026, 1, 1),
    )
    assert render(search).text == (
        'plot language:"Jupyter Notebook" topic:data topic:charts created:>=2020-01-01 pushed:>=2026-01-01'
    )


@settings(max_examples=100, deadline=None)
@given(st.lists(WORDS, max_size=30, unique=True))
def test_a_query_is_cut_by_whole_words_and_says_so(words: list[str]) -> None:
    """A query has at most 256 characters, and each word is either in it, in its place, or told as dropped."""
    query = render(RepositorySearch(words=tuple(words), language="Rust", stars=StarRange(min=50)))
    kept = [part for part in query.text.split(" ") if ":" not in part]
    assert len(query.text) <= MAX_QUERY == 256
    assert query.text.endswith("language:Rust stars:>=50")
    assert sorted([*kept, *query.dropped]) == sorted(words)
    assert kept == [word for word in words if word in kept]


def test_nothing_is_dropped_from_a_query_that_fits() -> None:
    """A short question is asked as it is."""
    assert render(RepositorySearch(words=("react", "animation"))).dropped == ()


def test_the_weakest_words_go_first() -> None:
    """Forms go before subjects, the last before the first."""
    long = tuple(f"subject{n:02}word" for n in range(18))
    assert render(RepositorySearch(words=(*long[:2], "library", "tool", *long[2:]))).dropped == ("tool", "library")


@pytest.mark.parametrize("question", HOSTILE)
def test_a_question_adds_no_qualifier_and_no_operator(question: str) -> None:
    """What looks like GitHub's notation in a question is searched for as words, or not at all."""
    for search in asked(question):
        parts = render(search).text.split(" ")
        own = {part for part in parts if ":" in part}
        planned = {f"topic:{topic}" for topic in search.topics} | {f"language:{search.language}", "stars:>=50"}
        assert own <= planned | {f"pushed:>={search.pushed_after}"}
        assert not {"AND", "OR", "NOT"} & set(parts)
        assert not any(part.startswith("-") or set(part) & set("\"'()\\") for part in parts)


def test_a_word_longer_than_any_query_is_not_asked() -> None:
    """Whatever a question holds, no query is too long for GitHub, and none is left with nothing to look for."""
    queries = [(render(search), search) for search in [*asked("a" * 300 + " parser"), *asked("x" * 400)]]
    assert max((len(query.text) for query, _ in queries), default=0) <= MAX_QUERY
    assert not [
        query.text for query, search in queries if not search.topics and len(query.dropped) == len(search.words)
    ]
