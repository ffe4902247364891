"""The papers that have a frequent word, one bit each, so that a query is counted without reading long lists of papers.

FTS5 reads the list of papers of each word, 50 ns a paper; most of them are those of a few hundred words. A paper has
the bit of its number. The table holds for one version of the library: while an import changes papers, after one that
was killed, and in a file of an older goldpan, FTS5 counts.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from goldpan.kinds.papers.sources.library.expressions import WORD_ENDINGS
from goldpan.kinds.papers.sources.library.folding import stem

TABLE = "CREATE TABLE IF NOT EXISTS frequent_words (word TEXT PRIMARY KEY, papers INTEGER NOT NULL, bits BLOB NOT NULL)"
MIN_PAPERS, PAPERS_SHARE = 2000, 50
"""A word is frequent if so many papers have it, and one of so many."""
CHANGED_SHARE = 0.1
"""From which share of more or fewer papers on the frequent words are chosen anew."""
_STATE = ("frequent_words", "frequent_papers", "frequent_last")
"""Keys of `meta`: the version of the library that the table is of, its papers, and the highest number of one."""
LAST_NUMBER = f"(SELECT CAST(value AS INTEGER) FROM meta WHERE key = '{_STATE[2]}')"  # noqa: S608
"""A paper that is added has a higher number: so bits are never of another paper."""


@dataclass(frozen=True)
class FrequentWords:
    """The frequent words of a library by their stems, with the numbers of papers; empty if the table does not hold."""

    papers: dict[str, int] = field(default_factory=dict)

    @classmethod
    def load(cls, connection: sqlite3.Connection) -> FrequentWords:
        """Read which words are frequent."""
        is_known = is_current(connection)
        return cls(dict(connection.execute("SELECT word, papers FROM frequent_words")) if is_known else {})

    def count(self, connection: sqlite3.Connection, words: Iterable[str], others: Sequence[int]) -> int:
        """Return how many papers have one of these frequent words, or are among the others, each given once."""
        having = 0
        for word in words:
            row = connection.execute("SELECT bits FROM frequent_words WHERE word = ?", (word,)).fetchone()
            having |= int.from_bytes(row[0], "little")
        bits = having.to_bytes(max(others, default=0) // 8 + having.bit_length() // 8 + 1, "little")
        return having.bit_count() + sum(not bits[number >> 3] >> (number & 7) & 1 for number in others)


def is_current(connection: sqlite3.Connection) -> bool:
    """Report whether the table is of the papers that the library has."""
    keys = ("version", _STATE[0])
    found = [connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone() for key in keys]
    return found[0] is not None and found[0] == found[1]


def numbers_matching(connection: sqlite3.Connection, expression: str, above: int = 0) -> list[int]:
    """Return the numbers of the papers that match; as one value, which takes half of the time of rows."""
    select = "SELECT json_group_array(rowid) FROM texts WHERE texts MATCH ? AND rowid > ?"
    found: list[int] = json.loads(connection.execute(select, (expression, above)).fetchone()[0])
    return found


def write(connection: sqlite3.Connection, *, was_current: bool) -> None:
    """Bring the table up to date, within the transaction of the caller.

    `was_current` tells that it held before the papers changed: then only the bits of those that came and went change.
    """
    connection.execute(TABLE)
    papers, last = connection.execute("SELECT count(*), coalesce(max(number), 0) FROM papers").fetchone()
    known = dict(connection.execute("SELECT key, value FROM meta"))
    before = int(known.get(_STATE[1], 0))
    if was_current and abs(papers - before) <= CHANGED_SHARE * before:
        _update(connection, int(known[_STATE[2]]))
        papers = before
    else:
        connection.execute("DELETE FROM frequent_words")
        _fill(connection, max(MIN_PAPERS, papers // PAPERS_SHARE))
    state = zip(_STATE, (known.get("version", ""), papers, max(last, int(known.get(_STATE[2], 0)))), strict=True)
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", [(key, str(value)) for key, value in state])


def _fill(connection: sqlite3.Connection, least: int) -> None:
    found = connection.execute("SELECT term, doc FROM vocabulary WHERE doc >= ?", (least,)).fetchall()
    for term, papers in found:
        form = _form(term)
        numbers = numbers_matching(connection, f'"{form}"') if form else ()
        if len(numbers) == papers:  # else FTS5 has another stem of the form, and counts
            connection.execute("INSERT INTO frequent_words VALUES (?, ?, ?)", (term, papers, _bits(numbers)))


def _update(connection: sqlite3.Connection, last: int) -> None:
    (numbers,) = connection.execute("SELECT json_group_array(number) FROM papers").fetchone()
    present = int.from_bytes(_bits(json.loads(numbers)), "little")
    for (term,) in connection.execute("SELECT word FROM frequent_words").fetchall():
        (old,) = connection.execute("SELECT bits FROM frequent_words WHERE word = ?", (term,)).fetchone()
        added = int.from_bytes(_bits(numbers_matching(connection, f'"{_form(term)}"', last)), "little")
        bits = int.from_bytes(old, "little") & present | added
        values = (bits.bit_count(), bits.to_bytes(bits.bit_length() // 8 + 1, "little"), term)
        connection.execute("UPDATE frequent_words SET papers = ?, bits = ? WHERE word = ?", values)


def _bits(numbers: Sequence[int]) -> bytes:
    bits = bytearray(max(numbers, default=0) // 8 + 1)
    for number in numbers:
        bits[number >> 3] |= 1 << (number & 7)
    return bytes(bits)


def _form(term: str) -> str | None:
    """Return a word with this stem, which FTS5 stems again when it is asked for it; None if none is known."""
    return next((term + ending for ending in ("", "e", "y", *WORD_ENDINGS) if stem(term + ending) == term), None)
