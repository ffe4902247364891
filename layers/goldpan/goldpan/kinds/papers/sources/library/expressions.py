"""The parts of a typed query as expressions of SQLite's FTS5, https://www.sqlite.org/fts5.html#full_text_query_syntax."""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from goldpan.kinds.papers.paper_text import STOP_TERMS
from goldpan.kinds.papers.sources.library.folding import is_unspaced, tokens
from goldpan.kinds.papers.sources.library.models import LibraryFilters
from goldpan.kinds.papers.sources.library.schema import name_words, year_word
from goldpan.kinds.papers.venues import venue_names
from goldpan.text import stemmed

MIN_YEAR, MAX_YEAR = 0, 2999
_YEARS = re.compile(r"(?P<from>\d{4})?(?:(?P<to>\.{2,}|\u2026|-|\u2013)(?P<last>\d{4})?)?")
MAX_PAIRS = 3
"""Pairs of characters that must stand side by side, as one word; a longer run may be a sentence."""
NAME_WORDS_BETWEEN = 3
"""Words that may stand in the name of an author between those that are asked for."""
WORD_ENDINGS = (
    "s", "es", "ed", "ing", "ings", "ion", "ions", "ation", "ations", "ization", "izations", "ement", "ment", "ments",
    "er", "ers", "or", "ors", "ly", "ally", "ity", "ities", "ness", "ive", "able", "ible", "ance", "ence",
    "ical", "ically", "ize", "izes", "ized", "izing", "ism", "ist", "ous", "ful", "ate", "ates", "ated", "ating",
)  # fmt: skip


class Unit(NamedTuple):
    """A word or phrase of a query: its expression, and the stems of its words; `*` ends the beginning of words."""

    expression: str
    stems: tuple[str, ...]

    @property
    def is_stop(self) -> bool:
        """Whether it consists of stop words."""
        return STOP_TERMS.issuperset(self.stems)


def any_of(found: Sequence[str]) -> str:
    """Join expressions so that one must match."""
    return found[0] if len(found) == 1 else f"({' OR '.join(found)})"


def all_of(found: Sequence[str]) -> str:
    """Join expressions so that all must match; empty if there is none."""
    return f"({' AND '.join(found)})" if len(found) > 1 else "".join(found)


def units(text: str, *, is_prefix: bool, is_phrase: bool) -> list[Unit]:
    """Return the units of a text: a phrase is one, and so is a short run of a script without spaces."""
    found = tokens(text)
    if found and is_unspaced(found[-1]) and len(found[-1]) == 1:  # the last character of a run is left out
        is_prefix = len(found) == 1 or not (is_unspaced(found[-2]) and found[-2].endswith(found[-1]))
        found = found if is_prefix else found[:-1]
    parts: list[list[str]] = [found] if is_phrase and found else []
    if not parts:
        for is_run, group in groupby(found, is_unspaced):
            words = list(group)
            parts += [words] if is_run and len(words) <= MAX_PAIRS else [[word] for word in words]
    units = [Unit(f'"{" ".join(words)}"', tuple(map(stemmed, words))) for words in parts]
    if units and is_prefix:  # a prefix also matches the stems of words that it may be the beginning of
        *before, last = parts[-1]
        whole = [f'"{" ".join([*before, word])}"' for word in completions(last)]
        units[-1] = Unit(any_of([f"{units[-1].expression} *", *whole]), (*units[-1].stems[:-1], f"{last}*"))
    return units


def completions(prefix: str) -> list[str]:
    """Return possible words whose ending the prefix breaks off, and whose stem does not begin with it.

    "connectio" is the beginning of "connection", which the index has as "connect".
    """
    cut = ((ending[:at], ending[at:]) for ending in WORD_ENDINGS for at in range(1, len(ending)))
    words = (prefix + rest for begun, rest in cut if prefix.endswith(begun))
    found = {stemmed(word): word for word in words}
    return [word for stem, word in sorted(found.items()) if not stem.startswith(stemmed(prefix))]


def filters(given: LibraryFilters) -> list[str]:
    """Return the expressions of filters: all authors and tags, one of the venues, and the years."""
    found = [filter_by("authors", name) or NOTHING for name in given.authors]
    found += [filter_by("tags", name) or NOTHING for name in given.tags]
    if given.venues:
        found.append(any_of([filter_by("venue", name) or NOTHING for name in given.venues]))
    if given.year_from is not None or given.year_to is not None:
        found.append(years(given.year_from, given.year_to))
    return found


def filter_by(name: str, value: str) -> str | None:
    """Return the expression of one filter, None if the value says nothing."""
    if name == "year":
        match = _YEARS.fullmatch(value)
        low, last = (match["from"], match["last"] if match["to"] else match["from"]) if match else (None, None)
        return years(int(low) if low else None, int(last) if last else None) if low or last else None
    words = name_words(value)
    if not words:
        return None
    if name != "authors":
        named = venue_names(value) if name == "venue" else (value,)
        return any_of([f'{name} : "{" ".join(name_words(each))}"' for each in named])
    parts = [f'"{word[:-1]}" *' if len(word) == len("g0") else f'"{word}"' for word in words]
    return f"authors : NEAR({' '.join(parts)}, {NAME_WORDS_BETWEEN})" if len(parts) > 1 else f"authors : {parts[0]}"


NOTHING = 'year : "none"'
"""Matches no paper."""


def years(first: int | None, last: int | None) -> str:
    """Return the expression of a range of years, both inclusive; whole decades and centuries are one prefix each."""
    low = max(MIN_YEAR, first if first is not None else MIN_YEAR)
    high = min(MAX_YEAR, last if last is not None else MAX_YEAR)
    found = []
    while low <= high:
        size = next(size for size in (1000, 100, 10, 1) if low % size == 0 and low + size - 1 <= high)
        word = year_word(low)
        found.append(f'"{word}"' if size == 1 else f'"{word[: 1 - len(str(size))]}" *')
        low += size
    return f"year : {any_of(found)}" if found else NOTHING
