"""Finds the files of a folder that can be imported, and reads each by its name."""

import hashlib
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from goldpan.engine.loading import Loaded
from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.sources.library.models import LibraryPaper

from goldpan_local.files import BIBTEX_SUFFIXES
from goldpan_local.library_files.notes import read_note
from goldpan_local.library_files.records import Entries, Reading, index_entries, line_entries, read_entries
from goldpan_local.library_files.references import READERS

ENTRIES = {".json": index_entries, ".jsonl": line_entries, ".ndjson": line_entries, **READERS}
READ_BIBTEX: Loaded[Callable[[Path, Reading], Entries]] = Loaded(f"{__package__}.bibtex_entries:bibliography_entries")
READ_PDF: Loaded[Callable[[Path, str, Reading], LibraryPaper]] = Loaded(f"{__package__}.pdf_files:read_pdf")
"""Loaded for such a file only, with the package that parses it."""
NOTES = (".md", ".markdown", ".txt")
PDF = ".pdf"
SUFFIXES = (".json", ".jsonl", ".ndjson", *BIBTEX_SUFFIXES, *READERS, *NOTES, PDF)
SLUG_CHARS, HASH_CHARS = 40, 8
HIDDEN, NO_FILE = "hidden, whose names begin with a dot", "links to nothing, and pipes"
_NO_SLUG = re.compile(r"[\W_]+")


@dataclass
class FoundFiles:
    """The files below a path in the order of their names, and the folders that could not be read."""

    root: Path
    files: list[Path] = field(default_factory=list)
    unread: list[OSError] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    """What is not read: how many files of each other suffix, names that begin with a dot, and what is no file."""

    def has_left(self, origin: str) -> bool:
        """Whether a file of an earlier import is gone: it was in this folder, and nothing hides it."""
        unread = (origin_of(error.filename) for error in self.unread)
        return _is_below(origin, origin_of(self.root)) and not any(_is_below(origin, folder) for folder in unread)

    def notes(self) -> Iterator[str]:
        """Describe what is not read, in a line, the most frequent first."""
        if named := ", ".join(f"{name} ({files:,})" for name, files in self.left_out.most_common() if files):
            yield f"left out, because goldpan reads no such files: {named}"


def find_files(path: Path) -> FoundFiles:
    """Find the file, or all files of the folder. Raises `InvalidRequest` if there is none."""
    root = Path(os.path.realpath(path))
    if root.is_dir():
        found = _walk(root)
        if not found.files:
            reason = f"; {found.unread[0].filename}: {found.unread[0].strerror}" if found.unread else ""
            raise InvalidRequest(f"{path}: has no files to import (names that end in {', '.join(SUFFIXES)}){reason}")
        return found
    if not root.is_file():
        message = f"{path}: {'is neither a file nor a folder' if root.exists() else 'no such file or folder'}"
        raise InvalidRequest(message)
    if _suffix(root) not in SUFFIXES:
        raise InvalidRequest(f"{path}: its name must end in {', '.join(SUFFIXES)}, or one of these and .gz")
    return FoundFiles(root, [root])


def read_papers(path: Path, reading: Reading) -> Iterator[LibraryPaper]:
    """Read a file by its name. Raises `InvalidRequest` that names it if it cannot be read."""
    suffix = _suffix(path)
    if suffix in NOTES or suffix == PDF:
        read = READ_PDF() if suffix == PDF else read_note
        with reading.leaving_out(path):
            yield read(path, id_of(path), reading)
    else:
        entries = READ_BIBTEX() if suffix in BIBTEX_SUFFIXES else ENTRIES[suffix]
        yield from read_entries(path, entries(path, reading), id_of(path), reading)


def origin_of(path: Path | str) -> str:
    """Return the name by which a library remembers a file; of a path that is not UTF-8, its bytes are escaped."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def id_of(path: Path) -> str:
    """Return the id of a note, and the beginning of those of records without one: the name, and a hash of the path."""
    name = origin_of(path.name).removesuffix(".gz").rpartition(".")[0]
    slug = _NO_SLUG.sub("-", name.lower()).strip("-")[:SLUG_CHARS]
    return f"{slug}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:HASH_CHARS]}"


def _walk(root: Path) -> FoundFiles:
    """Find files in all folders whose names do not begin with a dot, each once, however many links lead to it."""
    found, seen = FoundFiles(root), {str(root)}
    for place, below, names in os.walk(root, onerror=found.unread.append, followlinks=True):
        folder = Path(place)
        found.left_out[HIDDEN] += sum(name.startswith(".") for name in (*below, *names))
        shown = (sorted(name for name in group if not name.startswith(".")) for group in (below, names))
        below[:], files = ([name for name in group if _is_new(folder / name, root, seen)] for group in shown)
        readable = [path for name in files if _suffix(path := folder / name) in SUFFIXES and _is_file(path)]
        found.files += readable
        others = [path for name in files if (path := folder / name) not in readable]
        found.left_out.update(NO_FILE if _suffix(path) in SUFFIXES else _suffix(path) or path.name for path in others)
    return found


def _is_new(path: Path, root: Path, seen: set[str]) -> bool:
    """Whether a file or folder was not seen yet, and is no link that leads back to a folder that has the root."""
    target = os.path.realpath(path)
    is_new = target not in seen and not _is_below(str(root), target)
    seen.add(target)
    return is_new


def _is_file(path: Path) -> bool:
    """Whether it is a file, or may not be looked at: reading it says why, and its papers stay."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError as error:
        return isinstance(error, PermissionError)


def _suffix(path: Path) -> str:
    return Path(path.name.lower().removesuffix(".gz")).suffix


def _is_below(origin: str, folder: str) -> bool:
    return origin.startswith(folder.rstrip(os.sep) + os.sep)
