"""The wishes of later rounds of a search for repositories, as the rules read them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from goldpan.contracts import parse_request
from goldpan.kinds.repositories.feedback import read_rounds
from goldpan.kinds.repositories.feedback import subjects as subjects_of
from goldpan.kinds.repositories.question.reader import Reading

TODAY = date(2026, 8, 22)


def refined(question: str, *wishes: str, **fields: Any) -> Reading:
    """Read a question with wishes."""
    return read_rounds(parse_request({"query": question, "feedback": wishes, **fields}), TODAY)[0]


def limits(reading: Reading) -> dict[str, Any]:
    """Return the constraints of a reading."""
    return reading.constraints.model_dump(exclude_defaults=True)


@pytest.mark.parametrize(
    ("wish", "subjects", "constraints"),
    [
        ("more on time zones", ("date", "time zones"), {}),
        ("fewer wrappers, please", ("date",), {"excluded_terms": ("wrappers",)}),
        ("only MIT", ("date",), {"licenses": ("MIT",)}),
        ("not moment", ("date",), {"excluded_terms": ("moment",)}),
        ("more popular", ("date",), {"min_stars": 1000}),
        ("less well known", ("date",), {"max_stars": 999}),
        ("too big", ("date",), {"min_stars": 10, "preferred_max_stars": 500}),
        ("not too old", ("date",), {"pushed_within_days": 365}),
        ("newer ones", ("date",), {"created_after": date(2023, 8, 22)}),
        ("more than 5k stars", ("date",), {"min_stars": 5001}),
        ("the second one was great", ("date",), {}),
    ],
)
def test_a_wish_changes_the_search(wish: str, subjects: tuple[str, ...], constraints: dict[str, Any]) -> None:
    """It is a part that can be taken away; one that changes nothing is noted."""
    before, reading = refined("date library for javascript"), refined("date library for javascript", wish)
    assert (subjects_of(reading), limits(reading)) == (subjects, {"platforms": ("javascript",), **constraints})
    assert bool(reading.notes) == (reading.constraints == before.constraints and reading.terms == before.terms)
    (chip,) = (part for part in reading.parts if part.kind == "wish")
    assert refined("date library for javascript", wish, ignore=[chip.id]) == before


@pytest.mark.parametrize(
    ("question", "wishes", "constraints"),
    [
        ("react animation", ["in TypeScript"], {"platforms": ("react", "typescript")}),
        ("react animation", ["for Vue instead"], {"platforms": ("vue",)}),
        ("parser in Python", ["rather in Rust", "also Go"], {"platforms": ("rust", "go")}),
        ("parser, MIT", ["Apache-2.0"], {"licenses": ("Apache-2.0",)}),
        ("parser, MIT", ["or Apache-2.0"], {"licenses": ("MIT", "Apache-2.0")}),
        ("parser not in Java", ["only Java"], {"platforms": ("java",)}),
        (
            "file manager written in Rust",
            ["Go instead of Rust"],
            {"platforms": ("go",), "excluded_languages": ("Rust",)},
        ),
        ("lightweight parser", ["more popular"], {"min_stars": 1000}),
        ("parser with 500 stars or more", ["more popular", "less than 300 stars"], {"max_stars": 299}),
    ],
)
def test_of_what_contradicts_the_newest_wish_holds(
    question: str, wishes: list[str], constraints: dict[str, Any]
) -> None:
    """What goes together holds side by side; no wish is lost from the parts."""
    reading = refined(question, *wishes)
    assert limits(reading) == constraints
    assert [part.value for part in reading.parts if part.kind == "wish"] == wishes


def test_what_is_like_a_repository_can_be_narrowed() -> None:
    """The name is read as such, whatever the wishes say."""
    reading = refined("like pallets/flask", "in Go", "smaller")
    assert (reading.likenesses, reading.constraints.platforms) == (("pallets/flask",), ("go",))
