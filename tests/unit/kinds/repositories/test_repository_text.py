"""The terms of a repository's text."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from goldpan.kinds.repositories.repository_text import RepositoryText, text_of
from goldpan.text import phrase

from tests.support.factories import repository


def text(name: str = "an-owner/a-name", **facts: Any) -> RepositoryText:
    """Make the text of a repository."""
    return text_of(repository(name, **{"description": None, **facts}))


@pytest.mark.parametrize(
    ("found", "words", "fields"),
    [
        (text("motion/motion", description="motion", topics=("motion",), readme="motion"), "motion",
         ["name", "description", "topics", "readme", "owner"]),
        (text("a/react-animation"), "react animation", ["name"]),
        (text("a/reactAnimation"), "react animation", ["name"]),
        (text("a/React_Animation"), "react animation", ["name"]),
        (text(description="one two three four five"), "two three four five", ["description"]),
        (text(description="one two three four five"), "one two three four five", []),
        (text(description="one two three"), "one three", []),
        (text(readme="word " * 79 + "motion"), "motion", ["readme"]),
        (text(readme="word " * 80 + "motion"), "motion", []),
        (text(readme=" " * 1994 + "motion"), "motion", ["readme"]),
        (text(readme=" " * 1995 + "motion"), "motion", []),
    ],
)  # fmt: skip
def test_the_fields_with_a_phrase(found: RepositoryText, words: str, fields: list[str]) -> None:
    """A phrase has at most four words in a row; of a README the first 80 terms in 2000 characters count."""
    assert found.fields_with(phrase(words)) == fields
    assert found.contains_any({phrase(words), ("zzyzx",)}) == bool(fields)


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
    assert not text(description="For React Native", topics=("react",)).occurs_outside(react, native)
    assert text(description="For React Native and React").occurs_outside(react, native)
    assert text(description="For React", readme="React Native").occurs_outside(react, native)
    assert text(topics=("react", "react-native")).occurs_outside(react, native)


def test_a_text_takes_little_memory() -> None:
    """A server keeps hundreds of them: with 80 kB each, as much as everything else that it holds."""
    readme = " ".join(f"word{number}" for number in range(100))
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept = [text(f"an-owner/name-{number}", readme=f"{number} {readme}") for number in range(100)]
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert taken < 50_000 * len(kept)


@pytest.mark.parametrize(
    ("description", "word"),
    [
        ("Plain SQL instead of an ORM", "orm"),
        ("Speech recognition. No GPU required.", "gpu"),
        ("Not a framework, but a few functions", "framework"),
        ("File sync without a server", "server"),
        ("A light alternative to a message broker", "broker"),
        ("No need for Docker", "docker"),
    ],
)
def test_what_a_text_denies_is_none_of_its_words(description: str, word: str) -> None:
    """Who looks for an ORM does not want what replaces one."""
    assert text_of(repository(description=description)).fields_with(phrase(word)) == []


def test_a_virtue_stays_a_word() -> None:
    """Who asks for no dependencies, or for what replaces a product, finds the word."""
    text = text_of(repository(description="Date picker without dependencies, an alternative to Flatpickr"))
    assert all(text.fields_with(phrase(word)) for word in ("dependencies", "flatpickr"))
