"""Text without what two writers of the same word write differently, and the tables of words (words.toml)."""

import re
import tomllib
import unicodedata
from pathlib import Path

_ACCENTS = re.compile("[\u0300-\u036f]+")
_TYPED = {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "\u0131": "i", "ħ": "h"}
LETTERS = str.maketrans({"ß": "ss", **_TYPED, **{letter.upper(): text.title() for letter, text in _TYPED.items()}})
"""Letters that Unicode does not decompose, as people type them on another keyboard."""
WORDS = {
    name: frozenset(text.split())
    for name, text in tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8")).items()
}
"""The words of each table."""


def fold(text: str) -> str:
    """Return text in lower case and without accents."""
    if text.isascii():
        return text.lower()
    spread = unicodedata.normalize("NFKD", text.casefold()).translate(LETTERS)
    return unicodedata.normalize("NFC", _ACCENTS.sub("", spread))
