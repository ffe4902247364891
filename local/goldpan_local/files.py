"""Files of the user: read within bounds, named in errors, and replaced as a whole."""

import codecs
import gzip
import hashlib
import os
import shutil
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from goldpan.errors import InvalidRequest, Misconfigured
from goldpan.infra.unpacking import MAX_UNPACKED_RATIO, RATIO_CHECKED_FROM, UNPACKED_TOO_FAR

BIBTEX_SUFFIXES = (".bib", ".bibtex")
MAX_FILE_BYTES = 512 * 1024 * 1024
"""Of an index or a bibliography when it is unpacked; 100,000 papers with abstracts have about 150 MB."""
FORMAT_VERSION = 2
"""Part of every digest; a higher one, after a change of the readers, makes the next import read all files again."""
MAX_NOTE_BYTES = 8 * 1024 * 1024
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def write_whole(text: str, target: Path, *, private: bool = False) -> None:
    """Write a text into a file that is replaced only when all is written. Raises `Misconfigured`.

    A private one is for its owner alone, and its folder is made if it is missing.
    """
    with named_in_errors(target):
        if private:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if target.exists() and not target.is_file():  # a device or a pipe has no content to lose
            target.write_text(text, "utf-8")
            return
        target = Path(os.path.realpath(target))  # of what a link leads to, if that is no loop
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            part.touch(0o600 if private else 0o666)
            part.write_text(text, "utf-8")
            if target.exists():
                shutil.copymode(target, part)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


@contextmanager
def named_in_errors(name: Path | str, raised: type[InvalidRequest | Misconfigured] = Misconfigured) -> Iterator[None]:
    """Turn an error of the operating system, or of gzip, into one that names the file."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise raised(f"{name}: not a complete gzip file") from error
    except OSError as error:
        raise raised(f"{name}: {error.strerror or error}") from error


def require_other_file(source: Path, target: Path) -> None:
    """Raise `InvalidRequest` if the output is the input."""
    if target.exists() and source.exists() and target.samefile(source):
        raise InvalidRequest(f"{target}: input and output are the same file")


def read_bytes(path: Path, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Read a file, unpacked if its name ends in `.gz`. Raises `InvalidRequest` if it is too large or damaged."""
    with (
        named_in_errors(path, InvalidRequest),
        gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as file,
    ):
        packed = path.stat().st_size if isinstance(file, gzip.GzipFile) else max_bytes
        most = min(max_bytes, max(RATIO_CHECKED_FROM, MAX_UNPACKED_RATIO * packed))
        content = file.read(most + 1)
    if most < min(max_bytes, len(content)):
        raise InvalidRequest(f"{path}: {UNPACKED_TOO_FAR}")
    return _within(content, max_bytes, str(path))


def read_stdin(max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Read stdin to its end. Raises `InvalidRequest` if it is too large."""
    with named_in_errors("stdin", InvalidRequest):
        content = sys.stdin.buffer.read(max_bytes + 1)
    return _within(content, max_bytes, "stdin")


def _within(content: bytes, max_bytes: int, name: str) -> bytes:
    if len(content) > max_bytes:
        raise InvalidRequest(f"{name}: larger than {max_bytes // 1024**2:,} MiB")
    return content


def digest_of(path: Path) -> str:
    """Return a digest of the content of a file. Raises `InvalidRequest` if it cannot be read."""
    with named_in_errors(path, InvalidRequest), path.open("rb") as file:
        return f"{FORMAT_VERSION}:{hashlib.file_digest(file, 'sha256').hexdigest()}"


def decode(content: bytes, name: str) -> tuple[str, bool]:
    """Return the text, without a byte order mark, and whether it was Unicode. Raises `InvalidRequest` for no text.

    Other text is taken for Windows-1252, the Latin-1 of browsers (WHATWG, Encoding), and its five undefined bytes for
    Latin-1 itself.
    """
    if content.startswith(_UTF16):
        try:
            return content.decode("utf-16"), True
        except UnicodeDecodeError as error:
            raise InvalidRequest(f"{name}: not UTF-16 text: {error.reason} at byte {error.start}") from error
    if b"\0" in content:
        raise InvalidRequest(f"{name}: not a text file")
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding), encoding == "utf-8-sig"
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1"), False
