"""Numbers of something in a question: "at least 2,000 stars", ">5k", "between 100 and 1k stars", "stars >= 500"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from goldpan.question.grammar import pattern

MAX_AMOUNT = 10_000_000
_FACTORS = {"": 1, "k": 1000, "thousand": 1000, "m": 1_000_000, "million": 1_000_000}


@dataclass(frozen=True)
class Amount:
    """The least and the greatest number at a place of the text, both inclusive; None is open."""

    start: int
    end: int
    low: int | None
    high: int | None
    label: str


def find_amounts(text: str, things: str, name: str) -> list[Amount]:
    """Find numbers of things, a pattern; `name` is how they are shown: "at least 2,000 stars"."""
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


def _bounds(text: str, match: re.Match[str], name: str) -> Iterator[Amount]:
    """Read both ends, or a bound, and one next to it that limits the other end."""
    if "low" in match.groupdict():
        low, high = to_number(match["low"]), to_number(match["high"])
        in_thousands = match["high"].rstrip().lower().endswith("k") and low < high // 1000  # "5 to 10k stars"
        low, high = sorted((low * 1000 if in_thousands else low, high))
        yield Amount(*match.span(), low, high, range_label(low, high, name))
        return
    one = _compared(match, name)
    yield one
    before = pattern("amounts", "first_end").search(text, 0, match.start())
    near = before or pattern("amounts", "other_end").match(text, match.end())
    other = _compared(near, name) if near else None
    if other and (other.low is None) != (one.low is None) and (other.high is None) != (one.high is None):
        yield other


def _compared(match: re.Match[str], name: str) -> Amount:
    number, said = to_number(match["n"]), match.groupdict()
    ends: tuple[int | None, int | None] = (number, None)
    label = ""
    if said.get("about"):
        ends = (number // 2, number * 2)
    elif said.get("fewer"):
        ends, label = (None, max(0, number - 1)), f"fewer than {number:,} {name}"
    elif said.get("most") or said.get("down") or said.get("named_most"):
        ends = (None, number)
    elif said.get("more") and not said.get("plus"):
        ends, label = (number + 1, None), f"more than {number:,} {name}"
    return Amount(*match.span(), *ends, label or range_label(*ends, name))


def to_number(text: str) -> int:
    """Read "5,000", "5k", "1.5k" or "2 thousand", as the pattern of a number matches it."""
    digits, unit = re.findall(r"^(\d[\d ,.'\u202f\u00a0]*?)\s?([a-z]*)$", text.strip().lower())[0]
    factor = _FACTORS[unit]
    if factor == 1 or not re.fullmatch(r"\d+\.\d+", digits):
        digits = re.sub(r"[ ,.'\u202f\u00a0](?=\d{3}(?!\d))", "", digits)
    return min(int(float(digits) * factor), MAX_AMOUNT)


def range_label(low: int | None, high: int | None, name: str) -> str:
    """Describe a range."""
    if low is not None and high is not None:
        return f"{low:,} to {high:,} {name}"
    return f"at most {high:,} {name}" if low is None else f"at least {low:,} {name}"
