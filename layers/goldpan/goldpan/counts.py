"""Counts in sentences."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """Write a count with its noun, which is given in the plural: "1 star", "2,000 stars", "1 person"."""
    if count == 1:
        noun = "person" if noun == "people" else f"{noun[:-3]}y" if noun.endswith("ies") else noun.removesuffix("s")
    return f"{count:,} {noun}"
