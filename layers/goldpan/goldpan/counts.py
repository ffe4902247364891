"""Counts in sentences."""

from collections.abc import Sequence

ENDINGS = {"people": "person", "ies": "y", "ches": "ch", "s": ""}
"""The end of a plural, and what it is in the singular."""
MAX_NAMED = 10
"""Of many things, such as files or fields, how many a note names."""


def counted(count: int, noun: str) -> str:
    """Write a count with its noun, which is given in the plural: "1 star", "2,000 stars", "1 person"."""
    ending = next((each for each in ENDINGS if noun.endswith(each)), "") if count == 1 else ""
    return f"{count:,} {noun.removesuffix(ending)}{ENDINGS.get(ending, '')}"


def first_named(names: Sequence[str], most: int = MAX_NAMED) -> str:
    """Name the first of some things, and count the others: "a, b and 3 more"."""
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")
