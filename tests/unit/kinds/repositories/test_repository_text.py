"""The terms of a repository's text, and the notes that stand in for it."""

import tracemalloc
from typing import Any

import goldpan_data
import pytest
from goldpan.kinds.repositories import repository_text
from goldpan.text import phrase

from tests.support.factories import repository
from tests.support.sample import SAMPLE_SOURCE


def text(name: str = "an-owner/a-name", **facts: Any) -> repository_text.RepositoryText:
    """Make the text of a repository."""
    return repository_text.text_of(repository(name, **{"description": None, **facts}))


@pytest.mark.parametrize(
    ("found", "words", "fields"),
    [
        (text("motion/motion", description="motion", topics=("motion",), readme="motion"), "motion",
         ["name", "description", "topics", "readme", "owner"]),
        (text("a/reactAnimation"), "react animation", ["name"]),
        (text(description="one two three four five"), "two three four five", ["description"]),
        (text(description="one two three four five"), "one two three four five", []),
        (text(readme="word " * 80 + "motion"), "motion", []),
        (text(readme=" " * 1995 + "motion"), "motion", []),
    ],
)  # fmt: skip
def test_the_fields_with_a_phrase(found: repository_text.RepositoryText, words: str, fields: list[str]) -> None:
    """A phrase has at most four words in a row; of a README the first 80 terms in 2000 characters count."""
    assert found.fields_with(phrase(words)) == fields
    assert found.contains_any({phrase(words), ("zzyzx",)}) == bool(fields)


def test_the_length_counts_different_terms() -> None:
    """Of the name, as words, and the description, or the README instead; 16 if there is neither."""
    assert text("a/motion", description="motion and motion for react").length == 4
    assert text("a/motion", description="a b", readme="c d e").length == 3
    assert text("a/motion", topics=("x", "y")).length == 16
    assert repository_text.spaced_name(repository("an-owner/reactTable-core_v2.js")) == "react Table core v2 js"


def test_a_repository_describes_itself_by_name_or_description() -> None:
    """A topic or the README may be about something else."""
    examples = frozenset({phrase("example")})
    assert text("a/react-examples").describes_itself_as(examples)
    assert text(description="An example").describes_itself_as(examples)
    assert not text(topics=("example",), readme="For example").describes_itself_as(examples)


def test_a_text_takes_little_memory() -> None:
    """A server keeps hundreds of them: with 80 kB each, as much as everything else that it holds."""
    readme = " ".join(f"word{number}" for number in range(100))
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept = [text(f"an-owner/name-{number}", readme=f"{number} {readme}") for number in range(100)]
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert taken < 50_000 * len(kept)


def test_what_a_text_denies_is_none_of_its_words() -> None:
    """Who looks for an ORM does not want what replaces one; a virtue, or the name of a rival, stays a word."""
    denied = {
        "orm": "Plain SQL instead of an ORM",
        "gpu": "Speech recognition. No GPU required.",
        "broker": "A light alternative to a message broker",
        "docker": "No need for Docker",
    }
    kept = {"dependencies": "Date picker without dependencies", "flatpickr": "An alternative to Flatpickr"}
    rows = (denied | kept).items()
    assert [word for word, said in rows if text(description=said).contains_any({phrase(word)})] == [*kept]


HAPI = "hapijs/hapi"
WORDS = range(8, 19)


def test_a_note_stands_in_for_a_missing_description() -> None:
    """It is shown once; goldpan's own takes the place of one that a model wrote, which says so."""
    one = repository(HAPI, description=None)
    assert repository_text.best_description(one) == repository_text.note_of(one)
    assert repository_text.meaning_text(one) == f"hapi. {repository_text.best_description(one).rstrip('.')}"
    assert repository_text.note_of(repository(HAPI.upper(), description=repository_text.best_description(one))) is None
    by_model = {"note": "A server.", "note_by": "a model"}
    shown = [repository_text.shown_note(repository(*name, **by_model)) for name in ((), (HAPI,))]
    assert shown == ["A server. (written by a model)", repository_text.note_of(repository(HAPI))]
    assert repository_text.shown_note(repository(note="A server.")) == "A server."


def test_the_notes_are_one_sentence_each() -> None:
    """A line of another form, or a text that was changed without making the notes again, would be lost."""
    texts = (SAMPLE_SOURCE / "texts.tsv", SAMPLE_SOURCE / "further_notes.tsv")
    rows = [line.split("\t") for path in texts for line in path.read_text("utf-8").splitlines()]
    written = {row[0].lower(): row[2] if len(row) > 2 else row[1] for row in rows}
    assert goldpan_data.read_lines("notes.txt") == sorted(map("\t".join, written.items()))
    assert len(written) == len(rows)
    assert [note for note in written.values() if len(note.split()) not in WORDS or not note.endswith(".")] == []
