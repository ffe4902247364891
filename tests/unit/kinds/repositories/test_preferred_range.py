"""What is in the range of stars that a word prefers comes first; the rest that fits follows below a heading."""

from datetime import timedelta
from typing import Any

import pytest
from goldpan.kinds.repositories.models import Repository
from goldpan_local.presentations import groups, presentation

from tests.support.factories import NOW, repository
from tests.unit.kinds.repositories.test_constraints import search

YOUNG, OLD = NOW - timedelta(days=1000), NOW - timedelta(days=1500)
NAME = presentation("repositories").title
GIANT = repository("a/giant", stars=40_000, description="React animation library")


def shown(repositories: list[Repository], question: str, **more: Any) -> list[tuple[str, list[Any]]]:
    """Search, and list the names below each heading."""
    section = search(repositories, question, **more).repositories
    assert section is not None
    assert all(item.beyond_range is (item.group is not None) for item in section.results)
    return [(heading, [NAME.read(item) for item in items]) for heading, items in groups(section, weaker=False)]


@pytest.mark.parametrize("word", ["lightweight", "small", "minimal"])
def test_what_has_few_stars_is_the_answer(word: str) -> None:
    """Unknown stars are in no range; a heading counts what is, and 30 candidates of many stars take no place of it."""
    giants = [GIANT, *(repository(f"a/giant{n}", stars=20_000 + n) for n in range(29))]
    unknown = repository("c/unknown", stars=None)
    found = shown(
        [*giants, unknown, repository("b/small", stars=400)], f"{word} React animation library", max_results=5
    )
    first, (heading, others) = found
    assert first == ("", ["b/small"])
    assert (heading, len(others)) == ("1 with 10 to 500 stars; others that fit:", 31)


def test_new_is_few_stars_and_no_old_age() -> None:
    """A known day of creation must be within three years; an unknown one may be."""
    young, old = repository("b/young", stars=900, created_at=YOUNG), repository("b/old", stars=900, created_at=OLD)
    undated = repository("b/undated", stars=900, created_at=None)
    found = shown([GIANT, young, old, undated], "new React animation library")
    assert [{*names} for _, names in found] == [{"b/young", "b/undated"}, {"a/giant", "b/old"}]
    assert found[1][0] == "2 with 10 to 1,000 stars and created in the last 3 years; others that fit:"


def test_the_range_is_taken_away_with_its_part() -> None:
    """By the id of the part or by a filter of stars; what the question does not want small has no range either."""
    small, question = repository("b/small", stars=400), "small React animation library"
    (part,) = [one for one in search([GIANT, small], question).interpretation if one.text == "small"]
    for found in (
        shown([GIANT, small], question, ignore=[part.id]),
        shown([GIANT, small], question, filters={"min_stars": 300}),
        shown([GIANT, small], "React animation library, localStorage is too small"),
    ):
        assert [heading for heading, _ in found] == [""]


def test_nothing_in_the_range_is_said() -> None:
    """The others that fit are still the answer, unless the range is strict; an unknown licence is not within it."""
    assert shown([GIANT], "tiny React animation library") == [
        ("None with 10 to 500 stars; others that fit:", ["a/giant"])
    ]
    strict = search([GIANT], "tiny React animation library", config={"star_intent": "strict"}).repositories
    assert (strict.results, strict.dropped) == ((), {"stars": 1})
    unsure = repository("b/unsure", stars=400, license=None, description="React animation library")
    giant = repository("a/giant", stars=40_000, license="MIT", description="React animation library")
    found = shown([giant, unsure], "small React animation library, MIT licence")
    assert found == [("None with 10 to 500 stars; others that fit:", ["a/giant", "b/unsure"])]
