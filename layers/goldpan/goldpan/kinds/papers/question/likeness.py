"""Recognize papers that the results are to be like: "papers like 'Attention is all you need'", "arXiv:1706.03762"."""

from __future__ import annotations

import re

from goldpan.identities import find_papers
from goldpan.kinds.papers.question.parts import QUOTE, Found, overlaps
from goldpan.kinds.papers.question.wording import wording
from goldpan.question.parts import BREAK

IDS = ("arXiv:", "10.")
"""What the name of a liked paper begins with that is an id and no title."""
_PAPERS = r"(?:papers?|articles?|works?|studies|publications|research|something|anything|literature|ones?)"
_LIKE = (
    r"(?:(?:that|which)\s+(?:are|is)\s+)?(?:similar\s+to|like|comparable\s+to|in\s+the\s+spirit\s+of|inspired\s+by"
    r"|related\s+to|(?:that\s+|which\s+)?(?:extend(?:s|ing)?|build(?:s|ing)?\s+on|cit(?:e|es|ing))|follow(?:ing|-?\s?ups?)\s+(?:to|of|on|up\s+on)"
    r"|extensions?\s+(?:of|to)|more\s+like)"
)
_QUOTED = re.compile(
    rf"(?<![\w-])(?:{_PAPERS}\s+)?{_LIKE}\s+(?:the\s+)?(?:paper\s+|article\s+|this\s*:?\s*)?(?P<name>{QUOTE}+)",
    re.IGNORECASE,
)
_UNQUOTED = re.compile(
    rf"(?:(?<![\w-]){_PAPERS}\s+(?:that\s+are\s+|which\s+are\s+)?(?:very\s+)?(?:similar\s+to|like)|^\W*(?:more\s+like|similar\s+to|like))\s+"
    rf"(?:the\s+)?(?:paper\s+|article\s+)?(?P<name>[^,;?!{BREAK}{QUOTE}]+?)\s*(?=\s+(?:(?:but|published)\s|(?:for|using|with)\s+(?-i:[a-z]))|[,;?!{BREAK}]|\.?$)",
    re.IGNORECASE,
)
_ID = re.compile(
    rf"(?:(?<![\w-])(?:{_PAPERS}\s+)?{_LIKE}\s+(?:the\s+)?(?:paper\s+)?)?"
    r"(?P<name>(?:https?://)?(?:dx\.)?(?:doi\.org/|doi:\s?)?10\.\d{4,9}/\S+|(?:https?://)?(?:www\.)?arxiv\.org/\S+|arxiv:\s?\S+)",
    re.IGNORECASE,
)
_THESE = frozenset({"this", "these", "that", "those", "it", "them", "mine", "the", "a", "an", "above"})


def find_likenesses(text: str, original: str) -> list[Found]:
    """Find liked papers by identifier, quoted title, or a title up to the end of its clause."""
    found: list[Found] = []
    for pattern in (_ID, _QUOTED, _UNQUOTED):
        for match in pattern.finditer(text):
            name = _name(original[match.start("name") : match.end("name")], is_id=pattern is _ID)
            value = name if pattern is _ID and match.start() == match.start("name") else f"like {name}"
            one = Found(match.start(), match.end("name"), "likeness", value, likes=(name,))
            if name and not overlaps(one, found):
                found.append(one)
    return found


def _name(text: str, *, is_id: bool) -> str:
    plain = " ".join(text.strip("\"'` ").split())
    if is_id:
        identity, _ = next(find_papers(plain), ("", ""))
        system, _, name = identity.partition(":")
        return f"arXiv:{name}" if system == "arxiv" else name
    words = plain.lower().split()
    known = wording()
    return "" if not words or words[0] in _THESE or all(not known.is_subject(word) for word in words) else plain
