"""A question becomes search parameters without a language model."""

from __future__ import annotations

from datetime import date

import pytest
from goldpan.contracts import Mode
from goldpan.kinds.repositories.models import StarRange

from tests.support.factories import params


def test_a_question_becomes_search_parameters() -> None:
    """Its words and their synonyms, its language and topics, and what its words ask for."""
    found = params("popular Rust libraries for state management since 2022")
    assert found.keywords == ("rust", "libraries", "state management")
    assert found.expanded_keywords == ("state", "store", "flux")
    assert (found.language, found.topics) == ("Rust", ("rust", "state-management"))
    assert (found.star_range, found.created_after) == (StarRange(min=1000), date(2022, 1, 1))


def test_a_known_product_is_searched_for_by_what_it_is() -> None:
    """Nothing has to be found of it first; of a name that the table does not have, its category is searched for."""
    found = params("Dropbox replacement I can run on my own server")
    assert found.keywords == ("self hosted", "file sync sharing cloud storage")
    assert found.meaning == "self hosted file sync sharing cloud storage"
    assert params("alternative to Splitwise").expanded_keywords == ("expense splitting",)
    assert params("alternative to Frobnicator").keywords == ()


def test_a_topic_is_searched_for_as_words_too() -> None:
    """Many repositories have no topics, so a limit to one alone would put those that fit among all others."""
    found = params("topic:message-queue dashboard -topic:game")
    assert (found.keywords, found.topics) == (("message queue", "dashboard"), ("message-queue",))


def test_synonyms_of_several_subjects_take_turns() -> None:
    """The nearest of each, then the second nearest of each; no keyword again."""
    found = params("animation parser motion", "exploratory")
    assert found.expanded_keywords[:4] == ("parsing", "transition", "parser generator", "tween")


@pytest.mark.parametrize(
    ("question", "topics"),
    [
        ("React and Vue charts tables", ("react", "charts")),
        ("C++ parser", ("parser",)),  # a topic at GitHub has letters, digits and hyphens
        ("React library", ()),
        ("drag and drop", ("drag-and-drop",)),
        ("language:c++", ("cpp",)),  # nothing else to search for
    ],
)
def test_topics_are_the_first_platform_and_the_first_subject(question: str, topics: tuple[str, ...]) -> None:
    """Without a subject there are none: the topic of a platform alone says too little, except of a language alone."""
    assert params(question).topics == topics


@pytest.mark.parametrize(("mode", "expanded"), [("focused", 0), ("balanced", 3), ("exploratory", 8)])
def test_the_mode_decides_only_the_expansion(mode: Mode, expanded: int) -> None:
    """None, up to three, up to eight expanded keywords; the star range is the same."""
    found = params("new parser and animation library", mode)
    assert (len(found.expanded_keywords), found.star_range) == (expanded, StarRange(min=10, max=1000))
