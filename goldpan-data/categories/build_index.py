"""Write `categories.sqlite`, the index of the kinds of thing that developers search for, from the texts of this folder.

`categories.txt` has a category a line: its names ("yaml parser for go; go yaml library"), a tab, and well-known
repositories of that kind. `needs.txt` has the first name, a tab, and three needs in the words of people who do not know
the name ("computer is too loud, adjust the fans by temperature"). The index also has the notes of the repositories.

Run it after a change of these files, of the notes, of the word table or of `goldpan.text.terms`.
"""

import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

import goldpan_data
from goldpan.infra.encoder.port import Vector, quantised
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.repository_text import notes
from goldpan.text import terms

FOLDER = Path(__file__).parent
INDEX = goldpan_data.file("categories.sqlite")
SCHEMA = """
CREATE TABLE categories (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, repositories TEXT NOT NULL, other_names TEXT NOT NULL
);
CREATE VIRTUAL TABLE texts USING fts5 (
    names, needs, notes,
    content='', tokenize="ascii tokenchars '+#.'"
);
CREATE TABLE vectors (content BLOB NOT NULL);
"""


def main() -> int:
    """Write the index anew and return the exit code."""
    rows, needs, vectors = _rows("categories.txt"), dict(_rows("needs.txt")), b""
    INDEX.unlink(missing_ok=True)
    connection = sqlite3.connect(INDEX)
    connection.executescript(SCHEMA)
    with connection:
        for number, (names, repositories) in enumerate(rows, start=1):
            first, _, others = names.partition("; ")
            known = [note for one in repositories.split() if (note := notes().get(one))]
            texts = (names.split("; "), needs[first].split("; "), known)
            connection.execute("INSERT INTO categories VALUES (?, ?, ?, ?)", (number, first, repositories, others))
            vectors += _mean([_mean(shipped_table().encode(column)) for column in texts if column])
            columns = [" ".join(term for text in column for term in terms(text)) for column in texts]
            connection.execute("INSERT INTO texts(rowid, names, needs, notes) VALUES (?, ?, ?, ?)", (number, *columns))
        connection.execute("INSERT INTO vectors VALUES (?)", (vectors,))
        connection.execute("INSERT INTO texts(texts) VALUES ('optimize')")
    connection.execute("VACUUM")
    connection.close()
    sys.stdout.write(f"{INDEX.name}: {len(rows)} categories\n")
    return 0


def _rows(name: str) -> list[tuple[str, str]]:
    lines = (FOLDER / name).read_text("utf-8").splitlines()
    return [(first, rest) for first, _, rest in (line.partition("\t") for line in lines)]


def _mean(vectors: Sequence[Vector]) -> Vector:
    """Return the direction of the sum of vectors, each scaled to the same largest component."""
    columns = zip(*(memoryview(vector).cast("b") for vector in vectors), strict=True)
    return quantised([sum(column) for column in columns])


if __name__ == "__main__":
    sys.exit(main())
