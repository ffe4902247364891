"""What the options of the commands take: their formats, the values that a shell completes, and how they are read."""

import os
import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer
from goldpan.contracts.validation_errors import suggest
from goldpan.errors import InvalidRequest, Misconfigured
from goldpan.local.library_folder import library_files

Values = Callable[[], Sequence[str]]
FORMATS = ("table", "json", "markdown", "csv", "urls", "compact")
"""The formats of every kind; a kind adds its own."""
DOCUMENT_FORMATS = ("table", "json", "markdown")
COMPARISON_FORMATS = FORMATS[:5]
LIBRARY_FORMATS = ("table", "json")
MAX_DIGITS, MAX_QUOTED = 9, 60
YEARS = ("year_from", "year_to")
"""The fields of a range of years."""
_RANGE = re.compile(r"(?P<only>\d{1,9})|(?P<first>\d{1,9})?\s*\.\.+\s*(?P<last>\d{1,9})?")


def complete_from(values: Values) -> Callable[[], list[str]]:
    """Make the function that returns the values to complete to; typer selects those that begin with the word."""

    def complete() -> list[str]:
        try:
            return list(values())
        except (Misconfigured, OSError):  # the command says what is wrong; a shell can show no message here
            return []

    return complete


def option(metavar: str | None, description: str, *names: str, values: Values | None = None) -> Any:
    """Make an option that a shell completes to its values; without names, typer takes that of the parameter."""
    complete = complete_from(values) if values else None
    return typer.Option(*names, metavar=metavar, help=description, autocompletion=complete)


def format_option(formats: Sequence[str], description: str) -> Any:
    """Make the option `--format` of a command, completed to its formats."""
    return option("FORMAT", description, "--format", values=lambda: formats)


def projects() -> list[str]:
    """Return the libraries of this machine, for completion. Raises `Misconfigured`."""
    return [path.stem for path in library_files(os.environ)]


Quiet = Annotated[bool, option(None, "Show no progress on a terminal's stderr.", "--quiet", "-q")]
OutputFormat = Annotated[str, format_option(LIBRARY_FORMATS, "table (default) or json.")]
Project = Annotated[str, option("NAME", "The project, 1 to 64 of a-z, 0-9 and -.", values=projects)]
ProjectToSearch = Annotated[str | None, option("NAME", "Search this project.", values=projects)]


def whole_number(option: str, text: str, low: int, high: int) -> int:
    """Read a whole number. Raises `InvalidRequest`."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS and low <= int(digits) <= high):
        raise InvalidRequest(f"{option}: must be a whole number from {low} to {high} (given {text[:MAX_QUOTED]!r})")
    return int(digits)


def one_of(option: str, text: str, allowed: Sequence[str]) -> str:
    """Read a name in any letter case. Raises `InvalidRequest`."""
    if text.lower() not in allowed:
        raise InvalidRequest(f"{option}: {text!r} is unknown; allowed: {', '.join(allowed)}{suggest(text, allowed)}")
    return text.lower()


def read_range(text: str, name: str, fields: Sequence[str] = YEARS) -> list[tuple[str, int]]:
    """Return the fields of the ends that are given, and their numbers. Raises `InvalidRequest` by the name."""
    match = _RANGE.fullmatch(text.strip())
    ends = [] if match is None else [match["only"] or match[end] for end in ("first", "last")]
    found = [(field, int(end)) for field, end in zip(fields, ends, strict=False) if end]
    if not found:
        what = "a year or a range" if tuple(fields) == YEARS else "a number or a range"
        raise InvalidRequest(f"{name}: must be {what} such as 2020, 2020..2024, 2020.. or ..2024 (given {text[:60]!r})")
    if len(found) > 1 and found[0][1] > found[1][1]:
        raise InvalidRequest(f"{name}: the range ends before it begins (given {text[:60]!r})")
    return found
