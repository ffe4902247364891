"""Splits names: lists of authors into names, and names into family and given names, where that is safe."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from html import unescape

from goldpan.escaping import plain
from goldpan.kinds.papers.letters import WORDS

ET_AL = "et al."
"""Ends a list of names that goes on."""
FURTHER_AUTHORS = frozenset({"...", "…", "et al", ET_AL, "others"})
"""What ends it elsewhere."""
MAX_WORDS = 5
"""A name of more words, without a comma, is not split: it is an organisation, or its family name has several words."""
PARTICLES, ORGANISATIONS = WORDS["particles"], WORDS["organisations"]
SUFFIXES = frozenset(("jr", "jr.", "sr", "sr.", "ii", "iii", "iv"))
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
    def reversed(self) -> str:
        """The family name first: "Lovelace, Ada"; as in EndNote, a comma ends an organisation that looks so."""
        whole = f"{self.literal}," if organisations_of([self.literal]) else self.literal
        return whole or ", ".join(part for part in (self.family, self.given, self.suffix) if part)

    @property
    def sorting(self) -> str:
        """The word that a list is sorted by: the family name."""
        return self.family or self.literal


def divide(written: str) -> tuple[str, str]:
    """Divide a name into family name and given names, as they are written.

    Read are "Ludwig van Beethoven", "Beethoven, Ludwig van" and, as medical databases write it, "Beethoven L"; without
    a suffix, and "van Beethoven", in small letters, as a family name alone.
    """
    family, comma, given = written.partition(",")
    if comma and given.strip().lower() not in SUFFIXES:
        return family, given
    words = family.split()
    if len(words) > 2 and _is_suffix(words[-1]):  # noqa: PLR2004 - given and family
        words.pop()
    if swapped := _INITIALS_LAST.match(" ".join(words)):
        return swapped[1], swapped[2]
    start = next((at for at, word in enumerate(words[:-1]) if _is_particle(word, at)), max(0, len(words) - 1))
    return " ".join(words[start:]), " ".join(words[:start])


def _is_particle(word: str, at: int) -> bool:
    """Report whether a word is a particle; a capital alone is an initial, as is a first word of one letter."""
    return (word.lower() if at and word[1:] else word) in PARTICLES and bool(at or word[1:])


def split_name(written: str, organisations: Collection[str] = ()) -> Name:
    """Split a name that is written "Ada Lovelace" or "Lovelace, Ada"; organisations and other forms stay whole."""
    text = plain(written).strip(" ,;")
    if written in organisations:
        return Name(literal=text)
    parts = [part.strip() for part in text.split(",")]
    is_person = len(parts) > 1 and " " not in parts[0] and not _NO_PERSON.search(text.partition(",")[2])
    if _NO_PERSON.search(text) and not is_person:  # "School, Anna" is one
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


def organisations_of(names: Iterable[object]) -> tuple[str, ...]:
    """Return the names of organisations that `split_name` would take for persons; a comma in a name tells its parts."""
    whole = (name for name in names if isinstance(name, str) and "," not in name and split_name(name).family)
    return tuple(dict.fromkeys(whole))


def join_name(given: object, family: object, suffix: object = None) -> str:
    """Write a name whose parts are known: in their usual order if they are read again from it, else "Family, Given"."""
    known = Name(*(plain(part) if isinstance(part, str) else "" for part in (family, given, suffix)))
    if split_name(known.in_order) == known or not known.family or not known.given:
        return known.in_order
    return ", ".join(part for part in (known.family, known.suffix, known.given) if part)


def usual_name(written: str) -> str:
    """Write a name as `join_name` does if its parts are known, else as it is."""
    name = split_name(written)
    return name.literal or join_name(name.given, name.family, name.suffix)


def with_parts(names: Sequence[str], written: Iterable[str]) -> tuple[str, ...]:
    """Return the names, each as it is written where its parts are separate, if that has the same words."""
    with_comma = {_words(name): usual for name in written if "," in name and "," in (usual := usual_name(name))}
    return tuple(with_comma.get(_words(name), name) for name in names) if with_comma else tuple(names)


def _words(name: str) -> tuple[str, ...]:
    return tuple(sorted(re.findall(r"\w+", name.casefold())))


def _split_words(text: str) -> Name:
    """Split at the first particle, else before the last word; one word, or a script without capitals, stays whole."""
    words = text.split()
    suffix = words.pop() if len(words) > 2 and words[-1].lower() in SUFFIXES else ""  # noqa: PLR2004 - given and family
    cased = all(word[0].isupper() or word.lower() in PARTICLES or not word[0].isalpha() for word in words)
    if not 2 <= len(words) <= MAX_WORDS or not cased or not words[-1][0].isupper():  # noqa: PLR2004
        return Name(literal=text)
    family, given = divide(" ".join(words))
    return Name(family=family, given=given, suffix=suffix)


def may_have_more(authors: Sequence[str]) -> bool:
    """Report whether a list of authors says that it goes on."""
    return not FURTHER_AUTHORS.isdisjoint(authors)


def listed(names: Iterable[str], most: int | None = None) -> tuple[str, ...]:
    """Return the names, at most so many, with "et al." at the end if there are more, or if the list says so."""
    given = [name for each in names if (name := each.strip())]
    known = [name for name in given if name not in FURTHER_AUTHORS]
    kept = known[:most]
    return (*kept, ET_AL) if kept and len(kept) < len(given) else tuple(kept)


_AND = re.compile(r"\s+(?:and|&)\s+|^(?:and|&)\s+", re.IGNORECASE)
# Each run of signs is tried from its first one alone: time grows with the length of a text, not with its square.
_CUT_SHORT = re.compile(r"(?<![\s,;])[\s,;]*+(?:\bet\s+al\b\.?|(?:\band\s+)?\bothers|\.{3}|…)\s*$", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[^\W\d_](?:\.[\s-]?|[\s-]|$)|[A-Z](?=[A-Z]{0,2}$)){1,4}")


def split_authors(text: str) -> tuple[str, ...]:
    """Return the names in their order, each as it is written: "Ada Lovelace" or "Lovelace, Ada".

    Semicolons separate names before "and", "and" before commas; a list that is cut off ends with "et al.".
    """
    text = _CUT_SHORT.sub(f" and {ET_AL}", " ".join(unescape(text).split()))
    if ";" in text:
        pieces = [_AND.sub("", piece.strip()) if _AND.match(piece.strip()) else piece for piece in text.split(";")]
        return tuple(name for piece in pieces for name in _named(_AND.split(piece)))
    return tuple(name for piece in _AND.split(text) for name in _split_at_commas(piece))


def _split_at_commas(piece: str) -> list[str]:
    """Split a piece without "and": a name with its parts in reverse order, a list of those, or a list of names."""
    parts: list[str] = []
    for part in _named(piece.split(",")):
        if _is_suffix(part) and parts:  # "Jr." belongs to the name before it
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    pairs = list(zip(parts[::2], parts[1::2], strict=False))
    if len(parts) % 2 == 0 and pairs and all(_is_reversed(family, given) for family, given in pairs):
        return [f"{family}, {given}" for family, given in pairs]
    return parts


def _is_reversed(family: str, given: str) -> bool:
    """Report whether two parts are family name and given names of one person, and not two names."""
    first, second = family.split(), [word for word in given.split() if not _is_suffix(word)]
    if _INITIALS.fullmatch(family) or family.upper() == family.lower():
        return False
    short = len(first) == 1 and len(second) <= 2  # noqa: PLR2004 - two given names
    return bool(_INITIALS.fullmatch(given)) or first[0].lower() in PARTICLES or short


def _is_suffix(word: str) -> bool:
    """Report whether a word is "Jr." or "III"; in capitals, "JR" is two initials."""
    return word.lower() in SUFFIXES and (not word.isupper() or "I" in word)


def _named(pieces: list[str]) -> list[str]:
    return [text for piece in pieces if (text := piece.strip(" ,"))]
