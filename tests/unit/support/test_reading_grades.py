"""The benchmark of reading grades what a user would notice: inversions before all else, and no mere wording."""

from __future__ import annotations

from typing import Any

import pytest
from goldpan.contracts import Interpretation

from tests.support.reading.bounds import Bounds, parse_bounds
from tests.support.reading.grades import grade
from tests.support.reading.questions import ReadingQuestion


def question(query: str, subject: str, **fields: Any) -> ReadingQuestion:
    """Make a question about repositories, strict and no trap if not said otherwise."""
    plain = {"kind": "repositories", "excludes": (), "requires": {}, "strict": True, "trap": False}
    return ReadingQuestion(id="x", lang="en", why="", query=query, subject=(subject,), **{**plain, **fields})


def entries(*texts: str) -> list[Interpretation]:
    """Make entries, such as `term parser`."""
    split = [text.partition(" ") for text in texts]
    return [
        Interpretation.model_validate({"id": text, "kind": kind, "text": value, "value": value})
        for text, (kind, _, value) in zip(texts, split, strict=True)
    ]


NO_JAVA = question("parser, not java", "parser", excludes=(("java",),))
RUST_STARS = question("rust parser over 500 stars", "parser", requires={"language": ("Rust",), "min_stars": ("500",)})
TRAP = question("stop motion app", "stop motion", trap=True, strict=False)
SINCE = question("parsing since 2019", "parsing", kind="papers", requires={"year_from": ("2019",)})


@pytest.mark.parametrize(
    ("asked", "read", "expected"),
    [
        (NO_JAVA, ["term parsers", "exclusion not Java"], "right"),
        (NO_JAVA, ["term parser", "constraint not Java"], "right"),
        (NO_JAVA, ["term parser", "term javascript", "exclusion not Java"], "right"),
        (NO_JAVA, ["term parser", "constraint Java"], "inverted"),
        (NO_JAVA, ["exclusion not parser", "exclusion not java"], "inverted"),
        (NO_JAVA, ["term parser", "term java"], "searched_for"),
        (NO_JAVA, ["exclusion not Java"], "lost_subject"),
        (NO_JAVA, ["term parser", "unread java"], "missed"),
        (RUST_STARS, ["term parser", "constraint Rust", "constraint more than 500 stars"], "right"),
        (RUST_STARS, ["term parser", "constraint Rust", "constraint fewer than 500 stars"], "inverted"),
        (RUST_STARS, ["term parser", "term rust", "constraint at least 501 stars"], "missed"),
        (TRAP, ["term stop", "term motion"], "right"),
        (TRAP, ["term stop motion", "exclusion not app"], "inverted"),
        (TRAP, ["term stop motion", "constraint at most 500 stars"], "invented"),
        (SINCE, ["term parsing", "constraint since 2019"], "right"),
        (SINCE, ["term parsing", "constraint in 2019"], "invented"),
        (SINCE, ["term parsing", "constraint until 2018"], "inverted"),
    ],
)
def test_readings_are_graded_by_their_harm(asked: ReadingQuestion, read: list[str], expected: str) -> None:
    """The worst that a reading does to the question is its grade."""
    assert grade(asked, entries(*read)) == expected


def test_a_refused_question_is_graded() -> None:
    """It has no interpretation."""
    assert grade(NO_JAVA, None) == "refused"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("more than 1,500 stars", Bounds(1500, None)),
        ("small (at least 10 stars, rather under 500)", Bounds(10, 500)),
        ("2018 to 2021", Bounds(2018, 2021)),
        ("in 2019", Bounds(2019, 2019)),
        ("until 2003", Bounds(None, 2003)),
    ],
)
def test_bounds_are_parsed(text: str, expected: Bounds) -> None:
    """In every form that an interpretation has."""
    assert parse_bounds(text) == expected
