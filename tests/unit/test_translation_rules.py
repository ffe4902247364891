"""A question becomes parameters and searches by rules alone."""

from __future__ import annotations

from datetime import date

import pytest
from goldpan.config import PipelineConfig
from goldpan.contracts import Mode
from goldpan.kinds.repositories.models import ScoutTask, StarRange
from goldpan.kinds.repositories.question.intent import star_range
from goldpan.kinds.repositories.question.rules import translate_by_rules
from goldpan.kinds.repositories.question.searches import plan_tasks
from goldpan.kinds.repositories.question.vocabulary import vocabulary
from goldpan.kinds.repositories.sources.github.query_syntax import MAX_QUERY, render
from goldpan.text import phrase, words
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import TEN_QUESTIONS

TODAY = date(2026, 8, 22)
MODES: tuple[Mode, ...] = ("focused", "balanced", "exploratory")
QUESTIONS = st.text(min_size=1, max_size=300) | st.lists(
    st.sampled_from(['"quoted"', "stars:>1", "(x OR y)", "NOT", "React", "C++", "user:me", "state machine", "новый"]),
    min_size=1,
).map(" ".join)


def planned(question: str, mode: Mode = "balanced", limit: int = 15) -> tuple[ScoutTask, ...]:
    """Plan the searches of a question at one source."""
    return plan_tasks(translate_by_rules(question, mode), [("github", limit)], PipelineConfig(), TODAY)


@pytest.mark.parametrize("question", TEN_QUESTIONS)
def test_the_ten_questions_have_a_subject_and_synonyms(question: str) -> None:
    """Each of the ten has keywords from its own words, and a balanced reading adds at most three."""
    params = translate_by_rules(question, "balanced")
    assert set(words(" ".join(params.keywords))) <= set(words(question))
    assert len(params.expanded_keywords) <= 3


def test_mode_decides_the_expansion_alone() -> None:
    """Focused adds nothing, exploratory more than balanced; the star range is the same in all."""
    read = [translate_by_rules("popular React animation library", mode) for mode in MODES]
    assert [len(params.expanded_keywords) for params in read] == [0, 3, 6]
    assert {params.star_range for params in read} == {StarRange(min=1000)}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("popular React library", StarRange(min=1000)),
        ("widely used parser", StarRange(min=1000)),
        ("mature ORM", StarRange(min=5000)),
        ("new web frameworks", StarRange(min=10, max=1000)),
        ("lightweight router", StarRange(min=10, max=500)),
        ("React library", None),
        ("newsletter server", None),
    ],
)
def test_the_words_alone_decide_the_stars(question: str, expected: StarRange | None) -> None:
    """The documented words mean their range, as whole words; without one there is none."""
    assert star_range(question) == expected


def test_words_of_intent_are_no_keywords() -> None:
    """Nobody calls a repository "popular" in its description, so the word is not searched for."""
    params = translate_by_rules("popular React animation library since 2022", "balanced")
    assert params.keywords == ("react", "animation", "library")
    assert params.created_after == date(2022, 1, 1)


def test_short_and_long_ways_to_say_it_are_one() -> None:
    """ML is searched as machine learning, first of all."""
    assert translate_by_rules("Python ML tool", "balanced").expanded_keywords[0] == "machine learning"
    assert vocabulary().synonyms[phrase("ml")][phrase("machine learning")] == 1


@settings(max_examples=100, deadline=None)
@given(QUESTIONS, st.sampled_from(MODES))
def test_any_question_is_translated_the_same_each_time(question: str, mode: Mode) -> None:
    """Whatever is asked there are parameters, the same each time, of its own words."""
    params = translate_by_rules(question, mode)
    assert params == translate_by_rules(question, mode)
    assert set(words(" ".join(params.keywords))) <= set(words(question))
    assert len(params.expanded_keywords) <= {"focused": 0, "balanced": 3, "exploratory": 8}[mode]


@settings(max_examples=100, deadline=None)
@given(QUESTIONS, st.sampled_from(MODES), st.integers(1, 15))
def test_searches_stay_within_their_number(question: str, mode: Mode, limit: int) -> None:
    """No question costs more searches than its source allows."""
    assert sum(len(task.searches) for task in planned(question, mode, limit)) <= limit


@settings(max_examples=100, deadline=None)
@given(QUESTIONS)
def test_words_are_never_read_as_qualifiers(question: str) -> None:
    """Whatever is asked, a query has the qualifiers that were planned, no operator, and at most 256 characters."""
    for task in planned(question):
        for search in task.searches:
            query = render(search)
            parts = query.text.split()
            assert len(query.text) <= MAX_QUERY
            assert not {"AND", "OR", "NOT"} & set(parts)
            known = {"stars", "language", "topic", "created", "pushed"}
            assert {part.partition(":")[0] for part in parts if ":" in part} <= known
            assert not set(query.text) & set("()<\\") or "stars:" in query.text


def test_a_long_question_is_shortened_and_says_so() -> None:
    """The weakest words go until the query fits, and are named."""
    search = planned(" ".join(f"subject{n}word" for n in range(40)))[0].searches[0]
    query = render(search)
    assert len(query.text) <= MAX_QUERY
    assert query.dropped


def test_the_first_search_is_the_question_itself() -> None:
    """The base comes first: all words, no synonym."""
    first = planned("React animation library")[0].searches[0]
    assert first.words == ("react", "animation", "library")


@pytest.mark.parametrize("question", TEN_QUESTIONS)
def test_expansion_never_narrows(question: str) -> None:
    """An expanded keyword stands in the place of the subject, never beside it in one search."""
    params = translate_by_rules(question, "balanced")
    subjects = {word for c in vocabulary().concepts(question) if c.part == "subject" for word in c.words}
    for task in planned(question):
        for search in task.searches:
            added = set(search.words) & set(words(" ".join(params.expanded_keywords))) - set(words(question))
            assert not added or not subjects <= set(search.words)


def test_every_strategy_has_a_search_while_they_last() -> None:
    """With five searches for three strategies each has at least one."""
    assert {task.strategy: len(task.searches) >= 1 for task in planned("React animation library", limit=5)} == {
        "stars": True, "recency": True, "expanded": True,
    }  # fmt: skip
