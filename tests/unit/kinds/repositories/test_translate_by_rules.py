"""A question becomes search parameters without a language model."""

from __future__ import annotations

from datetime import date

import pytest
from goldpan.contracts import Mode
from goldpan.kinds.repositories.models import SearchParams, StarRange
from goldpan.kinds.repositories.translate import created_after, star_range, translate_by_rules, without_intent


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


@pytest.mark.parametrize(("mode", "expanded"), [("focused", 0), ("balanced", 3), ("exploratory", 8)])
def test_the_mode_decides_only_the_expansion(mode: Mode, expanded: int) -> None:
    """None, up to three, up to eight expanded keywords; the star range is the same."""
    params = translate_by_rules("new web framework for testing", mode)
    assert (len(params.expanded_keywords), params.star_range) == (expanded, StarRange(min=10, max=1000))


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
        ("newsletter server", "newsletter server"),
        ("small since 2020", "small"),
    ],
)
def test_words_of_intent_are_not_searched_for(question: str, left: str) -> None:
    """Few descriptions say "popular"; but where no other word is left, it stays."""
    assert without_intent(question).split() == left.split()
