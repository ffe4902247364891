"""Splits a text that names several authors: "A and B", "A; B", "A, B", and "Last, First, Last, First"."""

from __future__ import annotations

import re

from goldpan.kinds.papers.person_names import PARTICLES, SUFFIXES

_AND = re.compile(r"\s+(?:and|&)\s+|^(?:and|&)\s+", re.IGNORECASE)
_CUT_SHORT = re.compile(r"[\s,;]*\bet\s+al\b\.?\s*$|[\s,;]*(?:\band\s+)?\bothers\s*$", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[^\W\d_](?:\.[\s-]?|[\s-]|$)|[A-Z](?=[A-Z]{0,2}$)){1,4}")


def split_authors(text: str) -> tuple[str, ...]:
    """Return the names in their order, each as it is written: "Ada Lovelace" or "Lovelace, Ada".

    Semicolons separate names before "and", "and" before commas; "et al." and "and others" are no names.
    """
    text = _CUT_SHORT.sub("", " ".join(text.split()))
    if ";" in text:
        pieces = [_AND.sub("", piece.strip()) if _AND.match(piece.strip()) else piece for piece in text.split(";")]
        return tuple(name for piece in pieces for name in _named(_AND.split(piece)))
    return tuple(name for piece in _AND.split(text) for name in _split_at_commas(piece))


def _split_at_commas(piece: str) -> list[str]:
    """Split a piece without "and": a name with its parts in reverse order, a list of those, or a list of names."""
    parts = _with_suffixes(_named(piece.split(",")))
    pairs = list(zip(parts[::2], parts[1::2], strict=False))
    if len(parts) % 2 == 0 and pairs and all(_is_reversed(family, given) for family, given in pairs):
        return [f"{family}, {given}" for family, given in pairs]
    return parts


def _is_reversed(family: str, given: str) -> bool:
    """Report whether two parts are family name and given names of one person, and not two names.

    They are if the second is initials, if the first begins with a particle, or if the first is a single word; names in
    scripts without capital letters are not.
    """
    first, second = family.split(), [word for word in given.split() if not _is_suffix(word)]
    if _INITIALS.fullmatch(family) or family.upper() == family.lower():
        return False
    short = len(first) == 1 and len(second) <= 2  # noqa: PLR2004 - two given names
    return bool(_INITIALS.fullmatch(given)) or first[0].lower() in PARTICLES or short


def _with_suffixes(parts: list[str]) -> list[str]:
    """Join "Jr." to the name before it."""
    joined: list[str] = []
    for part in parts:
        if _is_suffix(part) and joined:
            joined[-1] += f" {part}"
        else:
            joined.append(part)
    return joined


def _is_suffix(word: str) -> bool:
    """Report whether a word is "Jr." or "III"; in capitals, "JR" is two initials."""
    return word.lower() in SUFFIXES and (not word.isupper() or "I" in word)


def _named(pieces: list[str]) -> list[str]:
    return [text for piece in pieces if (text := piece.strip(" ,"))]
