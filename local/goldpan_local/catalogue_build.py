"""What `goldpan catalogue build` does: reads, indexes, and says what came of it."""

from __future__ import annotations

import gzip
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from goldpan.errors import InvalidRequest
from goldpan.kinds.repositories.sources.catalogue.build import build_catalogue, records_from_lines

from goldpan_local.build_progress import shown_build
from goldpan_local.endings import write_out
from goldpan_local.figures import file_size
from goldpan_local.untrusted import plain


def build_file(source: Path, target: Path, title: str, *, force: bool) -> None:
    """Make the catalogue file; raises `InvalidRequest` naming the file, and the line where one is to blame."""
    _require_free(source, target, force=force)
    begin = time.monotonic()
    with _blamed(source, target), shown_build(_count_lines(source)) as progress:
        count = build_catalogue(progress.counted(records_from_lines(source)), target, title)
    seconds, size = time.monotonic() - begin, file_size(target.stat().st_size)
    write_out(f"{plain(str(target))}: {count:,} repositories, {size}, made in {seconds:.1f} s\n")


def _require_free(source: Path, target: Path, *, force: bool) -> None:
    if not target.exists():
        return
    if source.exists() and target.samefile(source):
        message = f"{target}: is the input itself"
        raise InvalidRequest(message)
    if not force or not target.is_file():
        message = f"{target}: exists already; --force overwrites a file"
        raise InvalidRequest(message)


@contextmanager
def _blamed(source: Path, target: Path) -> Iterator[None]:
    """Say which of the two files failed, and where."""
    try:
        yield
    except UnicodeDecodeError as error:
        message = f"{source} line {_undecodable_line(source)}: not UTF-8"
        raise InvalidRequest(message) from error
    except (gzip.BadGzipFile, EOFError) as error:
        message = f"{source}: not a whole gzip file: {error}"
        raise InvalidRequest(message) from error
    except sqlite3.Error as error:
        message = f"{target}: cannot be written: {error}"
        raise InvalidRequest(message) from error
    except OSError as error:
        message = f"{error.filename or source}: {error.strerror or error}"
        raise InvalidRequest(message) from error


def _opened(source: Path) -> BinaryIO:
    return cast("BinaryIO", gzip.open(source, "rb")) if source.suffix == ".gz" else source.open("rb")


def _count_lines(source: Path) -> int:
    """Count the lines, so that the progress has an end."""
    with _opened(source) as lines:
        return sum(1 for _ in lines)


def _undecodable_line(source: Path) -> int:
    with _opened(source) as lines:
        for number, line in enumerate(lines, start=1):
            try:
                line.decode()
            except UnicodeDecodeError:
                return number
    return 0
