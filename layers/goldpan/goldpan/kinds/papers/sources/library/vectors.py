"""The vectors of the passages of a library, in tables of its own file, and the passages nearest to a question.

They are made in batches, and kept by content and encoder:

    encoders   the encoders by name; more than one only until a new one has encoded all papers
    vectors    one row a passage and encoder: the paper, the offsets, the digest of what was encoded, the vector

A batch is one transaction, so that a run that is killed goes on where it stopped. A paper that changes or goes leaves
its vectors without a paper until the next run is complete: passages that are still the same are not encoded again.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from goldpan.errors import Misconfigured, Refused
from goldpan.infra.encoder.port import Encoder, StoredVectors, Vector
from goldpan.kinds.papers.sources.library.chunks import Place, split, text_of
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from goldpan.kinds.papers.sources.library.schema import PAPER_COLUMNS, paper_of, transaction
from goldpan.kinds.papers.sources.library.writer import LibraryWriter

TABLES = (
    "CREATE TABLE IF NOT EXISTS encoders (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    """CREATE TABLE IF NOT EXISTS vectors (
        encoder INTEGER NOT NULL, paper INTEGER REFERENCES papers (number) ON DELETE SET NULL,
        start INTEGER NOT NULL, end INTEGER NOT NULL, digest BLOB NOT NULL, vector BLOB NOT NULL
    )""",
    "CREATE INDEX IF NOT EXISTS vectors_by_paper ON vectors (paper, encoder)",
    "CREATE INDEX IF NOT EXISTS vectors_by_digest ON vectors (digest, encoder)",
)
BATCH_PAPERS = 64
DIGEST_BYTES = 16
NO_VECTOR = b""
"""Of a passage that the encoder refused, and of a paper without words: both are done, and are never found."""
Report = Callable[[int, int], None]
"""Receives how many papers have vectors, and of how many."""


class _Passage(NamedTuple):
    """A passage of a paper as it is stored, with the digest of what of it is encoded."""

    paper: int
    start: int
    end: int
    digest: bytes


def encode_library(writer: LibraryWriter, encoder: Encoder, report: Report = lambda _done, _all: None) -> None:
    """Give every paper of a library vectors of this encoder, and drop those of others when it is complete.

    Raises `CallFailed` or `Misconfigured` if the encoder is a service that fails; what was encoded before is kept.
    """
    connection = writer.connection
    with transaction(connection):
        for statement in TABLES:
            connection.execute(statement)
        connection.execute("INSERT OR IGNORE INTO encoders (name) VALUES (?)", (encoder.name,))
    number = encoders_of(connection)[encoder.name]
    papers = papers_without(connection, number)
    ((count,),) = connection.execute("SELECT count(*) FROM papers")
    for start in range(0, len(papers), BATCH_PAPERS):
        _encode_batch(connection, number, papers[start : start + BATCH_PAPERS], encoder)
        report(count - len(papers) + min(start + BATCH_PAPERS, len(papers)), count)
    with transaction(connection):
        connection.execute("DELETE FROM vectors WHERE paper IS NULL OR encoder <> ?", (number,))
        connection.execute("DELETE FROM encoders WHERE number <> ?", (number,))


def encoders_of(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the encoders that the file has vectors of, with their numbers."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'encoders'").fetchone() is None:
        return {}
    return dict(connection.execute("SELECT name, number FROM encoders ORDER BY number").fetchall())


def papers_without(connection: sqlite3.Connection, number: int) -> list[int]:
    """List the numbers of the papers that have no vectors of an encoder yet."""
    query = """SELECT number FROM papers WHERE NOT EXISTS
        (SELECT 1 FROM vectors WHERE paper = papers.number AND encoder = ?) ORDER BY number"""
    return [paper for (paper,) in connection.execute(query, (number,))]


def _encode_batch(connection: sqlite3.Connection, number: int, papers: Sequence[int], encoder: Encoder) -> None:
    """Encode some papers outside of a transaction, and write their vectors in one."""
    query = f"SELECT {PAPER_COLUMNS} FROM papers WHERE number = ?"  # noqa: S608 - a constant
    rows_of = ((paper, connection.execute(query, (paper,)).fetchone()) for paper in papers)
    texts = [text for paper, row in rows_of if row for text in _texts(paper, paper_of(row))]
    of_digest = "SELECT digest, vector FROM vectors WHERE digest = ? AND encoder = ? LIMIT 1"
    made = (connection.execute(of_digest, (passage.digest, number)).fetchone() for passage, _ in texts)
    known: dict[bytes, Vector] = dict(filter(None, made))
    fresh = {passage.digest: text for passage, text in texts if passage.digest not in known}
    works = "SELECT 1 FROM vectors WHERE encoder = ? AND length(vector) > 0 LIMIT 1"
    is_working = bool(known) or connection.execute(works, (number,)).fetchone() is not None
    known |= zip(fresh, _encode_each(encoder, list(fresh.values()), is_working=is_working), strict=True)
    rows = [(number, *passage, known[passage.digest]) for passage, _ in texts]
    wordless = set(papers) - {passage.paper for passage, _ in texts}
    rows += [(number, paper, 0, 0, NO_VECTOR, NO_VECTOR) for paper in sorted(wordless)]
    with transaction(connection):
        # A paper that an import removed in the meantime has no row to refer to.
        connection.executemany("INSERT INTO vectors SELECT ?1, ?2, ?3, ?4, ?5, ?6 FROM papers WHERE number = ?2", rows)


def _texts(number: int, paper: LibraryPaper) -> Iterator[tuple[_Passage, str]]:
    """Yield each passage of a paper, and what of it is encoded: it follows the title unless it begins with it."""
    text = text_of(paper)
    for start, end in split(text):
        encoded = text[start:end] if start == 0 or not paper.title else f"{paper.title}\n\n{text[start:end]}"
        digest = hashlib.blake2b(encoded.encode("utf-8", "replace"), digest_size=DIGEST_BYTES).digest()
        yield _Passage(number, start, end, digest), encoded


def _encode_each(encoder: Encoder, texts: Sequence[str], *, is_working: bool) -> list[Vector]:
    """Encode texts together; one by one if they are refused, so that one text does not cost its batch.

    Raises `Refused` if all are refused by an encoder that is not known to work: then the texts are not the reason.
    """
    try:
        return encoder.encode(texts)
    except Refused as refusal:
        each = ([NO_VECTOR] if len(texts) == 1 else _encode_each(encoder, [text], is_working=True) for text in texts)
        vectors = [vector for (vector,) in each]
        if not is_working and not any(vectors):
            raise refusal from None
        return vectors


class PassageVectors:
    """All vectors of one encoder in a library, in memory; safe to share between threads."""

    def __init__(self, rows: Sequence[tuple[int, int, int, bytes]], dimensions: int, names: Mapping[int, str]) -> None:
        self._names, self._places = names, [(paper, start, end) for paper, start, end, _ in rows]
        self._vectors = StoredVectors(b"".join(vector for *_, vector in rows), dimensions)

    @classmethod
    def load(cls, connection: sqlite3.Connection, encoder: str) -> PassageVectors | None:
        """Read the vectors of an encoder that the file has; None if there are none yet.

        Raises `Misconfigured` for different dimensions.
        """
        number = encoders_of(connection)[encoder]
        where = "FROM vectors WHERE encoder = ? AND paper IS NOT NULL AND length(vector) > 0"
        query = f"SELECT count(*), max(length(vector)), min(length(vector)) {where}"
        count, dimensions, least = connection.execute(query, (number,)).fetchone()
        if not count:
            return None
        if dimensions != least:
            raise Misconfigured(f"the vectors of {encoder} have {least} and {dimensions} dimensions; encode them anew")
        rows = connection.execute(f"SELECT paper, start, end, vector {where}", (number,)).fetchall()
        return cls(rows, dimensions, dict(connection.execute("SELECT number, id FROM papers").fetchall()))

    def nearest(self, question: Vector, limit: int, papers: frozenset[int] | None = None) -> dict[Place, float]:
        """Return the passages nearest to a question with their cosine similarities, best first.

        `papers` restricts them to these, by their numbers.

        Empty if the question's vector is all zero. Raises `Misconfigured` if its dimensions are others.
        """
        dimensions = self._vectors.dimensions
        if len(question) != dimensions:
            message = f"the question's vector has {len(question)} dimensions, those of the library {dimensions}"
            raise Misconfigured(message)
        among = None
        if papers is not None:
            among = [position for position, (paper, *_) in enumerate(self._places) if paper in papers]
        nearest = self._vectors.nearest(question, limit, among).items()
        found = ((self._places[position], similarity) for position, similarity in nearest)
        return {(self._names[paper], start, end): similarity for (paper, start, end), similarity in found}
