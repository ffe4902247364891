"""The venues that are known, with all their names (venues.toml), and names of venues that may be abbreviated."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path

from goldpan.kinds.papers.letters import fold
from goldpan.text import STOP_WORDS, places_of

_AMBIGUOUS = ("ordinary", "published")
"""The tables of the names that mean other things too."""
MAX_SHORT = 3
"""Letters of an abbreviation that means other things too, and counts as an ordinary word."""


@dataclass(frozen=True)
class Venues:
    """The known venues by their names."""

    by_name: dict[str, tuple[str, ...]]
    """All names of a venue, the best known first, by each of them in lower case."""
    tables: dict[str, str]
    """The table of each name as it is written."""
    sure: frozenset[str]
    """The names in lower case that mean nothing else."""


@cache
def venues() -> Venues:
    """Return the table; reads the file once a process."""
    by_name: dict[str, tuple[str, ...]] = {}
    tables: dict[str, str] = {}
    for field, listed in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items():
        for line in re.split(r"[\n;]", listed["names"].strip()):
            names = tuple(name.strip() for name in re.split("[=,]", line))
            by_name |= {name.casefold(): names for name in names}
            for name, table in zip_longest(names, (field,), fillvalue="further"):
                tables[name] = "ordinary" if len(name) <= MAX_SHORT and table not in _AMBIGUOUS else table
    sure = frozenset(name.casefold() for name, table in tables.items() if table not in _AMBIGUOUS)
    return Venues(by_name, tables, sure)


def venue_names(venue: str) -> tuple[str, ...]:
    """Return all known names of a venue, its best known abbreviation first; the name itself if it is not known."""
    return venues().by_name.get(venue.casefold(), (venue,))


_YEAR, _LETTERS = re.compile(r"\b(?:19|20)\d\d\b"), re.compile(r"[^\W_]+")
_SUBTITLE, _ADDITION = re.compile(r"\s+: .*"), re.compile(r"(?<=\S)\s*\([^()]*\)\s*$")
"""What sources add to a name: "Genetics in medicine : official journal of ...", "arXiv (Cornell University)"."""
_MINOR = STOP_WORDS | {"by", "de", "la", "le", "of", "und", "y"}


def _name_words(text: str, *, with_addition: bool = False) -> tuple[str, ...]:
    name = _SUBTITLE.sub("", _YEAR.sub("", text))
    name = name if with_addition else _ADDITION.sub("", name)
    folded = fold(name.replace("'", "").replace("\u2019", ""))
    return tuple(word for word in _LETTERS.findall(folded) if word not in _MINOR)


@cache
def _known_words() -> dict[tuple[str, ...], str]:
    """Return the best known name of each venue by the words of each of its names."""
    return {_name_words(name): names[0] for name, names in venues().by_name.items()}


def venue_key(venue: str) -> str:
    """Return what all forms of a venue share: its best known name, "Commun. ACM" and "CACM 2020" too, or its words."""
    words = _name_words(venue)
    if words in _known_words():
        return _known_words()[words]
    if "." in venue:
        for known, name in _known_words().items():
            if len(known) == len(words) and all(map(str.startswith, known, words)):
                return name
    return " ".join(words)


MIN_ABBREVIATION = 3
"""Letters of an abbreviation that is made of the beginnings of words: two fit too much."""


def is_venue(asked: str, venue: str) -> bool:
    """Report whether a venue is the one that was asked for, by its name or an abbreviation in either direction.

    A name of several words, or one in capitals such as ICML, may stand within the venue; a single plain word such as
    Nature must be all of it, since Nature Medicine is another journal.
    """
    wanted, given = _name_words(asked), _name_words(venue)
    if not wanted or not given:
        return False
    is_acronym = len(wanted) == 1 and any(_is_acronym(word) for word in _LETTERS.findall(asked))
    whole = _name_words(venue, with_addition=True)  # which may be an acronym
    if wanted == given or ((len(wanted) > 1 or is_acronym) and places_of(wanted, whole)):
        return True
    if len(wanted) == len(given) > 1:
        return any(all(map(str.startswith, *sides)) for sides in ((wanted, given), (given, wanted)))  # Phys Rev Lett
    if is_acronym:
        return _is_abbreviation(wanted[0], given)
    return len(given) == 1 and _is_acronym(venue) and _is_abbreviation(given[0], wanted)


def _is_acronym(word: str) -> bool:
    return sum(char.isupper() for char in word) > 1


def _is_abbreviation(letters: str, words: Sequence[str]) -> bool:
    """Report whether letters begin neighbouring words, as NeurIPS those of Neural Information Processing Systems."""
    left = {letters}  # what the words before leave of them
    for word in words if len(letters) >= MIN_ABBREVIATION else ():
        begun = ((rest, size) for rest in left for size in range(1, len(rest) + 1) if word.startswith(rest[:size]))
        left = {letters, *(rest[size:] for rest, size in begun)}
        if "" in left:
            return True
    return False
