"""Reads the files that hold records in JSON: an index such as papers.json, and JSON Lines."""

import codecs
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from goldpan.errors import InvalidRequest
from goldpan.infra.input_lines import bounded_lines, parse_line, require_few
from goldpan.kinds.papers.input_files.field_names import InputCounts, known_fields
from goldpan.kinds.papers.models import KIND
from pydantic_core import from_json

from goldpan_local.files import decode, named_in_errors
from goldpan_local.library_files.record import Entries, Reading
from goldpan_local.library_files.reference_fields import in_json

MAX_VALUES = 10_000_000
"""Of an index, counted by their separators."""
ITEMS, RESULTS = "items", "results"
"""Where Better BibTeX's JSON has them, and an answer of goldpan."""
NO_INDEX = f'has no papers; {{"{KIND}": [...]}}, a list, or an object with a paper for each id is required'


def index_entries(path: Path, reading: Reading) -> Entries:
    """Read an index of papers in JSON. Raises `InvalidRequest` if it is none; one that has no papers is empty."""
    text = reading.text(path)
    require_few(str(path), text, ",[{", MAX_VALUES, "values")
    try:
        document = from_json(text, allow_inf_nan=False)
    except ValueError as error:
        if _begins_with_a_line(text):
            reading.not_utf8.pop(str(path), None)  # its lines are counted instead
            yield from line_entries(path, reading)
            return
        raise InvalidRequest(f"{path}: not JSON: {error}") from error
    del text
    for place, held in _entries(path, document):
        yield place, partial(_fields, held, reading.counts)


def line_entries(path: Path, reading: Reading) -> Entries:
    """Read JSON Lines, one paper a line, with memory for one of them."""
    with named_in_errors(path, InvalidRequest):
        for number, line in bounded_lines(path, reading.on_position):
            if line.strip():
                yield f"line {number}", partial(_of_line, path, number, line, reading)


def _fields(held: object, counts: InputCounts) -> dict[str, object]:
    """Return the fields of a record, also as CSL-JSON. Raises `ValueError` if it is none."""
    return in_json(held) or known_fields(held, counts)


def _of_line(path: Path, number: int, line: bytes, reading: Reading) -> dict[str, object]:
    """Parse a line. Raises `ValueError` that describes the fault."""
    try:
        parsed = parse_line((line.removeprefix(codecs.BOM_UTF8) if number == 1 else line).rstrip())
    except ValueError:
        text, is_utf8 = decode(line)
        if is_utf8:
            raise
        parsed = parse_line(text.encode())
        reading.not_utf8[str(path)] += 1
    return _fields(parsed, reading.counts)


def _begins_with_a_line(text: str) -> bool:
    """Report whether the first line is an object of its own, as in JSON Lines."""
    first, _, rest = text.lstrip().partition("\n")
    try:
        return bool(rest) and isinstance(from_json(first), dict)
    except ValueError:
        return False


def _entries(path: Path, document: object) -> Iterable[tuple[str, object]]:
    """Return the entries of an index: a list, or an object by id; either alone, or as the field `papers` or `items`."""
    held = document.get(KIND, document.get(ITEMS, document)) if isinstance(document, dict) else document
    if isinstance(held, dict) and isinstance(held.get(RESULTS), list):
        held = held[RESULTS]
    if isinstance(held, list):
        return ((f"paper {place}", entry) for place, entry in enumerate(held, start=1))
    if isinstance(held, dict) and (held is not document or all(isinstance(entry, dict) for entry in held.values())):
        return ((f"paper {key}", _with_id(key, entry)) for key, entry in held.items())
    if held is document and isinstance(held, dict) and "title" in held:
        return [("paper 1", held)]
    raise InvalidRequest(f"{path}: {NO_INDEX}")


def _with_id(key: str, entry: object) -> object:
    return entry | {"id": entry.get("id") or key} if isinstance(entry, dict) else entry
