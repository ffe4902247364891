"""Names of authors that extraction has damaged: what is no person, lost letters, and words glued together."""

from __future__ import annotations

import re
from collections.abc import Sequence

UNREADABLE = "\ufffd"
"""Stands for lost letters of a name: up to `MAX_LOST` of them, or none."""
MIN_READABLE, MAX_LOST = 3, 3
"""Letters of a damaged name that are left to recognise it by, and letters that one sign stands for."""
_NO_NAME = re.compile(r"\d{3}|@|\w\.(?:com|edu|gov|net|org)\b", re.IGNORECASE)
"""Years, telephone numbers, addresses of mail and of sites ("portal.acm.org")."""
_SIGN = "[\u0080-\u00bf\u02c6\u02dc\u2010-\u203a\u20ac\u2122\ufffd]"
_MISREAD = re.compile(
    rf"[\u00c2-\u00c5\u00ce\u00e2-\u00e5\u00ee](?:\s?(?:\d\s?/\s?\d|{_SIGN}+)\s?|\s?\?(?:\s{_SIGN})?)"
)
"""Letters of UTF-8 that were read in another encoding, also with spaces between: "rh gã 1/4 ting"."""
_OTHER_SCRIPT = re.compile(r"[\u0370-\u052f]")
_LATIN = re.compile(r"[a-z]")
_AND = re.compile(r"and[a-z]?$")
_GLUED_AND = re.compile(r"(.{4,})and[a-z]?$")
# fmt: off
_ORGANISATIONS = frozenset((
    "academy", "agency", "anthology", "association", "center", "centre", "college", "committee",
    "consortium", "corp", "corporate", "corporation", "council", "departement", "department", "dept",
    "dipartimento", "edition", "editorial", "editors", "faculty", "foundation", "group", "inc", "informatica",
    "informazione", "ingegneria", "inria", "institut", "institute", "instituto", "istituto", "journal", "lab",
    "laboratories", "laboratory", "ltd", "magazine", "ministry", "network", "organization", "press", "proceedings",
    "project", "school", "scienze", "society", "staff", "team", "transactions", "universidad",
    "universita", "universitat", "universite", "university", "workshop",
))
_HEADINGS = frozenset((
    "abstract", "acknowledgements", "acknowledgments", "appendix", "authors", "bibliography", "conclusion",
    "conclusions", "contents", "copyright", "introduction", "keywords", "notice", "overview",
    "reference", "references", "summary", "tutorial",
))
# fmt: on
"""Headings of a first page that are taken for names: "G.C. Introduction"."""
NO_PERSONS = _ORGANISATIONS | _HEADINGS
"""An author with one of these words is no person; its name is written in too many ways to compare."""


def is_no_name(text: str) -> bool:
    """Return whether an author is a number or an address."""
    return _NO_NAME.search(text) is not None


def mark_misread(text: str) -> str:
    """Replace letters that were read in another encoding by the sign of lost letters."""
    return text if text.isascii() else _MISREAD.sub(UNREADABLE, text)


def mark_mixed(word: str) -> str:
    """Replace the Greek and Cyrillic letters of a folded word that has Latin ones too: no name mixes scripts."""
    if word.isascii() or not _LATIN.search(word):
        return word
    return _OTHER_SCRIPT.sub(UNREADABLE, word)


def may_be(damaged: str, other: str) -> bool:
    """Return whether a name that lacks letters can be the other one."""
    parts = damaged.split(UNREADABLE)
    if sum(map(len, parts)) < MIN_READABLE:
        return False
    return re.fullmatch(f".{{0,{MAX_LOST}}}".join(map(re.escape, parts)), other) is not None


def without_and(family: str, given: Sequence[str]) -> str:
    """Return a family name without the "and" before the next author, with or without the first letter of that one."""
    if given and _AND.match(family):
        return given[-1]
    match = _GLUED_AND.match(family)
    return match[1] if match else family
