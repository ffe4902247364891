"""What a refused request is told: each bad field, what is allowed and what was given, in a line of bounded length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from goldpan.config import TokenPrice

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

MAX_SHOWN = 60
"""How much of a wrong value is repeated: one line of a terminal."""
MAX_COMPLAINTS = 10


def describe_validation_error(error: ValidationError, root: type[BaseModel]) -> str:
    """Say what is wrong with a request of that model, the first ten complaints in full."""
    rows = error.errors()
    told = [_complaint(row, root) for row in rows[:MAX_COMPLAINTS]]
    more = [f"and {len(rows) - MAX_COMPLAINTS} more"] if len(rows) > MAX_COMPLAINTS else []
    return "; ".join(told + more)


def _complaint(row: ErrorDetails, root: type[BaseModel]) -> str:
    """Name the field, what is allowed and what was given; a question and unknown fields are never repeated in a log."""
    where, message, value = row["loc"], row["msg"], row["input"]
    field = _cut(".".join(str(part) for part in where) or "request")
    if message.startswith("Extra inputs"):
        return f"{field}: unknown field (allowed: {', '.join(_fields_beside(where, root))})"
    shown = _cut(repr(value))
    if field in {"query", "request"}:
        shown = f"{len(value)} characters" if isinstance(value, str) else type(value).__name__
    return f"{field}: {message.removeprefix('Value error, ')} (given {shown})"


def _cut(shown: str) -> str:
    return shown if len(shown) <= MAX_SHOWN else shown[: MAX_SHOWN - 3] + "..."


def _fields_beside(where: tuple[int | str, ...], root: type[BaseModel]) -> list[str]:
    """List the fields that stand where the unknown one was given."""
    model = root
    for part in where[:-1]:
        field = model.model_fields.get(str(part))
        inner = field.annotation if field else None
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return list(TokenPrice.model_fields)  # the only values with fields that stand in a table of names
        model = inner
    return list(model.model_fields)
