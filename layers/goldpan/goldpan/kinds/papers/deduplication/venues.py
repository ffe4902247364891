"""Compare the names of venues: abbreviations and acronyms."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+")
_SMALL = frozenset(("a", "an", "and", "de", "der", "for", "in", "of", "on", "the"))


def are_alike(one: str, other: str) -> bool:
    """Return whether two folded names may be one venue: each word abbreviates its counterpart, or one is an acronym."""
    short, long = sorted((_names(one), _names(other)), key=len)
    if len(short) == len(long):
        return all(
            left[0] == right[0] and _abbreviates(*sorted((left, right), key=len))
            for left, right in zip(short, long, strict=True)
        )
    return len(short) == 1 and short[0] == "".join(word[0] for word in long)


def _names(venue: str) -> list[str]:
    return [word for word in _WORD.findall(venue) if word not in _SMALL]


def _abbreviates(short: str, long: str) -> bool:
    """Return whether the letters of the shorter word occur in the longer one in this order, as in "natl"."""
    letters = iter(long)
    return all(letter in letters for letter in short)
