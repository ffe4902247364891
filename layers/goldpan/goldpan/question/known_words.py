"""The words that repositories use, by which the spelling of a question is corrected (known_words.txt).

The file has a word and the number of repositories that use it in a line, made by scripts/known_words/make.py from the
owners' descriptions, names and topics of 54,368 public repositories (August 2026). A mere name, and a
word of plain English that no repository uses, has the count 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

FILE = Path(__file__).with_name("known_words.txt")


@cache
def known_words() -> Mapping[str, int]:
    """Return the words and their counts; the first call reads the file, which takes some milliseconds."""
    text = FILE.read_text("utf-8").split()
    return MappingProxyType(dict(zip(text[::2], map(int, text[1::2]), strict=True)))
