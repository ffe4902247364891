"""Notes say what a well-known repository is where its own description does not."""

from __future__ import annotations

import goldpan_data
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.likeness import is_rival
from goldpan.kinds.repositories.models import SearchParams
from goldpan.kinds.repositories.relevance import Matcher
from goldpan.kinds.repositories.repository_text import best_description, note_of

from tests.support.factories import repository
from tests.support.sample import SAMPLE_SOURCE

HAPI, VIRTUE = "hapijs/hapi", "The Simple, Secure Framework Developers Trust"
MATTERMOST = "mattermost/mattermost"
WORDS = range(8, 19)


def test_a_note_makes_a_repository_relevant() -> None:
    """A slogan does not tell that hapi is for servers in Node.js; another repository with the slogan stays below."""
    params = SearchParams(keywords=("node.js", "web server", "framework"), meaning="node.js web server framework")
    matcher = Matcher(params, shipped_table())
    known, unknown = matcher.match([repository(HAPI, description=VIRTUE), repository("x/hapi", description=VIRTUE)])
    assert known.relevance > 1.2 * unknown.relevance
    assert any("in the note" in word for word in known.evidence)
    assert not any("in the note" in word for word in unknown.evidence)


def test_a_note_stands_in_for_a_missing_description() -> None:
    """What is shown of a repository without a description is its note, once."""
    one = repository(HAPI, description=None)
    assert best_description(one) == note_of(one)
    assert note_of(repository(HAPI.upper(), description=best_description(one))) is None


def test_a_note_says_what_a_repository_is_an_alternative_to() -> None:
    """Owners seldom name the product that people compare theirs with."""
    assert is_rival(repository(MATTERMOST, description="Collaboration across the software lifecycle."), "Slack")


def test_the_notes_are_one_sentence_each() -> None:
    """A line of another form, or a text that was changed without making the notes again, would be lost."""
    lines = goldpan_data.read_lines("notes.txt")
    texts = (SAMPLE_SOURCE / "texts.tsv", SAMPLE_SOURCE / "further_notes.tsv")
    rows = [line.split("\t") for path in texts for line in path.read_text("utf-8").splitlines()]
    written = [f"{row[0].lower()}\t{row[2] if len(row) > 2 else row[1]}" for row in rows]
    assert lines == sorted(written)
    assert len({line.partition("\t")[0] for line in lines}) == len(lines)
    notes = [line.partition("\t")[2] for line in lines]
    assert [note for note in notes if len(note.split()) not in WORDS or not note.endswith(".")] == []
