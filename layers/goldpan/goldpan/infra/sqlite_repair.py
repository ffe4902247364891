"""What is done to a SQLite file as a file: tell whose it is, keep others from reading it, move it aside."""

import sqlite3
from pathlib import Path

HEADER = b"SQLite format 3\x00"
APPLICATION_ID_AT = slice(68, 72)
"""https://www.sqlite.org/fileformat2.html#the_database_header"""
COMPANIONS = ("", "-wal", "-shm")
"""SQLite's names for the file itself, its log and the index of that: they belong together."""
DAMAGED = ".damaged"
DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""The errors of a file that is not what SQLite once wrote, without the upper bits, which tell more about the reason."""
OWNER_ONLY, OTHERS = 0o600, 0o077
"""The permissions of the owner to read and write, and those of all other users."""


def belongs_to(application_id: int, path: Path) -> bool:
    """Return whether a file has the mark of this application, or was cut before the place of that mark."""
    with path.open("rb") as file:
        header = file.read(APPLICATION_ID_AT.stop)
    if len(header) < APPLICATION_ID_AT.stop:
        return header[: len(HEADER)] == HEADER[: len(header)]
    return header.startswith(HEADER) and header[APPLICATION_ID_AT] == application_id.to_bytes(4, "big")


def move_aside(path: Path) -> Path:
    """Rename a file with its companions, in the place of an earlier one, for its owner alone; return the new name."""
    aside = path.with_name(path.name + DAMAGED)
    for suffix in COMPANIONS:
        source, target = path.with_name(path.name + suffix), aside.with_name(aside.name + suffix)
        if source.exists():
            source.replace(target)
            target.chmod(OWNER_ONLY)
        else:
            target.unlink(missing_ok=True)
    return aside


def make_private(path: Path) -> None:
    """Let the owner alone read and write a file and its companions, which an older version or a copy left open."""
    for each in (path.with_name(path.name + suffix) for suffix in COMPANIONS):
        if each.exists() and each.stat().st_mode & OTHERS:
            each.chmod(OWNER_ONLY)
