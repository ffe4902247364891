"""Compare lists of authors: initials, "Last, First", accents and lists that were cut short."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from rapidfuzz.distance import OSA

from goldpan.kinds.papers.letters import WORDS, fold
from goldpan.kinds.papers.person_names import divide

_WORD = re.compile(r"[^\W\d_]+(?:[-'\u2019\u2010\u2011][^\W\d_]+)*")
_NO_LETTER = re.compile(r"\W")
_UMLAUT = re.compile(r"(?<=[aou])e")
_UNREADABLE = re.compile(r"[\d@?\ufffd\u0080-\u00bf\u02c6\u02dc\u20ac\u2122]|\w\.(?:com|edu|gov|net|org)\b")
"""Years, addresses, and signs of text that was read in another encoding."""
_NO_PERSONS = WORDS["organisations"] | WORDS["headings"]
FAMILY_KEY = 5
"""Letters of a family name that two records of one author share, so that records can be looked up by it."""
MIN_FUZZY, LONG_NAME = 5, 8
MIN_GIVEN, MAX_GIVEN_TYPOS = 3, 2
"""Letters of a given name that is no initial, and differences between two spellings of one."""


class Shared(IntEnum):
    """How far two lists of authors agree."""

    CONFLICT = 0
    """Both are known, and no author is the same."""
    UNKNOWN = 1
    """One list is empty, or the two are in different scripts."""
    SOME = 2
    """Less than half of the shorter list, or a family name alone."""
    MOST = 3
    """At least half of the shorter list, and two authors or the first one of both."""


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name in a form to compare."""

    family: str
    given: tuple[str, ...]
    is_latin: bool
    letters: str
    """All of the name without spaces."""

    @property
    def key(self) -> str:
        """The beginning of the family name, and the first initial."""
        return f"{self.family[:FAMILY_KEY]} {self.given[0][0] if self.given else ''}"


@lru_cache(maxsize=32768)
def read_name(text: str) -> Name | None:
    """Split a name into family name and given names; None for "et al.", for no person and for what is unreadable."""
    text = html.unescape(text)
    if _UNREADABLE.search(text):
        return None
    family, given = divide(text)
    last, first = _name_words(family), _name_words(" ".join(given) if given.isupper() else given)
    joined = "".join(last)
    if not joined or (len(joined) == 1 and joined.isascii()) or not _NO_PERSONS.isdisjoint((*last, *first)):
        return None
    return Name(joined, tuple(first), any(letter.isascii() for letter in joined), "".join(first) + joined)


def read_names(authors: Sequence[str]) -> tuple[Name, ...]:
    """Read the names of a list of authors, in their order."""
    return tuple(name for name in map(read_name, authors) if name is not None)


def compare(ones: Sequence[Name], others: Sequence[Name]) -> Shared:
    """Compare two lists; only names of the same script count."""
    scripts = {name.is_latin for name in ones} & {name.is_latin for name in others}
    if not scripts:
        return Shared.UNKNOWN
    left, right = ([name for name in names if name.is_latin in scripts] for names in (ones, others))
    free, matched = list(right), 0
    for name in left:
        partner = next((other for other in free if _is_same(name, other)), None)
        if partner is not None:
            free.remove(partner)
            matched += 1
    if not matched:
        is_family = any(_is_same_family(one.family, other.family) for one in left for other in right)
        return Shared.SOME if is_family else Shared.CONFLICT
    is_most = 2 * matched >= min(len(left), len(right))
    return Shared.MOST if is_most and (matched > 1 or _is_same(left[0], right[0])) else Shared.SOME


def _name_words(text: str) -> list[str]:
    found = (_NO_LETTER.sub("", word) for word in _WORD.findall(fold(text)))
    return [_UMLAUT.sub("", word) or word for word in found if word not in WORDS["no_names"]]


def _is_same(one: Name, other: Name) -> bool:
    if one.letters == other.letters:
        return True
    if not _is_same_family(one.family, other.family):
        return one.family in other.given and other.family in one.given
    if not one.given or not other.given:
        return True
    first, second = one.given[0], other.given[0]  # an initial stands for every name that begins with it
    if first[0] != second[0]:  # a middle name that is used as the first, or is written as an initial
        is_middle = len(first) < MIN_GIVEN and first[0] in {word[0] for word in other.given}
        return is_middle or first in other.given or second in one.given
    if min(len(first), len(second)) < MIN_GIVEN or first.startswith(second) or second.startswith(first):
        return True
    is_alike = OSA.distance(first, second, score_cutoff=MAX_GIVEN_TYPOS) <= MAX_GIVEN_TYPOS
    return is_alike or bool(set(one.given[1:]) & set(other.given[1:]))


@lru_cache(maxsize=16384)
def _is_same_family(one: str, other: str) -> bool:
    """Compare two family names; a part of a double name, and a likely misspelling of a long one, is the same."""
    shorter = min(len(one), len(other))
    if one == other or shorter < MIN_FUZZY:
        return one == other
    if one.endswith(other) or other.endswith(one):
        return True
    allowed = 1 if shorter < LONG_NAME else 2
    return OSA.distance(one, other, score_cutoff=allowed) <= allowed
