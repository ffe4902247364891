"""Files of the user: named in errors, replaced as a whole, and where they hold questions for their owner alone."""

from __future__ import annotations

import gzip
import os
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from goldpan.errors import InvalidRequest, Misconfigured


def write_private(path: Path, content: str) -> None:
    """Write a file next to its place, readable by its owner only, then move it there. Raises `OSError`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, made = tempfile.mkstemp(prefix=f".{path.name}", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(content)
        Path(made).replace(path)
    except BaseException:
        Path(made).unlink(missing_ok=True)
        raise


def user_folder(environment: Mapping[str, str], variable: str, default: str) -> Path | None:
    """Return a folder of the XDG Base Directory Specification: the variable's, else that in HOME; None without both."""
    folder, home = Path(environment.get(variable, "")), environment.get("HOME")
    return folder if folder.is_absolute() else Path(home, default) if home else None


@contextmanager
def named_in_errors(name: Path | str, raised: type[InvalidRequest | Misconfigured] = Misconfigured) -> Iterator[None]:
    """Turn an error of the operating system, or of gzip, into one that names the file."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        message = f"{name}: not a complete gzip file: {error}"
        raise raised(message) from error
    except OSError as error:
        message = f"{name}: {error.strerror or error}"
        raise raised(message) from error


@contextmanager
def named_database(target: Path, raised: type[InvalidRequest | Misconfigured]) -> Iterator[None]:
    """Turn an error of SQLite into one that names the file that cannot be written."""
    try:
        yield
    except sqlite3.Error as error:
        message = f"{target}: cannot be written: {error}"
        raise raised(message) from error


def require_other_file(source: Path, target: Path) -> None:
    """Raise `InvalidRequest` if the output is the input."""
    if target.exists() and source.exists() and target.samefile(source):
        message = f"{target}: input and output are the same file"
        raise InvalidRequest(message)
