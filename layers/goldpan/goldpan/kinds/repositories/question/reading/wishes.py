"""Recognize wishes that are worded like exclusions, and exclude nothing: "no dependencies", "without internet"."""

from __future__ import annotations

import re
from typing import Literal

from goldpan.kinds.repositories.question.reading.parts import Found, Term

_ZERO_DEPENDENCY = re.compile(
    r"(?<![\w-])(?:(?:zero|no|without(?:\s+any)?|0)[\s-]+(?:(?:external|runtime|extra|third[\s-]party|other|npm)\s+)?"
    r"(?:dependenc(?:y|ies)|deps)|dependency[\s-](?:free|less))(?![\w-])",
    re.IGNORECASE,
)
_OFFLINE = re.compile(
    r"(?<![\w-])(?:(?:without|no)(?:\s+(?:any|an|the))?|doesn'?t\s+need(?:\s+(?:any|an|the))?)\s+"
    r"(?:internet|network)(?:\s+(?:connection|access))?(?![\w-])",
    re.IGNORECASE,
)
_SELF_HOSTED = re.compile(
    r"(?<![\w-])(?:(?:(?:that|which)\s+)?(?:i|we|you)\s+can\s+)?(?:"
    r"(?:self[\s-]?host|host)(?:\s+(?:it|them))?(?:\s+(?:myself|ourselves|yourself))"
    r"|(?:(?:run|host|deploy|install)(?:\s+(?:it|them))?\s+)?on\s+(?:my|our|your)\s+own\s+(?:servers?|hardware|infrastructure|machines?)"
    r")(?![\w-])",
    re.IGNORECASE,
)
_WISHES: tuple[tuple[re.Pattern[str], tuple[str, ...], Literal["context", "platform"]], ...] = (
    (_ZERO_DEPENDENCY, ("zero", "dependency"), "context"),
    (_OFFLINE, ("offline",), "context"),
    (_SELF_HOSTED, ("self", "hosted"), "platform"),
)


def find_wishes(text: str) -> list[Found]:
    """Find "no dependencies", "without internet" and "host myself" in their spellings: they exclude nothing."""
    return [
        Found(match.start(), match.end(), "term", " ".join(named), term=Term(words=named, part=part))
        for pattern, named, part in _WISHES
        for match in pattern.finditer(text)
    ]
