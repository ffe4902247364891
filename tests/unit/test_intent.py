"""What a question asks for beside its subject: how starred, how new."""

from __future__ import annotations

from datetime import date
from typing import get_args

import pytest
from goldpan.contracts import Mode
from goldpan.kinds.repositories.models import StarRange
from goldpan.kinds.repositories.question import intent
from goldpan.kinds.repositories.question.intent import created_after, star_range, without_intent
from goldpan.kinds.repositories.question.rules import translate_by_rules


def test_the_ranges_are_the_documented_ones() -> None:
    """The constants behind the words are those of the documents."""
    assert (intent.DEFAULT_MIN, intent.POPULAR_MIN, intent.MATURE_MIN) == (50, 1000, 5000)
    assert (intent.EMERGING_MIN, intent.EMERGING_MAX) == (10, 1000)
    assert (intent.LIGHTWEIGHT_MIN, intent.LIGHTWEIGHT_MAX) == (10, 500)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (intent.POPULAR, StarRange(min=1000)),
        (intent.MATURE, StarRange(min=5000)),
        (intent.EMERGING, StarRange(min=10, max=1000)),
        (intent.LIGHTWEIGHT, StarRange(min=10, max=500)),
    ],
)
def test_each_word_of_intent_means_its_range(words: frozenset[str], expected: StarRange) -> None:
    """Every word of a group gives the range of the group, in small and in capital letters."""
    assert {star_range(f"a {word} parser") for word in words} == {expected}
    assert {star_range(f"{word.upper()} parser") for word in words} == {expected}


@pytest.mark.parametrize(
    "question", ["a parser", "news reader", "newsletter", "unpopular parser", "stability test", ""]
)
def test_without_a_word_of_intent_there_is_no_range(question: str) -> None:
    """Words that merely look alike ask for nothing."""
    assert star_range(question) is None


@pytest.mark.parametrize("question", ["new parser", "mature parser", "parser"])
def test_the_mode_never_decides_the_stars(question: str) -> None:
    """All modes give the same star range."""
    assert {translate_by_rules(question, mode).star_range for mode in get_args(Mode)} == {star_range(question)}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("parser since 2021", date(2021, 1, 1)),
        ("parsers created in 2019", date(2019, 1, 1)),
        ("parser newer than 2020", date(2020, 1, 1)),
        ("parser AFTER 1999", date(1999, 1, 1)),
        ("parser for ES 2020", None),
        ("parser since 20201", None),
        ("parser since 1234", None),
    ],
)
def test_a_year_is_read_where_it_is_meant(question: str, expected: date | None) -> None:
    """A year counts as the first day of creation only after a word that says so."""
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
def test_words_of_intent_leave_the_question_unless_they_are_all_of_it(question: str, left: str) -> None:
    """What was understood is not searched for; where nothing else was said it is all there is to search for."""
    assert without_intent(question).split() == left.split()
