"""The words that questions for repositories know: of repositories' own texts, and of the tables beside this file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from goldpan.kinds.repositories.question.products import product_words
from goldpan.kinds.repositories.question.reading.wording import built_in, wording
from goldpan.question.known_words import known_words
from goldpan.question.spelling import TWO_EDITS_FROM, KnownWords


@cache
def repository_words() -> KnownWords:
    """Return the words of all repositories; the first call reads the file, which takes some milliseconds."""
    counts = known_words()
    return words_of(counts, frozenset(word for word, count in counts.items() if not count))


def words_of(frequencies: Mapping[str, int], names: frozenset[str] = frozenset()) -> KnownWords:
    """Add the words of the vocabulary and the wording; nearly every short word is near to a short word of a request."""
    asking = wording().request
    targets = frozenset(word for word in built_in() if word not in asking or len(word) >= TWO_EDITS_FROM)
    return KnownWords(frequencies, names, built_in=built_in(), targets=targets | product_words())
