"""Numbers of something in a question: "at least 2,000 stars", ">5k", "between 100 and 1k stars", "stars >= 500"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

THOUSAND = 1000
MAX_AMOUNT = 10_000_000
NUMBER = r"\d{1,3}(?:[ ,.'\u202f\u00a0]\d{3})+(?!\d)|\d+(?:\.\d+)?"
_N = rf"(?:{NUMBER})(?:\s?(?:k|m|thousand|million)\b|\s?thousand|\s?K\b)?"
_COMPARED = (
    r"(?P<most>(?:not?\s+more|no\s+greater)\s+than|at\s+(?:the\s+)?most|up\s+to|max(?:imum)?(?:\s+of)?\.?|<=|\u2264)"
    r"|(?P<least>at\s+(?:the\s+)?least|not?\s+(?:less|fewer)\s+than|min(?:imum)?(?:\s+of)?\.?|from|>=|=>|\u2265)"
    r"|(?P<more>(?:more|greater|higher|better)\s+than|over|above|exceeding|(?:north|upwards)\s+of|beyond|past|>(?!=))"
    r"|(?P<fewer>(?:less|fewer|lower)\s+than|under|below|<(?!=))|(?P<about>about|around|roughly|approximately|some|~)"
)
_LEAD = r"(?:\b(?:with|has|have|having|that\s+has|needs?|of|and)\s+)?"
_AFTER = (
    r"(?:\s*(?:(?P<up>(?:or|and)\s+(?:more|up|above|higher|better)(?!\s+(?:than\s+)?\d)|plus|at\s+least|minimum|min\b|\+)"
    r"|(?P<down>(?:or|and)\s+(?:less|fewer|below|under)(?!\s+(?:than\s+)?\d)|at\s+most|max(?:imum)?\b)))?"
)
_ENDS = re.compile(
    r"\s*(?:$|[,.;:!?)\u00a6]|(?:and|or|on|at|in|for|with|minimum|min|please|but|than|written|that)\b)", re.IGNORECASE
)
_OTHER_END = re.compile(
    rf"\s*,?\s*(?:(?:and|but|yet|&)\s+)?(?:{_COMPARED})\s*(?P<n>{_N})(?:(?<=[km])\b|(?=\s*(?:$|[,.;:!?)]|and\b|but\b)))",
    re.IGNORECASE,
)
"""The other end of a range, which has no unit of its own: "more than 10k stars but less than 40k"."""
_FIRST_END = re.compile(rf"(?<![\w.])(?:{_COMPARED})\s*(?P<n>{_N})\s*,?\s*(?:and\s+|but\s+|&\s+)?$", re.IGNORECASE)
_BARE = re.compile(
    rf"(?<![\w=<>-])(?:(?P<least>>=|\u2265)|(?P<most><=|\u2264)|(?P<more>>)|(?P<fewer><))\s?(?P<n>(?:{NUMBER})\s?k)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Amount:
    """The least and the greatest number at a place of the text, both inclusive; None is open."""

    start: int
    end: int
    low: int | None = None
    high: int | None = None
    label: str = ""


def find_amounts(text: str, unit: str, name: str) -> list[Amount]:
    """Find numbers of a unit, a pattern; `name` is how it is shown: "at least 2,000 stars"."""
    patterns = _patterns(unit)
    for match in patterns["between"].finditer(text):
        low, high = to_number(match["low"]), to_number(match["high"])
        if match["high"].rstrip().lower().endswith("k") and match["low"].isdigit() and low < high // THOUSAND:
            low *= THOUSAND  # "5 to 10k stars"
        return [_made(match.start(), match.end(), min(low, high), max(low, high), name)]
    for key in ("number_first", "unit_first", "unit_leading"):
        matches = [match for match in patterns[key].finditer(text) if _limits(match, text)]
        found = [one for match in matches for one in _both_ends(text, match, name)]
        if found:
            return found
    return [_compared(match, name) for match in _BARE.finditer(text)]


def _limits(match: re.Match[str], text: str) -> bool:
    """Report whether a number limits: it is compared, or nothing that has it follows, as in "500 stars photos"."""
    said = match.groupdict()
    compared = any(said.get(key) for key in ("most", "least", "more", "fewer", "about", "plus", "up", "down"))
    return compared or "up" not in said or _ENDS.match(text, match.end()) is not None


def _both_ends(text: str, match: re.Match[str], name: str) -> Iterator[Amount]:
    """Read a bound, and one next to it that limits the other end."""
    one = _compared(match, name)
    yield one
    near = _FIRST_END.search(text, 0, match.start()) or _OTHER_END.match(text, match.end())
    other = _compared(near, name) if near else None
    if other and (other.low is None) != (one.low is None) and (other.high is None) != (one.high is None):
        yield other


def to_number(text: str) -> int:
    """Read "5,000", "5k", "1.5k" or "2 thousand". Raises `ValueError`."""
    match = re.fullmatch(rf"\s*({NUMBER})\s?([km]|thousand|million)?\s*", text, re.IGNORECASE)
    if match is None:
        message = f"not a number: {text}"
        raise ValueError(message)
    digits, unit = match.group(1), (match.group(2) or "").lower()
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


@cache
def _patterns(unit: str) -> dict[str, re.Pattern[str]]:
    following = rf"(?:\s*\+?\s*(?:(?:git\s?hub|gh)\s+)?(?:{unit}))(?!\s+ratings?)"
    compiled = {
        "between": rf"{_LEAD}(?:\b(?:between|from)\s+)?(?<![\w.,])(?P<low>{_N})(?:{following})?\s*(?:and|to|\.\.|-|\u2013)\s*"
        rf"(?P<high>{_N}){following}",
        "number_first": rf"{_LEAD}(?:(?<!\w)(?:{_COMPARED})\s*)?(?<![\w.,-])(?P<n>{_N})(?P<plus>\s?\+|\s+or\s+more|\s+plus)?{following}"
        rf"(?!\s*[<>=\u2264\u2265]+\s*\d){_AFTER}",
        "unit_first": rf"{_LEAD}(?:(?<!\w)(?:(?:git\s?hub|gh)\s+)?(?:{unit}|star)(?:\s+count)?\s*[:=]?\s*(?:(?:is|are|being)\s+)?"
        rf"(?:{_COMPARED})|\b(?:(?P<named_least>min)|(?P<named_most>max))[_-](?:{unit}|star)\s*[:=]?)\s*(?P<n>{_N})(?P<plus>\s?\+)?",
        "unit_leading": rf"(?<!\w)(?:{unit}|star)\s*(?P<n>{_N})\s*(?:at\s+least|or\s+more)(?!\w)",
    }
    return {key: re.compile(pattern, re.IGNORECASE) for key, pattern in compiled.items()}
