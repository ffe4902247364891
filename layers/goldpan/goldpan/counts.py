"""Counts in sentences."""

ENDINGS = {"people": "person", "ies": "y", "ches": "ch", "s": ""}
"""The end of a plural, and what it is in the singular."""


def counted(count: int, noun: str) -> str:
    """Write a count with its noun, which is given in the plural: "1 star", "2,000 stars", "1 person"."""
    ending = next((each for each in ENDINGS if noun.endswith(each)), "") if count == 1 else ""
    return f"{count:,} {noun.removesuffix(ending)}{ENDINGS.get(ending, '')}"
