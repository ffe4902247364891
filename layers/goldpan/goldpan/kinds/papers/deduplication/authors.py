"""Compare lists of authors by family names: accents, "Last, First" and lists that were cut short do not count."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from goldpan.kinds.papers.letters import WORDS, fold
from goldpan.kinds.papers.person_names import divide

_WORD = re.compile(r"[^\W\d_]+(?:[-'\u2019\u2010\u2011][^\W\d_]+)*")
_NO_LETTER = re.compile(r"\W")


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name in a form to compare."""

    family: str
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
    return Name("".join(last), tuple(first), any(map(str.isascii, letters)), "".join(letters))


def read_names(authors: Sequence[str]) -> tuple[Name, ...]:
    """Read the names of a list of authors, in their order."""
    return tuple(name for name in map(read_name, authors) if name is not None)


def share_author(ones: Sequence[Name], others: Sequence[Name]) -> bool | None:
    """Report whether two lists have a family name in common; None if one is empty, or they are in different scripts."""
    if {name.is_latin for name in ones}.isdisjoint(name.is_latin for name in others):
        return None
    left, right = ({key for name in names for key in (name.family, name.letters)} for names in (ones, others))
    return not left.isdisjoint(right)


def _name_words(text: str) -> list[str]:
    found = (_NO_LETTER.sub("", word) for word in _WORD.findall(fold(text)))
    return [word for word in found if word not in WORDS["no_names"]]
