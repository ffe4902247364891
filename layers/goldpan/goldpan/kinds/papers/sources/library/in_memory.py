"""Indexes papers in memory, once and for one process: without what an import keeps to tell what changed."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterable

from goldpan.kinds.papers.sources.library import schema
from goldpan.kinds.papers.sources.library.models import LibraryPaper

HASH_BYTES = 64 * 1024 * 1024
"""Words that are collected before a part of the full-text index is written; SQLite's 1 MB makes 40 parts of 20 MB."""
_INSERT = (
    "INSERT INTO papers (number, id, origin, digest, year, title, abstract, summary, facts) "
    "VALUES (?, ?, '', x'', ?, ?, ?, ?, ?)"
)


def open_in_memory(papers: Iterable[LibraryPaper]) -> sqlite3.Connection:
    """Return a database in memory with these papers; of those with the same id the last one counts."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.execute("BEGIN")
    schema.create_tables(connection)
    connection.execute("INSERT INTO texts (texts, rank) VALUES ('hashsize', ?)", (HASH_BYTES,))
    lengths = {field: [0, 0] for field in schema.SEARCHED}
    for number, paper in enumerate({paper.id: paper for paper in papers}.values(), start=1):
        facts = schema.facts_of(paper)
        values = (number, paper.id, paper.year, paper.title, paper.abstract, paper.summary, facts)
        connection.execute(_INSERT, values)
        for field, words in zip(schema.SEARCHED, schema.add_text(connection, number, paper), strict=True):
            lengths[field][0] += words > 0
            lengths[field][1] += words
    schema.add_lengths(connection, [(field, count, words) for field, (count, words) in lengths.items()])
    connection.execute("INSERT INTO meta VALUES ('version', ?)", (uuid.uuid4().hex,))
    connection.execute("COMMIT")
    return connection
