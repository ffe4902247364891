"""Messages for invalid requests: each field with what is allowed and what was given, in a line of bounded length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from goldpan.config import TokenPrice

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

MAX_VALUE_CHARS = 60
"""How much of a wrong value is repeated: less than one line of a terminal."""
MAX_ERRORS = 10


def describe_validation_error(error: ValidationError, root: type[BaseModel]) -> str:
    """Describe the first ten errors of a request of that model in full, and count the others."""
    rows = error.errors()
    described = [_describe(row, root) for row in rows[:MAX_ERRORS]]
    more = [f"and {len(rows) - MAX_ERRORS} more"] if len(rows) > MAX_ERRORS else []
    return "; ".join(described + more)


def _describe(row: ErrorDetails, root: type[BaseModel]) -> str:
    """Name the field, what is allowed and what was given; the question and unknown fields never reach a log."""
    path, message, value = row["loc"], row["msg"], row["input"]
    field = _truncate(".".join(str(part) for part in path) or "request")
    if message.startswith("Extra inputs"):
        return f"{field}: unknown field (allowed: {', '.join(_allowed_fields(path, root))})"
    given = _truncate(repr(value))
    if field in {"query", "request"}:
        given = f"{len(value)} characters" if isinstance(value, str) else type(value).__name__
    return f"{field}: {message.removeprefix('Value error, ')} (given {given})"


def _truncate(text: str) -> str:
    return text if len(text) <= MAX_VALUE_CHARS else text[: MAX_VALUE_CHARS - 3] + "..."


def _allowed_fields(path: tuple[int | str, ...], root: type[BaseModel]) -> list[str]:
    """Return the fields of the model in which the unknown field was given."""
    model = root
    for part in path[:-1]:
        field = model.model_fields.get(str(part))
        inner = field.annotation if field else None
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return list(TokenPrice.model_fields)  # the only model that is a value of a mapping
        model = inner
    return list(model.model_fields)
