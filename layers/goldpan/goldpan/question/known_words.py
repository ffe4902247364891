"""The words that repositories use, by which the spelling of a question is corrected.

`known_words.txt` of goldpan-data has a word and the number of repositories that use it in a line. A mere name, and a
word of plain English that no repository uses, has the count 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from goldpan_data import read_text


@cache
def known_words() -> Mapping[str, int]:
    """Return the words and their counts, none without goldpan-data; the first call reads the file."""
    found = read_text("known_words.txt").split()
    return MappingProxyType(dict(zip(found[::2], map(int, found[1::2]), strict=True)))
