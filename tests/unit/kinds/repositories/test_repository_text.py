"""The terms of one repository, by field."""

from __future__ import annotations

from typing import Any

from goldpan.kinds.repositories.repository_text import RepositoryText
from goldpan.text import phrase

from tests.support.factories import repository


def text(name: str = "an-owner/a-name", **facts: Any) -> RepositoryText:
    """Make the text of a repository."""
    return RepositoryText(repository(name, **{"description": None, **facts}))


def test_fields_come_in_the_order_of_their_significance() -> None:
    """Name, description, topics, README, owner."""
    every = text("motion/motion", description="motion", topics=("motion",), readme="motion")
    assert every.fields_with(("motion",)) == ["name", "description", "topics", "readme", "owner"]
    assert every.fields_with(("animation",)) == []


def test_a_name_is_split_into_words() -> None:
    """A name counts the same however its words are joined."""
    for name in ("a/react-animation", "a/reactAnimation", "a/React_Animation"):
        assert text(name).fields_with(phrase("react animation")) == ["name"]


def test_phrases_have_at_most_four_words() -> None:
    """Words count as a phrase where they follow each other."""
    found = text(description="one two three four five")
    assert found.fields_with(phrase("two three four five")) == ["description"]
    assert found.fields_with(phrase("one two three four five")) == []
    assert found.fields_with(phrase("one three")) == []


def test_only_the_beginning_of_a_readme_counts() -> None:
    """The first 80 terms within the first 2000 characters."""
    assert text(readme="word " * 79 + "motion").fields_with(("motion",)) == ["readme"]
    assert text(readme="word " * 80 + "motion").fields_with(("motion",)) == []
    assert text(readme=" " * 1994 + "motion").fields_with(("motion",)) == ["readme"]
    assert text(readme=" " * 1995 + "motion").fields_with(("motion",)) == []


def test_the_length_counts_different_terms() -> None:
    """Of the name and the description, or the README instead; 16 if there is neither."""
    assert text("a/motion", description="motion and motion for react").length == 4
    assert text("a/motion", description="a b", readme="c d e").length == 3
    assert text("a/motion", readme="c d e").length == 4
    assert text("a/motion", topics=("x", "y")).length == 16


def test_a_repository_describes_itself_by_name_or_description() -> None:
    """A word in a topic or in the README may be about something else."""
    examples = frozenset({phrase("example")})
    assert text("a/react-examples").describes_itself_as(examples)
    assert text(description="An example").describes_itself_as(examples)
    assert not text(topics=("example",), readme="For example").describes_itself_as(examples)


def test_a_name_within_a_longer_one_does_not_count() -> None:
    """As "React" in "React Native", unless it also occurs alone; topics name both anyway."""
    react, native = phrase("react"), [phrase("react native")]
    assert not text(description="For React Native").occurs_outside(react, native)
    assert not text(description="For React Native", topics=("react",)).occurs_outside(react, native)
    assert text(description="For React Native and React").occurs_outside(react, native)
    assert text(description="For React", readme="React Native").occurs_outside(react, native)
    assert text(topics=("react", "react-native")).occurs_outside(react, native)


def test_any_field_may_contain_a_phrase() -> None:
    """Also the owner's name and the topics."""
    assert text("motion/x").contains_any({("motion",), ("zzyzx",)})
    assert text(topics=("motion",)).contains_any({("motion",)})
    assert not text().contains_any({("motion",)})
