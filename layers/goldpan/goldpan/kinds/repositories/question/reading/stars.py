"""Recognize the number of stars that a question asks for: "at least 2000 stars", ">5k", "between 100 and 1k stars"."""

from __future__ import annotations

import re
from typing import Any

from goldpan.kinds.repositories.question.reading.parts import Found

THOUSAND = 1000
NUMBER = r"\d{1,3}(?:[ ,.'\u202f\u00a0]\d{3})+(?!\d)|\d+(?:\.\d+)?"
_UNIT = r"(?:\s?(?:k|m|thousand|million)\b|\s?thousand|\s?K\b)?"
_MARK = "\u2b50\ufe0f?|\u2605|\u2606"
_STARS = rf"(?:\s*\+?\s*(?:(?:git\s?hub|gh)\s+)?(?:stars|stargazers|{_MARK}))(?!\s+ratings?)"
_MORE = r"(?:more|greater|higher|better)\s+than|over|above|exceeding|north\s+of|upwards\s+of|beyond|past|>(?!=)"
_LEAST = r"at\s+(?:the\s+)?least|not?\s+(?:less|fewer)\s+than|min(?:imum)?(?:\s+of)?\.?|from|>=|=>|\u2265"
_FEWER = r"(?:less|fewer|lower)\s+than|under|below|<(?!=)"
_MOST = r"(?:not?\s+more|no\s+greater)\s+than|at\s+(?:the\s+)?most|up\s+to|max(?:imum)?(?:\s+of)?\.?|<=|\u2264"
_ABOUT = r"about|around|roughly|approximately|some|~"
_COMPARED = rf"(?P<most>{_MOST})|(?P<least>{_LEAST})|(?P<more>{_MORE})|(?P<fewer>{_FEWER})|(?P<about>{_ABOUT})"
_N = rf"(?:{NUMBER}){_UNIT}"
_LEAD = r"(?:\b(?:with|has|have|having|that\s+has|needs?|of|and)\s+)?"
_AFTER = (
    r"(?:\s*(?:(?P<up>or\s+(?:more|above|higher|better)(?!\s+(?:than\s+)?\d)|and\s+(?:up|above|more)(?!\s+(?:than\s+)?\d)|plus|at\s+least|minimum|min\b|\+)"
    r"|(?P<down>or\s+(?:less|fewer|below|under)(?!\s+(?:than\s+)?\d)|and\s+(?:under|below)(?!\s+\d)|at\s+most|max(?:imum)?\b)))?"
)
_BETWEEN = re.compile(
    rf"{_LEAD}(?:\b(?:between|from)\s+)?(?<![\w.,])(?P<low>{_N})(?:{_STARS})?\s*(?:and|to|\.\.|-|\u2013)\s*"
    rf"(?P<high>{_N}){_STARS}",
    re.IGNORECASE,
)
_NUMBER_FIRST = re.compile(
    rf"{_LEAD}(?:(?<!\w)(?:{_COMPARED})\s*)?(?<![\w.,-])(?P<n>{_N})(?P<plus>\s?\+)?{_STARS}"
    rf"(?!\s*[<>=\u2264\u2265]+\s*\d){_AFTER}",
    re.IGNORECASE,
)
_STARS_FIRST = re.compile(
    rf"{_LEAD}(?<!\w)(?:(?:git\s?hub|gh)\s+)?(?:stars?|stargazers|{_MARK})(?:\s+count)?\s*[:=]?\s*(?:(?:is|are|being)\s+)?"
    rf"(?:{_COMPARED})\s*(?P<n>{_N})(?P<plus>\s?\+)?",
    re.IGNORECASE,
)
_STARS_LEADING = re.compile(rf"(?<!\w)(?:stars?|{_MARK})\s*(?P<n>{_N})\s*(?:at\s+least|or\s+more)(?!\w)", re.IGNORECASE)
_SECOND = re.compile(
    rf"\s*,?\s*(?:(?:and|but|yet|&)\s+)?(?:{_COMPARED})\s*(?P<n>{_N})"
    rf"(?:(?<=[km])\b|(?=\s*(?:$|[,.;:!?)]|and\b|but\b)))(?!{_STARS})",
    re.IGNORECASE,
)
"""The other end of a range, which has no "stars" of its own: "more than 10k stars but less than 40k"."""
_FIRST = re.compile(rf"(?<![\w.])(?:{_COMPARED})\s*(?P<n>{_N})\s*,?\s*(?:and\s+|but\s+|&\s+)?$", re.IGNORECASE)
_BARE = re.compile(rf"(?<![\w=<>-])(?P<sign>>=?|<=?|\u2265|\u2264)\s?(?P<n>(?:{NUMBER})\s?k)\b", re.IGNORECASE)
_MINIMAL = re.compile(rf"\b(?:min|max)[_-]stars?\s*[:=]?\s*(?P<n>{_N})", re.IGNORECASE)


