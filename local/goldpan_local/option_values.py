"""Reads the values of options, with messages that name the option."""

from __future__ import annotations

from collections.abc import Sequence

from goldpan.contracts.validation_errors import suggest
from goldpan.errors import InvalidRequest

MAX_DIGITS, MAX_QUOTED = 9, 60


def whole_number(option: str, text: str, low: int, high: int) -> int:
    """Read a whole number. Raises `InvalidRequest`."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS and low <= int(digits) <= high):
        message = f"{option}: must be a whole number from {low} to {high} (given {text[:MAX_QUOTED]!r})"
        raise InvalidRequest(message)
    return int(digits)


def one_of(option: str, text: str, allowed: Sequence[str]) -> str:
    """Read a name in any letter case. Raises `InvalidRequest`."""
    if text.lower() not in allowed:
        message = f"{option}: {text!r} is unknown; allowed: {', '.join(allowed)}{suggest(text, allowed)}"
        raise InvalidRequest(message)
    return text.lower()


def texts(value: object) -> list[str]:
    """Return the texts of a repeatable option."""
    return [str(each) for each in value] if isinstance(value, list | tuple) else [str(value)]


def mapping(value: object) -> dict[str, object]:
    """Return the fields of an object; none if it is no object."""
    return dict(value) if isinstance(value, dict) else {}
