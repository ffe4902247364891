"""Compares names of venues and people that may be abbreviated."""

import re
from collections.abc import Sequence

from goldpan.kinds.papers.letters import fold
from goldpan.kinds.papers.person_names import PARTICLES, divide
from goldpan.text import STOP_WORDS, places_of

MIN_ABBREVIATION = 3
"""Letters of an abbreviation that is made of the beginnings of words: two fit too much."""
_WORD = re.compile(r"[^\W_]+")
_MINOR = STOP_WORDS | {"by", "de", "la", "le", "of", "und", "y"}


def folded_words(text: str) -> list[str]:
    """Return the words of a name in lower case and without accents, in their order."""
    return _WORD.findall(fold(text.replace("'", "").replace("\u2019", "")))


def is_venue(asked: str, venue: str) -> bool:
    """Report whether a venue is the one that was asked for, by its name or an abbreviation in either direction.

    A name of several words, or one in capitals such as ICML, may stand within the venue; a single plain word such as
    Nature must be all of it, since Nature Medicine is another journal.
    """
    wanted = [word for word in folded_words(asked) if word not in _MINOR]
    given = [word for word in folded_words(venue) if word not in _MINOR]
    if not wanted or not given:
        return False
    is_acronym = len(wanted) == 1 and sum(char.isupper() for char in asked) > 1
    if wanted == given or ((len(wanted) > 1 or is_acronym) and places_of(wanted, given)):
        return True
    if len(wanted) == len(given) > 1:
        return _begin(wanted, given) or _begin(given, wanted)
    if is_acronym:
        return _is_abbreviation(wanted[0], given)
    return len(given) == 1 and sum(char.isupper() for char in venue) > 1 and _is_abbreviation(given[0], wanted)


def is_author(asked: str, author: str) -> bool:
    """Report whether a name may be that of an author: the same family name, and given names that do not differ.

    An initial stands for each name that begins with it; a family name alone fits any given name.
    """
    family, given = _family_and_given(asked)
    other_family, other_given = _family_and_given(author)
    if not family or family != other_family:
        return False
    return all(one.startswith(other) or other.startswith(one) for one, other in zip(given, other_given, strict=False))


def _family_and_given(name: str) -> tuple[str, list[str]]:
    """Return the family name without particles and the given names, folded."""
    family, given = map(folded_words, divide(name))
    return "".join(word for word in family if word not in PARTICLES) or "".join(family), given


def _begin(short: Sequence[str], long: Sequence[str]) -> bool:
    """Report whether each word is the beginning of the other, as in Phys Rev Lett."""
    return all(other.startswith(word) for word, other in zip(short, long, strict=True))


def _is_abbreviation(letters: str, words: Sequence[str]) -> bool:
    """Report whether letters begin neighbouring words, as NeurIPS those of Neural Information Processing Systems."""
    if len(letters) < MIN_ABBREVIATION:
        return False
    return any(_consumes(letters, words[start:]) for start in range(len(words)))


def _consumes(letters: str, words: Sequence[str]) -> bool:
    if not letters:
        return True
    if not words:
        return False
    most = next(
        (size for size in range(min(len(letters), len(words[0])), 0, -1) if words[0].startswith(letters[:size])), 0
    )
    return any(_consumes(letters[size:], words[1:]) for size in range(most, 0, -1))
