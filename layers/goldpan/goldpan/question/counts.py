"""Numbers in words, as in "the last five years"."""

from __future__ import annotations

COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "couple of": 2, "couple": 2, "three": 3, "few": 3, "four": 4, "five": 5,
    "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20,
}  # fmt: skip
"""The numbers that people write in words; "few" is taken as three."""
COUNT = rf"(?:\d{{1,3}}|{'|'.join(sorted(COUNTS, key=len, reverse=True))})"
"""The pattern of a number in digits or in words."""


def to_count(text: str | None) -> int:
    """Return the number, at least 1; none is 1, as in "the last year"."""
    if text is None:
        return 1
    return max(1, int(text)) if text.isdigit() else COUNTS[text.lower()]
