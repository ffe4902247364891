"""Compare lists of authors by family names: accents, "Last, First" and lists that were cut short do not count."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from goldpan.kinds.papers.letters import WORDS, fold
from goldpan.kinds.papers.person_names import PARTICLES, divide

_WORD = re.compile(r"[^\W\d_]+(?:[-'\u2019\u2010\u2011][^\W\d_]+)*")
_INITIALS = re.compile(r"\b(?!I[IV])[A-Z]{2,3}\b")
_NO_LETTER = re.compile(r"\W")


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name in a form to compare."""

    family: str
    """Without particles, such as "van", if anything else is left."""
    given: tuple[str, ...]
    is_latin: bool
    letters: str
    """All letters of the name, sorted: its parts may be divided wrongly, or stand in another order."""


@lru_cache(maxsize=32768)
def read_name(text: str) -> Name | None:
    """Split a name into family name and given names; None for "et al." and for no person."""
    family, given = divide(html.unescape(text))
    last, first = _name_words(family), _name_words(given)
    if not last or not WORDS["headings"].isdisjoint((*last, *first)):
        return None
    letters = sorted(letter for word in (*first, *last) for letter in word)
    main = [word for word in last if word not in PARTICLES] or last
    return Name("".join(main), tuple(first), any(map(str.isascii, letters)), "".join(letters))


@lru_cache(maxsize=32768)
def divisions(text: str) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Return the given names and the family name, in each division of a name that its form allows.

    A comma, or initials at the end, allow one; particles beside it may belong to either part.
    """
    name = html.unescape(text)
    name = name if name.isupper() else _INITIALS.sub(lambda found: " ".join(found[0]), name)
    family, given = (tuple(_name_words(part)) for part in divide(name))
    words, known = given + family, len(given)
    is_open = words == tuple(_name_words(name))
    return tuple(
        (words[:at], "".join(words[at:]))
        for at in range(len(words))
        if (is_open and words[at][1:]) or PARTICLES.issuperset(words[min(at, known) : max(at, known)])
    )


def read_names(authors: Sequence[str]) -> tuple[Name, ...]:
    """Read the names of a list of authors, in their order."""
    return tuple(name for name in map(read_name, authors) if name is not None)


def share_of_authors(ones: Sequence[Name], others: Sequence[Name]) -> float | None:
    """Return the share of the longer list that is in both by family name; None if one is empty or in another script.

    A shorter list that begins with the same author was cut off: it is the share of that one.
    """
    if {name.is_latin for name in ones}.isdisjoint(name.is_latin for name in others):
        return None
    shorter, longer = sorted((ones, others), key=lambda names: (len(names), [name.family for name in names]))
    known = {key for name in longer for key in (name.family, name.letters)}
    shared = sum(not known.isdisjoint((name.family, name.letters)) for name in shorter)
    is_cut = shorter[0].family == longer[0].family
    return shared / len(shorter if is_cut else longer)


def _name_words(text: str) -> list[str]:
    found = (_NO_LETTER.sub("", word) for word in _WORD.findall(fold(text)))
    return [word for word in found if word not in WORDS["no_names"]]
