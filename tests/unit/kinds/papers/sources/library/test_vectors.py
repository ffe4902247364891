"""Tests of the vectors in the file of a library."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from goldpan.errors import Misconfigured, Refused, Unavailable
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from goldpan.kinds.papers.sources.library.vectors import PassageVectors, encode_library, encoders_of
from goldpan.kinds.papers.sources.library.writer import LibraryWriter

from tests.support.loopback.llm import HashedEncoder

LONG = " ".join(f"Sentence {n} of the long note speaks of cats." for n in range(60))
PAPERS = [LibraryPaper(id=f"p{n}", title=f"Paper {n}", abstract=f"About topic number{n}.") for n in range(150)]


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[LibraryWriter]:
    """Open a library with 150 papers."""
    with LibraryWriter.open(tmp_path / "mine.sqlite") as opened:
        opened.replace_origin("papers.json", "1", PAPERS)
        yield opened


def _rows(writer: LibraryWriter) -> list[tuple[object, ...]]:
    query = "SELECT p.id, v.start, v.end, e.name FROM vectors v JOIN encoders e ON e.number = v.encoder "
    return writer.connection.execute(f"{query} LEFT JOIN papers p ON p.number = v.paper ORDER BY 1, 2").fetchall()


def test_what_did_not_change_is_not_encoded_again(writer: LibraryWriter) -> None:
    """Neither by a second run, nor because other facts of a paper change, nor in another file."""
    encoder, progress = HashedEncoder(), list[tuple[int, int]]()
    encode_library(writer, encoder, lambda done, count: progress.append((done, count)))
    assert progress == [(64, 150), (128, 150), (150, 150)]
    encode_library(writer, encoder)
    assert len(encoder.texts) == 150
    note = LibraryPaper(id="note", title="Note", summary=LONG)
    changed = [PAPERS[0].model_copy(update={"tags": ("read",)}), *PAPERS[2:], note]
    writer.replace_origin("papers.json", "2", changed)
    encoder.texts.clear()
    encode_library(writer, encoder)
    assert len(encoder.texts) == 3
    assert all(text.startswith("Note\n\nSentence ") for text in encoder.texts)
    assert [row[0] for row in _rows(writer)].count("note") == 3
    assert {row[0] for row in _rows(writer)} == {paper.id for paper in changed}


def test_a_run_goes_on_where_it_stopped(writer: LibraryWriter) -> None:
    """The endpoint fails after the first batch, and the vectors of the earlier encoder stay until all is encoded."""
    encode_library(writer, HashedEncoder("old"))
    calls = iter([None, Unavailable("no answer")])

    def fail_once(_: Sequence[str]) -> None:
        if failure := next(calls, None):
            raise failure

    encoder = HashedEncoder("new", refuse=fail_once)
    with pytest.raises(Unavailable):
        encode_library(writer, encoder)
    assert list(encoders_of(writer.connection)) == ["old", "new"]
    assert [row[3] for row in _rows(writer)].count("old") == 150
    encode_library(writer, encoder)
    assert len(encoder.texts) == len(set(encoder.texts)) == 150
    assert {row[3] for row in _rows(writer)} == {"new"}
    assert list(encoders_of(writer.connection)) == ["new"]


def _refuses(part: str) -> Callable[[Sequence[str]], None]:
    def refuse(texts: Sequence[str]) -> None:
        if any(part in text for text in texts):
            raise Refused("the endpoint for embeddings answered 400")

    return refuse


def test_a_text_that_is_refused_does_not_cost_the_others(writer: LibraryWriter) -> None:
    """It is not sent again by the next run; an encoder that refuses everything is an error."""
    with pytest.raises(Refused):
        encode_library(writer, HashedEncoder(refuse=_refuses("")))
    encoder = HashedEncoder(refuse=_refuses("number77."))
    for _ in range(2):
        encode_library(writer, encoder)
        assert len(encoder.texts) == 149
    writer.replace_origin("more.json", "1", [LibraryPaper(id="x", title="x number77.")])
    encode_library(writer, encoder)
    assert len(encoder.texts) == 149


def test_papers_may_be_imported_while_others_are_encoded(tmp_path: Path, writer: LibraryWriter) -> None:
    """A paper that another process removes in the meantime gets no vectors, and nothing fails."""

    def remove(_: Sequence[str]) -> None:
        with closing(sqlite3.connect(tmp_path / "mine.sqlite")) as other, other:
            other.execute("DELETE FROM papers WHERE id = 'p3'")

    encode_library(writer, HashedEncoder(refuse=remove))
    assert len(_rows(writer)) == 149


def test_vectors_of_other_dimensions_are_an_error_of_the_settings(writer: LibraryWriter) -> None:
    """An endpoint may change what it gives under the same name."""
    encode_library(writer, HashedEncoder())
    vectors = PassageVectors.load(writer.connection, "hashed")
    assert vectors is not None
    nearest = vectors.nearest(HashedEncoder().encode(["Paper 7 number7."])[0], 3)
    assert (next(iter(nearest))[0], list(nearest.values())) == ("p7", sorted(nearest.values(), reverse=True))
    for question in (b"1", b"1" * 999):
        with pytest.raises(Misconfigured, match=f"the question's vector has {len(question)} dimensions"):
            vectors.nearest(question, 1)
    writer.connection.execute("UPDATE vectors SET vector = x'01' WHERE paper = 1")
    with pytest.raises(Misconfigured, match=r"the vectors of hashed have 1 and \d+ dimensions; encode them anew"):
        PassageVectors.load(writer.connection, "hashed")
