"""Reads the input of a catalogue: JSON Lines, one record a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from goldpan.contracts.validation_errors import describe_validation_error
from goldpan.errors import InvalidRequest
from goldpan.infra.bounded_lines import MAX_LINE_BYTES, bounded_lines, parse_line
from goldpan.infra.unknown_fields import quoted, unknown_fields
from goldpan.kinds.repositories.sources.catalogue.build import Record


@dataclass
class InputCounts:
    """What was read: the records, and the lines that have each unknown field."""

    records: int = 0
    unknown_fields: Counter[str] = field(default_factory=Counter)


def records_from_lines(path: Path, counts: InputCounts | None = None) -> Iterator[Record]:
    """Read records from JSON Lines, compressed with gzip if the name ends in `.gz`, and count them.

    Raises `InvalidRequest` with the number of the first line that is not a record, or if there is none.
    """
    counts = InputCounts() if counts is None else counts
    for number, line in bounded_lines(path):
        if len(line) <= MAX_LINE_BYTES and not line.strip():
            continue
        try:
            record = Record.model_validate(_fields(line, counts.unknown_fields))
        except ValidationError as error:
            raise _invalid(path, number, describe_validation_error(error, Record)) from error
        except ValueError as error:
            raise _invalid(path, number, str(error)) from error
        counts.records += 1
        yield record
    if not counts.records:
        message = f"{path}: has no records; one JSON object a line is required"
        raise InvalidRequest(message)


def _invalid(path: Path, number: int, fault: str) -> InvalidRequest:
    return InvalidRequest(f"{path} line {number}: {fault}")


def _fields(line: bytes, unread: Counter[str]) -> dict[str, object]:
    """Parse a line, and count its unknown fields. Raises `ValueError` with the fault."""
    fields = parse_line(line)
    if not isinstance(fields, dict):
        message = f"a JSON object is required (given {quoted(fields)})"
        raise ValueError(message)  # noqa: TRY004 - the input is wrong, not the code
    unread.update(unknown_fields(fields, Record.model_fields))
    if isinstance(fields.get("as_of"), dict):
        unread.update(f"as_of.{name}" for name in unknown_fields(fields["as_of"], Record.model_fields))
    return fields
