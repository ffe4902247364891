"""The words of other languages (tongues.toml)."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Self

LATIN = ("es", "fr", "de", "pt", "it", "nl", "pl")
"""The languages in Latin script."""
ELISION = re.compile(r"(?<!\w)(?:l|d|qu|j|n|s|c|m|t|un|dell|nell|all|sull|dall)['\u2019](?=\w)", re.IGNORECASE)
"""French and Italian articles before a vowel."""
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u3400-\u9fff]")),
    ("uk", re.compile(r"[\u0456\u0457\u0454\u0491]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
)


@dataclass(frozen=True)
class Tongue:
    """The words of one language, in lower case and without accents, and their English."""

    function: frozenset[str]
    exact: dict[str, str]
    """English by the word or the words joined by a hyphen, without accents."""
    stems: dict[str, str]
    """English by the beginning of a word."""
    inflected_phrases: tuple[tuple[re.Pattern[str], str], ...]

    @classmethod
    def of(cls, function: frozenset[str], glossary: Mapping[str, str]) -> Self:
        """Make it from words that only ask, and English by word; a `*` stands for any ending."""
        return cls(
            function=function,
            exact={word: english for word, english in glossary.items() if "*" not in word},
            stems={word[:-1]: english for word, english in glossary.items() if word.endswith("*") and "-" not in word},
            inflected_phrases=tuple(
                (re.compile(re.escape(word).replace(r"\*", r"\w*")), english)
                for word, english in glossary.items()
                if "*" in word and "-" in word
            ),
        )


def script_of(text: str) -> str | None:
    """Return the code of the language that the script of a text tells, None for Latin script."""
    return next((code for code, script in _SCRIPTS if script.search(text)), None)


def tongue_name(code: str) -> str:
    """Return the English name of a language."""
    return _names()[code]


def english_of(word: str, tongue: Tongue) -> str | None:
    """Return the English of a word or of words joined by hyphens: "" if it only asks, None if it is unknown."""
    if word in tongue.exact:
        return tongue.exact[word]
    if "-" in word:
        return next((english for pattern, english in tongue.inflected_phrases if pattern.fullmatch(word)), None)
    stem = next((word[:end] for end in range(len(word), 1, -1) if word[:end] in tongue.stems), None)
    return None if stem is None else tongue.stems[stem]


def folded(text: str) -> str:
    """Lower the case and leave out the accents of Latin letters."""
    lower = unicodedata.normalize("NFC", text.lower())
    if not any("\u00c0" <= letter <= "\u017f" for letter in lower):
        return lower
    plain = unicodedata.normalize("NFD", lower.replace("\u0142", "l").replace("\u00df", "ss"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


@cache
def _tables() -> dict[str, dict[str, str]]:
    tables: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("tongues.toml").read_text("utf-8"))
    return tables


@cache
def _names() -> dict[str, str]:
    return _tables()["languages"]


@cache
def tongues() -> dict[str, Tongue]:
    """Return the words of each language by its code; reads the file once a process."""
    tables = _tables()
    words: dict[str, dict[str, str]] = {
        code: {folded(word): "" for word in listed.split() if "*" in word}
        for code, listed in tables["function"].items()
    }
    columns = tables["glossary"]["columns"]
    for row in tables["glossary"]["rows"]:
        english, *cells = (cell.strip() for cell in row.split("|"))
        for code, cell in zip(columns, cells, strict=True):
            for word in cell.split():
                words[code].setdefault(folded(word), english)
    return {
        code: Tongue.of(
            frozenset(folded(word) for word in tables["function"][code].split() if "*" not in word), glossary
        )
        for code, glossary in words.items()
    }
