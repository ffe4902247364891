"""Messages for invalid requests: each field with what is allowed and what was given, in a line of bounded length."""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date
from difflib import get_close_matches
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from goldpan.config import TokenPrice
from goldpan.errors import InvalidRequest

Model = TypeVar("Model", bound=BaseModel)
MAX_VALUE_CHARS = 60
"""How much of a wrong value is repeated: less than one line of a terminal."""
MAX_ERRORS = 10
LIKENESS = 0.7
"""From which share of equal letters a name is suggested; that of GitLab and GitHub is 0.67."""
NO_NAMES: Mapping[str, str] = {}
REQUIREMENTS = {
    "missing": "is required",
    "string_too_short": "must have at least {min_length} character{plural}",
    "string_too_long": "must have at most {max_length} characters",
    "string_unicode": "must be valid UTF-8",
    "string_pattern_mismatch": "must match the pattern {pattern}",
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be more than {gt}",
    "less_than_equal": "must be at most {le}",
    "less_than": "must be less than {lt}",
    "too_short": "must have at least {min_length} {entries}",
    "too_long": "must have at most {max_length} entries",
    "finite_number": "must be a finite number",
}
"""What a value must be, by the type of the error; the braces hold the limits that the error names."""
TYPES = {
    "string": "must be a text",
    "int": "must be a whole number",
    "float": "must be a number",
    "bool": "must be true or false",
    "date": "must be a day such as 2026-01-31",
    "datetime": "must be a time such as 2026-01-31T12:00:00Z",
    **dict.fromkeys(("list", "tuple"), "must be a list"),
    **dict.fromkeys(("dict", "model", "is"), "must be an object"),
}
"""The same by the first word of the type, such as `int_parsing` and `int_from_float`."""
GIVEN = {bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object"}
"""What a caller sent in place of a text or an object, in the words of JSON."""


def describe_validation_error(
    error: ValidationError, root: type[BaseModel], names: Mapping[str, str] = NO_NAMES
) -> str:
    """Describe the first ten errors of a request in full, and count the others; `names` are the caller's of fields."""
    rows = error.errors()
    # two fields may have one name of the caller's, such as both years of --year
    described = list(dict.fromkeys(_describe(row, root, names) for row in rows[:MAX_ERRORS]))
    more = [f"and {len(rows) - MAX_ERRORS} more"] if len(rows) > MAX_ERRORS else []
    return "; ".join(described + more)


def parse_fields(model: type[Model], fields: object, names: Mapping[str, str] = NO_NAMES) -> Model:
    """Parse plain data. Raises `InvalidRequest` with every invalid field, its value and what is allowed."""
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        raise InvalidRequest(describe_validation_error(error, model, names)) from error


def describe_requirement(row: ErrorDetails) -> str:
    """Say what the value must be, without naming it."""
    kind, limits = row["type"], row.get("ctx", {})
    if kind == "literal_error":
        allowed = re.findall("'([^']*)'", str(limits["expected"]))
        return f"must be {', '.join(allowed[:-1])} or {allowed[-1]}{suggest(row['input'], allowed)}"
    if kind in REQUIREMENTS:
        one = limits.get("min_length") == 1
        words = {"plural": "" if one else "s", "entries": "entry" if one else "entries"}
        return REQUIREMENTS[kind].format(**words, **{name: _whole(limit) for name, limit in limits.items()})
    return TYPES.get(kind.split("_")[0]) or row["msg"].removeprefix("Value error, ")


def suggest(name: object, allowed: Iterable[str]) -> str:
    """Return "; did you mean X?" with the allowed name that is nearest to a misspelt one, or "" if none is near."""
    known = {each.casefold(): each for each in allowed}
    nearest = get_close_matches(str(name)[:MAX_VALUE_CHARS].casefold(), known, 1, LIKENESS)
    return f"; did you mean {known[nearest[0]]}?" if nearest else ""


def count_characters(text: str) -> str:
    """Say how long a text is that is not to be repeated."""
    return f"{len(text)} character{'' if len(text) == 1 else 's'}"


def _describe(row: ErrorDetails, root: type[BaseModel], names: Mapping[str, str]) -> str:
    """Name the field, what is allowed and what was given; the question and unknown fields never reach a log."""
    path, value = row["loc"], row["input"]
    field = _name(path, names)
    if row["type"] == "extra_forbidden":
        allowed = _allowed_fields(path, root)
        return f"{field}: unknown field (allowed: {', '.join(allowed)}{suggest(path[-1], allowed)})"
    written = str(value) if isinstance(value, date) else repr(list(value) if isinstance(value, tuple) else value)
    given = _truncate(json.dumps(value) if value is None or isinstance(value, bool) else written)
    if path in {("query",), ()}:
        given = count_characters(value) if isinstance(value, str) else GIVEN.get(type(value), "null")
    return f"{field}: {describe_requirement(row)}" + ("" if row["type"] == "missing" else f" (given {given})")


def _name(path: tuple[int | str, ...], names: Mapping[str, str]) -> str:
    """Return the caller's name of the field or of the list that holds it, else its path."""
    parts = [str(part) for part in path]
    known = (names.get(".".join(parts[:count])) for count in range(len(parts), 0, -1))
    return next((name for name in known if name), None) or _truncate(".".join(parts) or "request")


def _whole(limit: object) -> object:
    return int(limit) if isinstance(limit, float) and limit.is_integer() else limit


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
