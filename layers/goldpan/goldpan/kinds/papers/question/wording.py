"""The words of a question for papers that are no subject: function words, requests, vague words (wording.toml)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from goldpan.kinds.papers.question.parts import QUOTE
from goldpan.kinds.papers.question.vocabulary import vocabulary
from goldpan.question.known_words import known_words
from goldpan.question.spelling import KnownWords, american, consonants, corrections, distance
from goldpan.text import MARKS

TOKEN = re.compile(rf"{QUOTE}+|[^\W_](?:[\w.+#'{MARKS}-]*[\w+#{MARKS}])?")
"""A word, with the hyphens, dots, apostrophes and vowel signs inside it, or a quoted text."""
NAME_PART = rf"(?:[^\W\d_a-z{QUOTE}](?:[^\W\d]|['-])*\.?|[A-Z]\.(?:-?[A-Z]\.)*)"
"""A word with a capital, or initials."""
MIN_VOWEL, MIN_LONG = 6, 8
"""Letters of a word in which a wrong vowel, or a letter too many or too few, is surely a mistake."""
MAYBE_MISSPELLED = re.compile(r"(?<![\w.@#/+'-])[A-Za-z]{5,24}(?![\w@#/+']|[.-]\w)")


@dataclass(frozen=True)
class Wording:
    """The tables of wording.toml."""

    function: frozenset[str]
    request: frozenset[str]
    vague: frozenset[str]
    no_author: frozenset[str]
    event: frozenset[str]
    after_event: frozenset[str]
    request_phrases: re.Pattern[str]

    def is_subject(self, word: str) -> bool:
        """Report whether a lower-case word says something of the subject."""
        return word not in self.function and word not in self.request


@cache
def wording() -> Wording:
    """Return the tables; reads the file once a process."""
    tables = tomllib.loads(Path(__file__).with_name("wording.toml").read_text("utf-8"))
    sets = {
        name: frozenset(tables[name].split())
        for name in ("function", "request", "vague", "no_author", "event", "after_event")
    }
    return Wording(**sets, request_phrases=any_of(tables["request_phrases"].split(",")))


def any_of(texts: list[str]) -> re.Pattern[str]:
    """Compile a pattern that matches any of the texts as whole words, the longest first, without regard to case."""
    listed = sorted((" ".join(text.split()) for text in texts if text.strip()), key=len, reverse=True)
    either = "|".join(re.escape(text).replace(r"\ ", r"\s+") for text in listed)
    return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.IGNORECASE)


@cache
def paper_words() -> KnownWords:
    """Return the words of these tables, to which a typo is corrected, beside plain English ones, which are none."""
    tables, plain = wording(), known_words().keys()
    asking = tables.function | tables.request
    listed = [word for word in vocabulary().words | tables.vague if word.isalpha()]
    plurals = (f"{word}s" for word in listed if len(word) >= MIN_VOWEL and word[-1] not in "sxyz")
    own = frozenset((*listed, *plurals))
    return KnownWords({}, asking.union(plain, (f"{word}s" for word in plain)), built_in=own, targets=own)


def british_spellings(text: str) -> dict[str, str]:
    """Return the American form of each word whose British spelling the text has; both are to be searched for."""
    typed = (match[0] for match in MAYBE_MISSPELLED.finditer(text))
    forms = ((word, american(word)) for word in typed)
    return {word: form for word, form in forms if form != word.lower() and form in paper_words()}


def misspellings(text: str) -> dict[str, str]:
    """Return the corrected form of each word that is surely misspelled: science has many words that no table knows.

    Sure are exchanged letters, a wrong vowel or double letter, and in a long word a letter too many or too few; never a
    difference at the end, since that is rather another form.
    """
    found = corrections(text, paper_words(), MAYBE_MISSPELLED)
    return {typed: word for typed, word in found.items() if _is_typo(typed.lower(), word)}


def _is_typo(typed: str, word: str) -> bool:
    if typed[-1] != word[-1] or distance(typed, word, 1) > 1:
        return False
    if sorted(typed) == sorted(word):
        return True
    long, vowel = len(typed) >= MIN_LONG and len(typed) != len(word), consonants(typed) == consonants(word)
    return typed[0] == word[0] and (long or (vowel and len(typed) >= MIN_VOWEL))
