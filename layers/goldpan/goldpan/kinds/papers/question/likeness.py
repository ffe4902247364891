"""Recognize papers that the results are to be like: "papers like 'Attention is all you need'", "arXiv:1706.03762"."""

from __future__ import annotations

import re

from goldpan.identities import find_papers
from goldpan.kinds.papers.question.reading import PaperSpan
from goldpan.kinds.papers.question.wording import wording
from goldpan.question.question_text import QUOTE, QuestionText
from goldpan.question.spans import BREAK

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
_ARXIV_ID = (
    r"(?:\d\d(?:0[1-9]|1[0-2])\.\d{4,5}|(?:astro-ph|cond-mat|cs|gr-qc|hep-(?:ex|lat|ph|th)|math(?:-ph)?|nlin"
    r"|nucl-(?:ex|th)|physics|q-bio|quant-ph|stat)(?:\.[A-Z]{2})?/\d{7})(?:v\d{1,2})?"
)
_BARE_ID = re.compile(
    rf"^\W*(?:(?:the\s+)?(?:paper\s+)?|(?:(?:papers?|more|something)\s+)?(?P<like>like|similar\s+to)\s+)"
    rf"(?P<name>{_ARXIV_ID})(?![\w/])",
    re.IGNORECASE,
)
"""An arXiv id without that word is one at the beginning alone: elsewhere it may be a number."""
_ID = re.compile(
    rf"(?:(?<![\w-])(?:{_PAPERS}\s+)?{_LIKE}\s+(?:the\s+)?(?:paper\s+)?)?"
    r"(?P<name>(?:https?://)?(?:dx\.)?(?:doi\.org/|doi(?:\s*:\s*|\s+))?10\.\d{4,9}/\S+|(?:https?://)?(?:www\.)?arxiv\.org/\S+"
    rf"|arxiv\s*:\s*\S+|arxiv\s+(?:id\s+)?{_ARXIV_ID}(?![\w.]))",
    re.IGNORECASE,
)
_THESE = frozenset({"this", "these", "that", "those", "it", "them", "mine", "the", "a", "an", "above"})


def find_likenesses(source: QuestionText) -> list[PaperSpan]:
    """Find liked papers by identifier, quoted title, or a title up to the end of its clause."""
    text = source.text
    found: list[PaperSpan] = []
    for pattern in (_ID, _BARE_ID, _QUOTED, _UNQUOTED):
        for match in pattern.finditer(text):
            typed = source.typed(match.start("name"), match.end("name"))
            is_id = pattern in (_ID, _BARE_ID)
            name = _name(f"arXiv:{typed}" if pattern is _BARE_ID else typed, is_id=is_id)
            is_sought = not match["like"] if pattern is _BARE_ID else match.start() == match.start("name")
            value = name if is_id and is_sought else f"like {name}"
            one = PaperSpan(match.start(), match.end("name"), "likeness", value, names=(name,))
            if name and not one.overlaps(found):
                found.append(one)
    return found


def _name(text: str, *, is_id: bool) -> str:
    plain = " ".join(text.strip("\"'` ").split())
    if is_id:
        plain = re.sub(r"^(arxiv|doi)(?:\s*:\s*|\s+(?:id\s+)?)", r"\1:", plain, flags=re.IGNORECASE)
        identity, _ = next(find_papers(plain), ("", ""))
        system, _, name = identity.partition(":")
        return f"arXiv:{name}" if system == "arxiv" else name
    words = plain.lower().split()
    known = wording()
    return "" if not words or words[0] in _THESE or all(not known.is_subject(word) for word in words) else plain
