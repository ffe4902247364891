"""Splits the names of authors into family and given names, where that is safe."""

from __future__ import annotations

import re
from dataclasses import dataclass

from goldpan.escaping import plain

MAX_WORDS = 5
"""A name of more words, without a comma, is not split: it is an organisation, or its family name has several words."""
# fmt: off
PARTICLES = frozenset((
    "af", "al", "auf", "aus", "d", "da", "dal", "de", "degli", "dei", "del", "della", "den", "der", "des", "di", "do",
    "dos", "du", "e", "el", "la", "le", "los", "ten", "ter", "til", "van", "vande", "vanden", "vander", "vom", "von",
    "y", "zu", "zum", "zur", "'t",
))
# fmt: on
"""Words in lower case that begin a family name."""
SUFFIXES = frozenset(("jr", "jr.", "sr", "sr.", "ii", "iii", "iv"))
# fmt: off
ORGANISATIONS = frozenset((
    "academy", "agency", "alliance", "association", "board", "center", "centre", "collaboration", "college",
    "commission", "committee", "company", "consortium", "corporation", "council", "department", "faculty",
    "foundation", "group", "inc", "initiative", "institute", "lab", "laboratory", "ltd", "ministry", "network",
    "office", "organisation", "organization", "program", "programme", "project", "research", "school", "society",
    "staff", "team", "universidad", "universite", "university",
))
# fmt: on
"""Words of names that are those of no person."""
_NO_PERSON = re.compile(rf"\d|[&/@:()]|\b(?:and|for|of|the|{'|'.join(sorted(ORGANISATIONS))})\b", re.IGNORECASE)
_INITIALS_LAST = re.compile(r"^([^\W\d_]\S+(?:\s\S{2,})*)\s+([A-Z](?:[.\s-]?[A-Z]){0,2}\.?|[a-z])$")


@dataclass(frozen=True)
class Name:
    """A name with its parts; `literal` is one whose parts are not known, such as an organisation."""

    family: str = ""
    given: str = ""
    suffix: str = ""
    literal: str = ""

    @property
    def in_order(self) -> str:
        """The name in its usual order: "Ada Lovelace"."""
        return self.literal or " ".join(part for part in (self.given, self.family, self.suffix) if part)

    @property
    def sorting(self) -> str:
        """The word that a list is sorted by: the family name."""
        return self.family or self.literal


def divide(written: str) -> tuple[str, str]:
    """Divide a name into family name and given names, as they are written.

    Read are "Ludwig van Beethoven", "Beethoven, Ludwig van" and, as medical databases write it, "Beethoven L".
    """
    family, comma, given = written.partition(",")
    if comma:
        return family, given
    if swapped := _INITIALS_LAST.match(written.strip()):
        return swapped[1], swapped[2]
    words = written.split()
    start = next((at for at, word in enumerate(words[:-1]) if at and word.lower() in PARTICLES), len(words) - 1)
    return " ".join(words[max(0, start) :]), " ".join(words[: max(0, start)])


def split_name(written: str) -> Name:
    """Split a name that is written "Ada Lovelace" or "Lovelace, Ada"; other forms stay whole."""
    text = plain(written).strip(" ,;")
    parts = [part.strip() for part in text.split(",")]
    if _NO_PERSON.search(text):
        return Name(literal=text)
    if len(parts) == 1:
        return _split_words(text)
    suffixes = [part for part in parts[1:] if part.lower() in SUFFIXES]
    match [part for part in parts if part not in suffixes], suffixes:
        case [family, given], [] | [_]:
            return Name(family=family, given=given, suffix="".join(suffixes))
        case [whole], [suffix]:
            name = _split_words(whole)
            return Name(literal=text) if name.literal else Name(name.family, name.given, suffix)
    return Name(literal=text)


def _split_words(text: str) -> Name:
    """Split "Ludwig van Beethoven Jr." at the first particle, else before the last word.

    A name of one word and one in a script without capital letters, whose order is not known, stay whole.
    """
    words = text.split()
    suffix = words.pop() if len(words) > 2 and words[-1].lower() in SUFFIXES else ""  # noqa: PLR2004 - given and family
    cased = all(word[0].isupper() or word.lower() in PARTICLES or not word[0].isalpha() for word in words)
    if not 2 <= len(words) <= MAX_WORDS or not cased or not words[-1][0].isupper():  # noqa: PLR2004
        return Name(literal=text)
    family, given = divide(" ".join(words))
    return Name(family=family, given=given, suffix=suffix)
