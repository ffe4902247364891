"""How the values of results are written: short for a cell, in words for a sentence, plain for a spreadsheet."""

from datetime import date

from goldpan.counts import counted
from goldpan.engine.presentation import AnyAttribute, AnyPresentation, Value, name_people
from goldpan.escaping import csv_text, plain, web_address

THOUSAND, MILLION = 1_000, 1_000_000
MINUTE, HOUR, DAY = 60, 3_600, 86_400


def short_count(count: int | None) -> str:
    """Format a count in at most five characters: 950, 12.3k, 1.2M; a dash if it is unknown."""
    if count is None:
        return "-"
    if count < THOUSAND:
        return str(count)
    if count < 999_950:  # noqa: PLR2004 - rounds to 1.0M from here
        return f"{count / THOUSAND:.{0 if count >= 99_950 else 1}f}k"  # noqa: PLR2004 - 100.0k has six characters
    return f"{count / MILLION:.1f}M"


def score(value: float | None) -> str:
    """Format a score (0-10); a dash if it is unknown."""
    return "-" if value is None else f"{value:.1f}"


def duration(seconds: int) -> str:
    """Format a time for people, in one unit: "2 hours"."""
    if seconds < MINUTE:
        return "less than a minute"
    length, unit = next(pair for pair in ((DAY, "days"), (HOUR, "hours"), (MINUTE, "minutes")) if seconds >= pair[0])
    return counted(seconds // length, unit)


def cell_text(attribute: AnyAttribute, value: Value) -> str:
    """Write a value for a narrow column; a dash if it is unknown."""
    match value:
        case int() if attribute.format == "count":
            return short_count(value)
        case float() | int() if attribute.format == "score":
            return score(value)
    return _text(attribute, value) or "-"


def phrase(attribute: AnyAttribute, value: Value) -> str:
    """Write a value so that it is understood alone: "1,234 stars", "licence MIT", "open access"; "" if unknown."""
    match value:
        case bool():
            return attribute.label if value else f"not {attribute.label}"
        case int() if attribute.format == "count":
            return counted(value, attribute.label)
    text = _text(attribute, value)
    return " ".join(filter(None, (attribute.label, text))) if text else ""


def description(shown: AnyPresentation, result: object) -> str:
    """Return the description of a result in one line; "" if it has none."""
    return plain(str(shown.description.read(result) or "")) if shown.description else ""


def facts(shown: AnyPresentation, result: object) -> list[str]:
    """Return the known facts of a result in words."""
    return [text for fact in shown.facts if (text := phrase(fact, fact.read(result)))]


def csv_value(attribute: AnyAttribute, value: Value) -> str | int | float | None:
    """Write a value for the cell of a spreadsheet, where a text is never a formula; None if it is unknown."""
    match value:
        case bool() | tuple() | str() | date():
            return csv_text(_text(attribute, value, "; "))
        case float() if attribute.format == "share":
            return f"{value:.2f}"
    return value


def _text(attribute: AnyAttribute, value: Value, separator: str = ", ") -> str:
    match value:
        case None:
            text = ""
        case bool():
            text = "yes" if value else "no"
        case tuple():
            text = name_people(value) if attribute.format == "names" else separator.join(value)
        case date():
            text = f"{value:%Y-%m-%d}"
        case float():
            text = f"{value:.2f}"
        case str() if attribute.format == "address":
            text = web_address(value) or ""
        case _:
            text = str(value)
    return plain(text)
