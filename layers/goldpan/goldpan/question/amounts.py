"""Numbers of something in a question: "at least 2,000 stars", ">5k", "between 100 and 1k stars", "stars >= 500"."""

import re
from collections.abc import Iterator
from typing import Any

from goldpan.question.grammar import pattern
from goldpan.question.question_text import Span

MAX_AMOUNT = 10_000_000
Limit = Span[Any]
"""A number adds no term, so it is a span of any kind."""
_FACTORS = {"": 1, "k": 1000, "thousand": 1000, "m": 1_000_000, "million": 1_000_000}


def find_amounts(text: str, things: str, name: str) -> list[Limit]:
    """Find the least and the greatest number of things, both inclusive, for the fields `min_` and `max_` of a name.

    `things` is a pattern. The name is shown too: "at least 2,000 stars".
    """
    if not any(letter.isdecimal() for letter in text):
        return []
    for key in ("between", "number_first", "things_first", "things_leading", "bare"):
        matches = pattern("amounts", key, things).finditer(text)
        if found := [one for match in matches if _limits(match, text) for one in _bounds(text, match, name)]:
            return found
    return []


def _limits(match: re.Match[str], text: str) -> bool:
    """Report whether a number limits: it is compared, or nothing that has it follows, as in "500 stars photos"."""
    said = match.groupdict()
    compared = any(said.get(key) for key in ("most", "least", "more", "fewer", "about", "plus", "up", "down"))
    return compared or "up" not in said or pattern("amounts", "ends").match(text, match.end()) is not None


def _bounds(text: str, match: re.Match[str], name: str) -> Iterator[Limit]:
    """Read both ends, or a bound, and one next to it that limits the other end."""
    if "low" in match.groupdict():
        low, high = _number(match["low"]), _number(match["high"])
        in_thousands = match["high"].rstrip().lower().endswith("k") and low < high // 1000  # "5 to 10k stars"
        low, high = sorted((low * 1000 if in_thousands else low, high))
        yield _limit(match, low, high, name)
        return
    one = _compared(match, name)
    yield one
    before = pattern("amounts", "first_end").search(text, 0, match.start())
    near = before or pattern("amounts", "other_end").match(text, match.end())
    other = _compared(near, name) if near else None
    if other and all(None in (one.fields[end], other.fields[end]) for end in one.fields):
        yield other


def _compared(match: re.Match[str], name: str) -> Limit:
    number, said = _number(match["n"]), match.groupdict()
    if said.get("about"):
        return _limit(match, number // 2, number * 2, name)
    if said.get("fewer"):
        return _limit(match, None, max(0, number - 1), name, f"fewer than {number:,} {name}")
    if said.get("most") or said.get("down") or said.get("named_most"):
        return _limit(match, None, number, name)
    if said.get("more") and not said.get("plus"):
        return _limit(match, number + 1, None, name, f"more than {number:,} {name}")
    return _limit(match, number, None, name)


def _limit(match: re.Match[str], low: int | None, high: int | None, name: str, label: str = "") -> Limit:
    if low is not None and high is not None:
        label = f"{low:,} to {high:,} {name}"
    elif not label:
        label = f"at most {high:,} {name}" if low is None else f"at least {low:,} {name}"
    return Span(*match.span(), "constraint", label, {f"min_{name}": low, f"max_{name}": high})


def _number(text: str) -> int:
    """Read "5,000", "5k", "1.5k" or "2 thousand", as the pattern of a number matches it."""
    digits, unit = re.findall(r"^(\d[\d ,.'\u202f\u00a0]*?)\s?([a-z]*)$", text.strip().lower())[0]
    factor = _FACTORS[unit]
    if factor == 1 or not re.fullmatch(r"\d+\.\d+", digits):
        digits = re.sub(r"[ ,.'\u202f\u00a0](?=\d{3}(?!\d))", "", digits)
    return min(int(float(digits) * factor), MAX_AMOUNT)
