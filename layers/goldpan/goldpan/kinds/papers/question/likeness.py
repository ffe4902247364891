"""Recognize papers that the results are to be like: "papers like 'Attention is all you need'", "arXiv:1706.03762"."""

from __future__ import annotations

import re

from goldpan.identities import find_papers
from goldpan.kinds.papers.question.lexicon import LEXICON
from goldpan.kinds.papers.question.reading import PaperSpan, cue
from goldpan.question.question_text import QuestionText

IDS = ("arXiv:", "10.")
"""What the name of a liked paper begins with that is an id and no title."""
_THESE = frozenset({"this", "these", "that", "those", "it", "them", "mine", "the", "a", "an", "above"})


def find_likenesses(source: QuestionText) -> list[PaperSpan]:
    """Find liked papers by identifier, quoted title, or a title up to the end of its clause."""
    found: list[PaperSpan] = []
    for rule in ("id", "first_id", "quoted", "titled"):
        for match in cue("likeness", rule).finditer(source.text):
            typed = source.typed(*match.span("name"))
            is_id = rule.endswith("id")
            name = _identity(f"arXiv:{typed}" if rule == "first_id" else typed) if is_id else _title(typed)
            value = name if is_id and not match["like"] else f"like {name}"
            one = PaperSpan(match.start(), match.end("name"), "likeness", value, names=(name,))
            if name and not one.overlaps(found):
                found.append(one)
    return found


def _identity(text: str) -> str:
    plain = re.sub(r"^(arxiv|doi)(?:\s*:\s*|\s+(?:id\s+)?)", r"\1:", text.strip("\"'` "), flags=re.IGNORECASE)
    identity, _ = next(find_papers(plain), ("", ""))
    system, _, name = identity.partition(":")
    return f"arXiv:{name}" if system == "arxiv" else name


def _title(text: str) -> str:
    """Return a title, nothing if it is a word such as "these", or only asks."""
    plain = " ".join(text.strip("\"'` ").split())
    words = plain.lower().split()
    return plain if words and words[0] not in _THESE and any(map(LEXICON.is_content, words)) else ""
