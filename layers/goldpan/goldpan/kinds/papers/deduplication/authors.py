"""Compare lists of authors: initials, "Last, First", accents and lists that were cut short."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from rapidfuzz.distance import OSA

from goldpan.kinds.papers.letters import WORDS, fold
from goldpan.kinds.papers.person_names import divide

_WORD = re.compile(r"[^\W\d_]+(?:[-'\u2019\u2010\u2011][^\W\d_]+)*")
_NO_LETTER = re.compile(r"\W")
_NO_PERSONS = WORDS["organisations"] | WORDS["headings"]
FAMILY_KEY = 5
"""Letters of a family name that two records of one author share, so that records can be looked up by it."""
MIN_FUZZY = 5
"""Letters of a family name that may be misspelled in one place, or be a part of a double name."""


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name in a form to compare."""

    family: str
    given: tuple[str, ...]
    is_latin: bool
    letters: str
    """All letters of the name, sorted: its parts may be divided wrongly, or stand in another order."""

    @property
    def key(self) -> str:
        """The beginning of the family name, and the first initial."""
        return f"{self.family[:FAMILY_KEY]} {self.given[0][0] if self.given else ''}"


@lru_cache(maxsize=32768)
def read_name(text: str) -> Name | None:
    """Split a name into family name and given names; None for "et al." and for no person."""
    family, given = divide(html.unescape(text))
    last, first = _name_words(family), _name_words(given)
    if not last or not _NO_PERSONS.isdisjoint((*last, *first)):
        return None
    return Name(
        "".join(last),
        tuple(first),
        any(letter.isascii() for letter in last[0]),
        "".join(sorted("".join((*first, *last)))),
    )


def read_names(authors: Sequence[str]) -> tuple[Name, ...]:
    """Read the names of a list of authors, in their order."""
    return tuple(name for name in map(read_name, authors) if name is not None)


def share_author(ones: Sequence[Name], others: Sequence[Name]) -> bool | None:
    """Report whether two lists have an author in common; None if one is empty, or they are in different scripts."""
    pairs = [(one, other) for one, other in product(ones, others) if one.is_latin == other.is_latin]
    return any(_is_same(*pair) for pair in pairs) if pairs else None


def _name_words(text: str) -> list[str]:
    found = (_NO_LETTER.sub("", word) for word in _WORD.findall(fold(text)))
    return [word for word in found if word not in WORDS["no_names"]]


@lru_cache(maxsize=16384)
def _is_same(one: Name, other: Name) -> bool:
    """Compare the family names; a part of a double name, and a likely misspelling of a long one, is the same."""
    if one.family == other.family or one.letters == other.letters:
        return True
    if min(len(one.family), len(other.family)) < MIN_FUZZY:
        return False
    is_part = one.family.endswith(other.family) or other.family.endswith(one.family)
    return is_part or OSA.distance(one.family, other.family, score_cutoff=1) <= 1