def find_stars(text: str) -> list[Found]:
    """Find numbers of stars; the constraints are `min_stars` and `max_stars`, both inclusive."""
    for match in _BETWEEN.finditer(text):
        low, high = to_number(match["low"]), to_number(match["high"])
        if match["high"].rstrip().lower().endswith("k") and match["low"].isdigit() and low < high // THOUSAND:
            low *= THOUSAND  # "5 to 10k stars"
        return [_found(match, min(low, high), max(low, high))]
    for pattern in (_NUMBER_FIRST, _STARS_FIRST, _STARS_LEADING):
        matches = list(pattern.finditer(text))
        if matches:
            return [one for match in matches for one in _both_ends(text, match)]
    return [_bare(match) for match in _BARE.finditer(text)] or [_named(match) for match in _MINIMAL.finditer(text)]


def _both_ends(text: str, match: re.Match[str]) -> list[Found]:
    """Read a bound, and one beside it that limits the other end."""
    found = [_compared(match)]
    beside = _FIRST.search(text, 0, match.start()) or _SECOND.match(text, match.end())
    other = _compared(beside) if beside else None
    return [*found, other] if other and other.constraints.keys().isdisjoint(found[0].constraints) else found


def to_number(text: str) -> int:
    """Read "5,000", "5k", "1.5k" or "2 thousand"."""
    match = re.fullmatch(rf"\s*({NUMBER})\s?([km]|thousand|million)?\s*", text, re.IGNORECASE)
    if match is None:
        message = f"not a number: {text}"
        raise ValueError(message)
    digits, unit = match.group(1), (match.group(2) or "").lower()
    factor = {"k": 1000, "thousand": 1000, "m": 1_000_000, "million": 1_000_000}.get(unit, 1)
    if factor == 1 or not re.fullmatch(r"\d+\.\d+", digits):
        digits = re.sub(r"(?<=\d)[ ,.'\u202f\u00a0](?=\d{3}(?!\d))", "", digits)
    return min(int(float(digits) * factor), 10_000_000)


def _compared(match: re.Match[str]) -> Found:
    number = to_number(match["n"])
    groups = match.groupdict()
    if groups.get("about"):
        return _found(match, number // 2, number * 2)
    if groups.get("fewer"):
        return _found(match, None, max(0, number - 1), f"fewer than {number:,} stars")
    if groups.get("most") or groups.get("down"):
        return _found(match, None, number)
    if groups.get("more") and not groups.get("plus"):
        return _found(match, number + 1, None, f"more than {number:,} stars")
    return _found(match, number)


def _named(match: re.Match[str]) -> Found:
    number = to_number(match["n"])
    return _found(match, number) if match[0].lower().startswith("min") else _found(match, None, number)


def _bare(match: re.Match[str]) -> Found:
    number, sign = to_number(match["n"]), match["sign"]
    if sign == ">":
        return _found(match, number + 1, None, f"more than {number:,} stars")
    if sign == "<":
        return _found(match, None, max(0, number - 1), f"fewer than {number:,} stars")
    return _found(match, number) if sign in (">=", "\u2265") else _found(match, None, number)


def _found(match: re.Match[str], low: int | None = None, high: int | None = None, label: str | None = None) -> Found:
    return Found(match.start(), match.end(), "constraint", label or stars_label(low, high), star_fields(low, high))


def star_fields(low: int | None, high: int | None) -> dict[str, Any]:
    """Return the constraints of a range of stars, without the open end."""
    return {name: number for name, number in (("min_stars", low), ("max_stars", high)) if number is not None}


def stars_label(low: int | None, high: int | None) -> str:
    """Describe a range of stars."""
    if low is not None and high is not None:
        return f"{low:,} to {high:,} stars"
    return f"at most {high:,} stars" if low is None else f"at least {low:,} stars"
