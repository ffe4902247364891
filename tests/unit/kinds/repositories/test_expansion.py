"""Tests of the expanded keywords: as many as the mode says, each of the subject, none of which the question has."""

from datetime import date

import pytest
from goldpan.contracts import Mode
from goldpan.kinds.repositories.models import StarRange

from tests.unit.kinds.repositories.test_translate import GOOD, by_rules, translated


@pytest.mark.parametrize(("mode", "least", "most"), [("focused", 0, 0), ("balanced", 2, 3), ("exploratory", 5, 8)])
def test_the_mode_decides_only_the_expansion(mode: Mode, least: int, most: int) -> None:
    """None, two or three, five to eight expanded keywords; the star range is the same."""
    found = by_rules("new Kubernetes ingress controller", mode).params
    assert least <= len(found.expanded_keywords) <= most
    assert found.star_range == StarRange(min=10, max=1000)


def test_neighbours_are_of_the_same_subject() -> None:
    """The closest and surest first; nothing is expanded for an unknown word (end to end is no test)."""
    assert by_rules("React animation library").params.expanded_keywords == ("motion", "transitions", "tween")
    closest = {
        "chat application with end to end encryption": "messenger, e2ee chat, messaging encryption",
        # no "better cat"
        "syntax highlighter JavaScript": "highlight blocks, syntax highlighting web, diff highlighter",
        "the fan of my laptop is too loud": "fan control, undervolt gpu, cpu frequency",
        "GraphQL client for TypeScript": "graphql codegen, graphql schema, graphql server",
        "zzyzx frobulator": "",
    }
    found = {query: by_rules(query).params.expanded_keywords for query in closest}
    assert {query: ", ".join(keywords) for query, keywords in found.items()} == closest


def test_no_form_of_the_keywords_and_no_intent_is_searched_for_again() -> None:
    """A known neighbour takes its place; nor is an intent, whatever a model answers: it sets the stars and the year."""
    answer = {**GOOD, "expanded_keywords": ["animations", "react animation", "animate library", "tween"]}
    found = translated(answer).params.expanded_keywords
    assert (found[0], len(found)) == ("tween", 3)
    answer = {**GOOD, "keywords": ["lightweight", "react", "animation"], "expanded_keywords": ["lightweight", "motion"]}
    answer |= {"star_range": {"min": 9}, "created_after": "2001"}
    params = translated(answer, "lightweight React animation library since 2021").params
    assert (params.keywords, params.star_range) == (("react", "animation"), StarRange(min=10, max=500))
    assert params.created_after == date(2021, 1, 1)
    assert "lightweight" not in params.expanded_keywords
