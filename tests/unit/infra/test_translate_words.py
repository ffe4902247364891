"""The words of a question decide stars and year, and neither they nor the model's words become qualifiers."""

from __future__ import annotations

from datetime import date

import pytest
from goldpan.kinds.repositories.models import StarRange
from goldpan.kinds.repositories.sources.github.query_syntax import render

from tests.unit.infra.test_translate import GOOD, translated


@pytest.mark.parametrize(
    "answer", [GOOD, {**GOOD, "star_range": {"min": 9}, "stars": ">1", "created_after": "2001"}, {}]
)
@pytest.mark.parametrize(
    ("question", "stars", "created"),
    [
        ("React animation library", None, None),
        ("popular React animation library", StarRange(min=1000), None),
        ("mature React animation library", StarRange(min=5000), None),
        ("new React animation library", StarRange(min=10, max=1000), None),
        ("lightweight React animation library since 2021", StarRange(min=10, max=500), date(2021, 1, 1)),
    ],
)
def test_stars_and_year_follow_from_the_words(
    answer: dict[str, object], question: str, stars: StarRange | None, created: date | None
) -> None:
    """Whatever the model says, stars and year are those of the question's own words, in every mode."""
    for mode in ("focused", "exploratory"):
        params = translated(answer, question, mode=mode).params
        assert (params.star_range, params.created_after) == (stars, created)


def test_words_of_the_model_are_never_qualifiers() -> None:
    """Quotes, colons, operators and parentheses in what the model says search for nothing but words."""
    sly = ['"react"', "stars:>1", "-topic:vue", "user:evil/repo", "(a OR b)", "NOT c", "fork:true"]
    told = translated({**GOOD, "keywords": sly, "expanded_keywords": sly, "topics": sly, "language": "Evil stars:>1"})
    assert told.params.language is None
    queries = [render(search).text for task in told.tasks for search in task.searches]
    for part in (part for query in queries for part in query.split()):
        name, colon, value = part.partition(":")
        assert not set('"()/') & set(part)
        assert part not in {"OR", "NOT", "AND"}
        assert not part.startswith("-")
        assert not colon or name in {"stars", "pushed", "topic"}
        assert (name, colon) != ("stars", ":") or value == ">=50"


@pytest.mark.parametrize(("said", "expected"), [("typescript", "TypeScript"), ("C++", "C++"), ("Klingon", None)])
def test_the_language_is_one_that_github_knows(said: str, expected: str | None) -> None:
    """A language counts under its name at GitHub, an unknown one not at all."""
    assert translated({**GOOD, "language": said}).params.language == expected


@pytest.mark.parametrize("question", ["हिन्दी पाठ", "การเรียนรู้ของเครื่อง"])
def test_words_of_any_script_stay_whole(question: str) -> None:
    """A word of a script that writes its vowels as marks is searched for as it was typed."""
    queries = [render(search).text for task in translated(None, question).tasks for search in task.searches]
    assert queries
    assert all(part in question.split() for part in queries[0].split() if ":" not in part)
