"""A question becomes search parameters without a language model."""

from __future__ import annotations

from datetime import date
from typing import get_args

import pytest
from goldpan.contracts import Mode
from goldpan.kinds.repositories.models import SearchParams, StarRange
from goldpan.kinds.repositories.question.rules import created_after, star_range, translate_by_rules, without_intent
from goldpan.text import words
from hypothesis import given, settings
from hypothesis import strategies as st

MODES: tuple[Mode, ...] = get_args(Mode)
QUESTIONS = st.text(min_size=1, max_size=300) | st.lists(
    st.sampled_from(['"quoted"', "stars:>1", "(x OR y)", "NOT", "React", "C++", "user:me", "state machine", "новый"]),
    min_size=1,
).map(" ".join)


def test_a_question_becomes_search_parameters() -> None:
    """Words of its own, the language and topics of its platform and subject, and what its words ask for."""
    assert translate_by_rules("popular Rust libraries for state management since 2022", "balanced") == SearchParams(
        keywords=("rust", "libraries", "state management"),
        expanded_keywords=("state", "store", "flux"),
        language="Rust",
        star_range=StarRange(min=1000),
        created_after=date(2022, 1, 1),
        topics=("rust", "state-management"),
    )


def test_synonyms_of_several_subjects_take_turns() -> None:
    """The nearest of each, then the second nearest of each; no keyword again."""
    found = translate_by_rules("animation parser motion", "exploratory")
    assert found.expanded_keywords[:4] == ("parsing", "transition", "parser generator", "tween")


@pytest.mark.parametrize(
    ("question", "topics"),
    [
        ("React and Vue charts tables", ("react", "charts")),
        ("C++ parser", ("parser",)),  # a topic at GitHub has letters, digits and hyphens
        ("React library", ()),
        ("drag and drop", ("drag-and-drop",)),
    ],
)
def test_topics_are_the_first_platform_and_the_first_subject(question: str, topics: tuple[str, ...]) -> None:
    """Without a subject there are none: the topic of a platform alone says too little."""
    assert translate_by_rules(question, "balanced").topics == topics


def test_the_mode_decides_only_the_expansion() -> None:
    """None, up to three, up to eight expanded keywords; the star range is the same."""
    translated = [translate_by_rules("new web framework for testing", mode) for mode in MODES]
    assert {mode: len(params.expanded_keywords) for mode, params in zip(MODES, translated, strict=True)} == {
        "focused": 0, "balanced": 3, "exploratory": 8,
    }  # fmt: skip
    assert {params.star_range for params in translated} == {StarRange(min=10, max=1000)}


@pytest.mark.parametrize(
    ("expressions", "expected"),
    [
        ("popular, mainstream, famous, widely used, well known, Well-Known", StarRange(min=1000)),
        ("mature, stable, established, battle tested, battle-tested, production ready", StarRange(min=5000)),
        ("new, newer, recent, fresh, emerging, upcoming, NEW", StarRange(min=10, max=1000)),
        ("small, lightweight, minimal, tiny, minimalist", StarRange(min=10, max=500)),
        ("good, news, newsletter, unpopular, stability, used widely", None),
        ("popular mature, mature popular", StarRange(min=5000)),
        ("popular new, small popular", StarRange(min=1000)),
    ],
)
def test_each_word_asks_for_its_documented_range(expressions: str, expected: StarRange | None) -> None:
    """As a whole word, in any case; of several ranges the highest minimum counts."""
    for expression in expressions.split(", "):
        assert star_range(f"a {expression} parser") == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("parser since 2021", date(2021, 1, 1)),
        ("parsers created in 2019", date(2019, 1, 1)),
        ("parser newer than 2020", date(2020, 1, 1)),
        ("parser AFTER 1999", date(1999, 1, 1)),
        ("parsers from 2018", date(2018, 1, 1)),
        ("parser for ES 2020", None),
        ("parser since 20201", None),
        ("parser since 1234", None),
    ],
)
def test_a_year_counts_after_a_word_of_time(question: str, expected: date | None) -> None:
    """It is the first year of creation."""
    assert created_after(question) == expected


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("popular React parser since 2021", "react parser"),
        ("widely used C++ parser", "c++ parser"),
        ("production ready .NET parser", ".net parser"),
        ("newsletter server", "newsletter server"),
        ("popular", "popular"),
        ("small since 2020", "small"),
    ],
)
def test_words_of_intent_are_not_searched_for(question: str, left: str) -> None:
    """Few descriptions say "popular"; but where no other word is left, it stays."""
    assert without_intent(question).split() == left.split()


@settings(max_examples=100, deadline=None)
@given(QUESTIONS, st.sampled_from(MODES))
def test_any_question_is_translated_the_same_each_time(question: str, mode: Mode) -> None:
    """Into words of its own."""
    params = translate_by_rules(question, mode)
    assert params == translate_by_rules(question, mode)
    assert set(words(" ".join(params.keywords))) <= set(words(question))
