"""Recognize words that set a range of stars, such as "popular" or "lightweight"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from goldpan.kinds.repositories.question.reading.parts import Found, Term
from goldpan.kinds.repositories.question.reading.wording import INTENTS, Intent, wording

POPULAR_MIN = 1000
MATURE_MIN = 5000
EMERGING_MIN, EMERGING_MAX = 10, 1000
LIGHTWEIGHT_MIN, LIGHTWEIGHT_MAX = 10, 500
RANGES: dict[Intent, tuple[int, int | None]] = {
    "mature": (MATURE_MIN, None),
    "popular": (POPULAR_MIN, None),
    "emerging": (EMERGING_MIN, EMERGING_MAX),
    "lightweight": (LIGHTWEIGHT_MIN, LIGHTWEIGHT_MAX),
}
_OWNED = re.compile(
    r"(?<![\w-])(?:(?:for|in|with|on|onto|into|to|from|of|at|off|up|start|starting|create|creating|build|building|make"
    r"|making|write|writing|develop|bootstrap|bootstrapping|scaffold|scaffolding|generate|generating|i'm|what's|what is"
    r"|am|are|your|my|our|their|every|each)\s+)(?:(?:a|an|the|my|our|your|their|some)\s+)?(?:[\w-]+\s+)?$"
    r"|(?:my|our|your|their)\s+(?:own\s+)?$",
    re.IGNORECASE,
)
"""What precedes a word that describes what the person builds themselves ("for my new app"), not the repository."""


def find_intents(text: str, *, numbers: bool, strict: bool) -> list[Found]:
    """Find the words of intent; the first group of `RANGES` that occurs sets the range, the others are preferences.

    The upper end is a preference unless `strict`. Where the question has numbers of stars, those hold alone.
    """
    matches = list(_matches(text))
    group = next((name for name in INTENTS if any(name == found for found, _ in matches)), None)
    found = []
    for name, match in matches:
        typed = " ".join(match[0].split())
        if numbers or name != group:
            term = Term(words=(typed.lower(),), part="preference")
            found.append(Found(match.start(), match.end(), "term", typed.lower(), term=term))
            continue
        low, high = RANGES[name]
        label = f"{typed.lower()} ({_described(low, high, strict=strict)})"
        fields = {"min_stars": low} | ({"max_stars" if strict else "preferred_max_stars": high} if high else {})
        found.append(Found(match.start(), match.end(), "constraint", label, fields))
    return found


def _described(low: int, high: int | None, *, strict: bool) -> str:
    if high is None:
        return f"at least {low:,} stars"
    return f"{low:,} to {high:,} stars" if strict else f"at least {low:,} stars, rather under {high:,}"


def _matches(text: str) -> Iterator[tuple[Intent, re.Match[str]]]:
    for name in INTENTS:
        for match in wording().intents[name].finditer(text):
            if _is_intent(text, match):
                yield name, match


def _is_intent(text: str, match: re.Match[str]) -> bool:
    """Report whether the word describes the repository: not within a name, and not what the person builds."""
    following = re.match(r"\s+([\w'-]+)", text[match.end() :])
    after = following[1] if following else ""
    inside = match.start() > 0 and match[0][0].isupper() and not match[0].isupper() and after[:1].isupper()
    if inside:
        return False
    if match[0].lower() not in wording().ambiguous_intents:
        return True
    return after.lower() not in wording().not_after_intent and not _OWNED.search(text[: match.start()])
