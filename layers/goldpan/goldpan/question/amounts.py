"""Numbers of something in a question: "at least 2,000 stars", ">5k", "between 100 and 1k stars", "stars >= 500"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from goldpan.question.grammar import pattern

THOUSAND = 1000
MAX_AMOUNT = 10_000_000


@dataclass(frozen=True)
class Amount:
    """The least and the greatest number at a place of the text, both inclusive; None is open."""

    start: int
    end: int
    low: int | None = None
    high: int | None = None
    label: str = ""


def find_amounts(text: str, things: str, name: str) -> list[Amount]:
    """Find numbers of things, a pattern; `name` is how they are shown: "at least 2,000 stars"."""
    if not any(letter.isdecimal() for letter in text):
        return []
    for match in pattern("amounts", "between", things).finditer(text):
        low, high = to_number(match["low"]), to_number(match["high"])
        if match["high"].rstrip().lower().endswith("k") and match["low"].isdigit() and low < high // THOUSAND:
            low *= THOUSAND  # "5 to 10k stars"
        return [_made(match.start(), match.end(), min(low, high), max(low, high), name)]
    for key in ("number_first", "things_first", "things_leading"):
        matches = [match for match in pattern("amounts", key, things).finditer(text) if _limits(match, text)]
        found = [one for match in matches for one in _both_ends(text, match, name)]
        if found:
            return found
    return [_compared(match, name) for match in pattern("amounts", "bare").finditer(text)]


def _limits(match: re.Match[str], text: str) -> bool:
    """Report whether a number limits: it is compared, or nothing that has it follows, as in "500 stars photos"."""
    said = match.groupdict()
    compared = any(said.get(key) for key in ("most", "least", "more", "fewer", "about", "plus", "up", "down"))
    return compared or "up" not in said or pattern("amounts", "ends").match(text, match.end()) is not None


def _both_ends(text: str, match: re.Match[str], name: str) -> Iterator[Amount]:
    """Read a bound, and one next to it that limits the other end."""
    one = _compared(match, name)
    yield one
    near = pattern("amounts", "first_end").search(text, 0, match.start()) or pattern("amounts", "other_end").match(
        text, match.end()
    )
    other = _compared(near, name) if near else None
    if other and (other.low is None) != (one.low is None) and (other.high is None) != (one.high is None):
        yield other


def to_number(text: str) -> int:
    """Read "5,000", "5k", "1.5k" or "2 thousand". Raises `ValueError`."""
    match = pattern("amounts", "n").fullmatch(text.strip())
    if match is None:
        message = f"not a number: {text}"
        raise ValueError(message)
    unit = re.sub(r"[\d\s,.'\u202f\u00a0]", "", text).lower()
    digits = text.strip()[: len(text.strip()) - len(unit)].strip()
    factor = {"k": 1000, "thousand": 1000, "m": 1_000_000, "million": 1_000_000}.get(unit, 1)
    if factor == 1 or not re.fullmatch(r"\d+\.\d+", digits):
        digits = re.sub(r"(?<=\d)[ ,.'\u202f\u00a0](?=\d{3}(?!\d))", "", digits)
    return min(int(float(digits) * factor), MAX_AMOUNT)


def _compared(match: re.Match[str], name: str) -> Amount:
    number, said = to_number(match["n"]), match.groupdict()
    if said.get("about"):
        return _made(match.start(), match.end(), number // 2, number * 2, name)
    if said.get("fewer"):
        return Amount(match.start(), match.end(), None, max(0, number - 1), f"fewer than {number:,} {name}")
    if said.get("most") or said.get("down") or said.get("named_most"):
        return _made(match.start(), match.end(), None, number, name)
    if said.get("more") and not said.get("plus"):
        return Amount(match.start(), match.end(), number + 1, None, f"more than {number:,} {name}")
    return _made(match.start(), match.end(), number, None, name)


def _made(start: int, end: int, low: int | None, high: int | None, name: str) -> Amount:
    return Amount(start, end, low, high, range_label(low, high, name))


def range_label(low: int | None, high: int | None, name: str) -> str:
    """Describe a range."""
    if low is not None and high is not None:
        return f"{low:,} to {high:,} {name}"
    return f"at most {high:,} {name}" if low is None else f"at least {low:,} {name}"
