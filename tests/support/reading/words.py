"""Lenient comparison of names and phrases, in any case, inflection or spelling; and ranges of stars and years."""

import re
from collections.abc import Iterable
from typing import NamedTuple

SAME_NAMES = {"c++": "cpp", "c#": "csharp", "golang": "go", "javascript": "js", "typescript": "ts", "node.js": "node"}
NAME = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in SAME_NAMES))
WORD = re.compile(r"[^\W_]+")
UNSPACED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
SHORTEST_STEM, LONGEST_ENDING = 5, 3
SHORTEST_PART = SHORTEST_PLURAL = 4
"""A word of as many letters is also found within a compound, and may be a plural."""


def words(text: str) -> list[str]:
    """Split a text into words in lower case, without a plural's ending."""
    named = NAME.sub(lambda match: SAME_NAMES[match[0]], text.casefold())
    return [_singular(word) for word in WORD.findall(named)]


def holds_phrase(phrase: str, texts: Iterable[str]) -> bool:
    """Whether the words of a phrase are all in the texts, in any of them and in any order."""
    given = list(texts)
    if UNSPACED.search(phrase):
        return any(phrase in text for text in given)
    found = [word for text in given for word in words(text)]
    return all(any(_same(word, other) for other in found) for word in words(phrase))


def holds_subject(phrase: str, texts: Iterable[str]) -> bool:
    """Whether the texts hold a phrase, which may also be a part of a compound word."""
    given = list(texts)
    joined = " ".join(" ".join(words(text)) for text in given)
    compound = " ".join(words(phrase))
    return holds_phrase(phrase, given) or (len(compound) >= SHORTEST_PART and compound in joined)


def _singular(word: str) -> str:
    return word[:-1] if len(word) >= SHORTEST_PLURAL and word.endswith("s") and not word.endswith("ss") else word


def _same(word: str, other: str) -> bool:
    if word == other:
        return True
    shorter = min(len(word), len(other))
    if shorter < SHORTEST_STEM or abs(len(word) - len(other)) > LONGEST_ENDING:
        return False
    stem = max(SHORTEST_STEM, shorter - 1)
    return word[:stem] == other[:stem]


LOWER = re.compile(r"at least|more than|over|from|since|after|minimum|or more|or later|[>≥+]")
UPPER = re.compile(r"at most|fewer|less than|under|until|before|up to|maximum|or earlier|or fewer|[<≤]")
NUMBER = re.compile(r"\d[\d,]*")
DIRECTION_AND_NUMBER = re.compile(rf"({LOWER.pattern})|({UPPER.pattern})|({NUMBER.pattern})")


class Bounds(NamedTuple):
    """The numbers that bound a range from below and from above."""

    low: int | None = None
    high: int | None = None


def parse_bounds(text: str) -> Bounds:
    """Parse "more than 500", "1,000 to 2,000", "in 2019" or "at least 10, rather under 500"."""
    low: int | None = None
    high: int | None = None
    upper, directed = False, False
    for match in DIRECTION_AND_NUMBER.finditer(text.casefold()):
        if match[1] or match[2]:
            upper, directed = bool(match[2]), True
            continue
        number = int(match[3].replace(",", ""))
        if upper or low is not None:
            high = number
        else:
            low = number
    return Bounds(low, low) if low is not None and high is None and not directed else Bounds(low, high)
