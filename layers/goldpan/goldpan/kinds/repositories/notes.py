"""What goldpan itself says of well-known repositories: one sentence each, in its own words.

Many owners describe a project by its virtues ("the simple, secure framework developers trust"), in which no word of a
question occurs. A note says what it is and what it is for. `notes.txt` has a name and a sentence a line;
`scripts/sample_catalogue/build.py` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

FILE = Path(__file__).with_name("notes.txt")


@cache
def notes() -> Mapping[str, str]:
    """Return the notes by full name in lower case; the first call reads the file, which takes some milliseconds."""
    lines = FILE.read_text("utf-8").splitlines()
    return MappingProxyType(dict(line.split("\t") for line in lines))


def note_of(full_name: str) -> str | None:
    """Return the note of a repository; None if it has none."""
    return notes().get(full_name.lower())
