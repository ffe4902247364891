"""Join concepts that are wordings of one another: "X or Y", "X, also called Y", "X Y Z (XYZ)"; and mark methods."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from goldpan.kinds.papers.question.reading import PaperSpan
from goldpan.text import words

_OR = re.compile(r"\s*(?:,?\s*\(?\b(?:and/or|or)\b|/)\s*(?:an?\s+|the\s+)?", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*")
_OPENING = re.compile(r"\s*\(\s*")
_METHOD_CUE = re.compile(
    r"\b(?:using|via|by\s+means\s+of|based\s+on|by\s+applying|with\s+the\s+help\s+of|through)\s+(?:an?\s+|the\s+)?$",
    re.IGNORECASE,
)


def with_methods(text: str, found: list[PaperSpan]) -> list[PaperSpan]:
    """Mark the concepts that follow "using" and the like as methods."""
    return [
        replace(one, term=replace(one.term, is_method=True))
        if one.term and _METHOD_CUE.search(text[: one.start])
        else one
        for one in found
    ]


def link_alternatives(text: str, found: list[PaperSpan]) -> list[PaperSpan]:
    """Make alternatives of concepts that "or", a slash, "also called" or the brackets of an acronym join."""
    linked: list[PaperSpan] = []
    for one in found:
        before = linked[-1] if linked else None
        if before and before.term and one.term and _is_other_wording(text, before, one, found):
            lead = before.term.alternative_to or before.term.text
            other = replace(one.term, alternative_to=lead, is_weak=before.term.is_weak)
            linked.append(replace(one, term=other))
        else:
            linked.append(one)
    return linked


def _is_other_wording(text: str, one: PaperSpan, other: PaperSpan, found: Sequence[PaperSpan]) -> bool:
    between = text[one.end : other.start]
    if _OR.fullmatch(between):
        return True
    if _COMMA.fullmatch(between):  # "teenagers, adolescents or youth": an "or" ends the list
        rest = [two for two in found if two.start >= other.end]
        place = other
        for following in rest:
            gap = text[place.end : following.start]
            if not _COMMA.fullmatch(gap):
                return bool(_OR.fullmatch(gap))
            place = following
        return False
    return bool(_OPENING.fullmatch(between)) and text[other.end : other.end + 1] == ")" and _abbreviates(one, other)


def _abbreviates(one: PaperSpan, other: PaperSpan) -> bool:
    """Report whether either text has the initials of the other, as in "retrieval augmented generation (RAG)"."""
    texts = (one.value, other.value)
    return any(
        initials(long).endswith(short.rstrip("s").casefold())
        for short, long in (texts, texts[::-1])
        if " " not in short
    )


def initials(text: str) -> str:
    """Return the first letters of the words of a text, in lower case."""
    return "".join(word[0] for word in words(text))
