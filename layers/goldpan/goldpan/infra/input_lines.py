"""Lines of the files that people give: read within bounds that no list of records reaches, and their unknown fields."""

import codecs
import gzip
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from io import BufferedReader
from pathlib import Path

from pydantic_core import from_json
from rapidfuzz.distance import OSA

from goldpan.errors import InvalidRequest
from goldpan.infra.unpacking import MAX_UNPACKED_RATIO, RATIO_CHECKED_FROM, UNPACKED_TOO_FAR

MAX_EDITS = 2
MAX_QUOTED_CHARS = 60
MAX_LINE_BYTES = 1024 * 1024
POSITION_STEP = 1_000
"""Lines between two reports of the position."""


def bounded_lines(path: Path, on_position: Callable[[int], None] | None = None) -> Iterator[tuple[int, bytes]]:
    """Yield each line with its number, without a byte order mark, and report the position in the file, in bytes.

    Of a line longer than `MAX_LINE_BYTES` one byte more than that is yielded, and the rest is skipped. Raises
    `InvalidRequest` with the number of the line at which a gzip file has unpacked to too much.
    """
    packed, unpacked, number, cut = path.suffix.lower() == ".gz", 0, 0, False
    # A GzipFile itself is five times slower at reading lines than a reader around it.
    with path.open("rb") as file, BufferedReader(gzip.GzipFile(fileobj=file)) if packed else file as content:
        for piece in iter(partial(content.readline, MAX_LINE_BYTES + 1), b""):
            number += not cut
            unpacked += len(piece)
            if packed and unpacked > RATIO_CHECKED_FROM and unpacked > MAX_UNPACKED_RATIO * file.tell():
                raise InvalidRequest(f"{path} line {number}: {UNPACKED_TOO_FAR}")
            if not cut:
                yield number, piece.removeprefix(codecs.BOM_UTF8) if number == 1 else piece
            if on_position is not None and number % POSITION_STEP == 0:
                on_position(file.tell())
            cut = not piece.endswith(b"\n")


def require_few(name: str, text: str, separators: str, most: int, what: str) -> None:
    """Raise `InvalidRequest` for more values than memory is meant for, counted by what separates them."""
    if (given := sum(map(text.count, separators))) > most:
        raise InvalidRequest(f"{name}: must have at most {most:,} {what} (given {given:,})")


def parse_line(line: bytes) -> object:
    """Parse a line of JSON Lines. Raises `ValueError` that describes the fault in one line."""
    if len(line) > MAX_LINE_BYTES:
        raise ValueError(f"longer than {MAX_LINE_BYTES:,} bytes")
    try:
        return from_json(line, allow_inf_nan=False)
    except ValueError as error:
        reason = str(error).replace("at line 1 column", "at column")
        raise ValueError(f"Invalid JSON: {reason} (given {quoted(line.decode('utf-8', 'replace'))})") from error


def unknown_fields(names: Iterable[str], known: Iterable[str], letters_an_edit: int = 1) -> list[str]:
    """Return the names that are no known field, shortened.

    A name within two edits of a known field that is not given misspells it; in a short field, each edit needs
    `letters_an_edit` letters of it. Raises `ValueError` with both names.
    """
    given, fields = set(names), tuple(known)
    unknown = sorted(given - {*fields})
    for name in unknown:
        meant = [field for field in _similar(name, fields, letters_an_edit) if field not in given]
        if meant:
            raise ValueError(f"{name[:MAX_QUOTED_CHARS]}: unknown field; is {meant[0]} meant?")
    return [name[:MAX_QUOTED_CHARS] for name in unknown]


def quoted(value: object) -> str:
    """Quote the beginning of a value, for a message."""
    return repr(str(value)[:MAX_QUOTED_CHARS])


@lru_cache(maxsize=1024)
def _similar(name: str, fields: tuple[str, ...], letters_an_edit: int) -> list[str]:
    """Return the fields that the name may misspell, in any letter case, the nearest first."""
    limits = {field: min(MAX_EDITS, len(field) // letters_an_edit) for field in fields}
    edits = {field: OSA.distance(name.lower(), field, score_cutoff=limit) for field, limit in limits.items()}
    return sorted((field for field in fields if edits[field] <= limits[field]), key=edits.__getitem__)
