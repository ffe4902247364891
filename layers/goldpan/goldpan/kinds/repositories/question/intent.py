"""What the words of a question ask for beside its subject: how starred, how new.

The star range follows from the words alone, never from the mode.
"""

from __future__ import annotations

import re
from datetime import date
from itertools import pairwise

from goldpan.kinds.repositories.models import StarRange
from goldpan.text import words

DEFAULT_MIN = 50
POPULAR_MIN = 1000
MATURE_MIN = 5000
EMERGING_MIN, EMERGING_MAX = 10, 1000
LIGHTWEIGHT_MIN, LIGHTWEIGHT_MAX = 10, 500

POPULAR = frozenset({"popular", "mainstream", "famous", "widely used", "well known"})
MATURE = frozenset({"mature", "stable", "established", "battle tested", "production ready"})
EMERGING = frozenset({"new", "newer", "recent", "fresh", "emerging", "upcoming"})
LIGHTWEIGHT = frozenset({"small", "lightweight", "minimal", "tiny", "minimalist"})
_RANGES = (
    (MATURE, StarRange(min=MATURE_MIN)),
    (POPULAR, StarRange(min=POPULAR_MIN)),
    (EMERGING, StarRange(min=EMERGING_MIN, max=EMERGING_MAX)),
    (LIGHTWEIGHT, StarRange(min=LIGHTWEIGHT_MIN, max=LIGHTWEIGHT_MAX)),
)
_YEAR = re.compile(r"\b(?:since|after|newer than|created in|from)\s+((?:19|20)\d\d)\b", re.IGNORECASE)


def star_range(question: str) -> StarRange | None:
    """Infer how many stars the question asks for; None where no word speaks of it."""
    said = _said(question)
    return next((stars for wanted, stars in _RANGES if wanted & said), None)


def created_after(question: str) -> date | None:
    """Infer the first day of creation from a year that the question names."""
    year = _YEAR.search(question)
    return date(int(year.group(1)), 1, 1) if year else None


def without_intent(question: str) -> str:
    """Leave out the words that were understood as a star range or a year."""
    said = words(_YEAR.sub(" ", question))
    text = " ".join(said)
    for wanted in sorted(POPULAR | MATURE | EMERGING | LIGHTWEIGHT, key=len, reverse=True):
        text = re.sub(rf"(?<!\S){re.escape(wanted)}(?!\S)", " ", text)
    return text if text.strip() else " ".join(said)


def _said(question: str) -> set[str]:
    found = words(question)
    return {*found, *(" ".join(pair) for pair in pairwise(found))}
