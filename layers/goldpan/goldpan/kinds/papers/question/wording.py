"""The words of a question for papers that are no subject: function words, requests, vague words (wording.toml)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from goldpan.kinds.papers.vocabulary import vocabulary
from goldpan.question.grammar import any_of, pattern, patterns
from goldpan.question.known_words import known_words
from goldpan.question.spelling import KnownWords, consonants, edits_between

CUES = Path(__file__).with_name("cues.toml")
MIN_VOWEL, MIN_LONG = 6, 8
"""Letters of a word in which a wrong vowel, or a letter too many or too few, is surely a mistake."""


def cue(section: str, name: str, things: str = "") -> re.Pattern[str]:
    """Return a pattern of cues.toml."""
    return pattern(section, name, things, CUES)


def cues(section: str) -> dict[str, re.Pattern[str]]:
    """Return all patterns of a section of cues.toml, in order."""
    return patterns(section, CUES)


@dataclass(frozen=True)
class Wording:
    """The tables of wording.toml."""

    function: frozenset[str]
    request: frozenset[str]
    vague: frozenset[str]
    heads: frozenset[str]
    no_author: frozenset[str]
    event: frozenset[str]
    after_event: frozenset[str]
    asking: frozenset[str]
    request_phrases: re.Pattern[str]

    def is_subject(self, word: str) -> bool:
        """Report whether a lower-case word says something of the subject."""
        return word not in self.function and word not in self.request


@cache
def wording() -> Wording:
    """Return the tables; reads the file once a process."""
    tables = tomllib.loads(Path(__file__).with_name("wording.toml").read_text("utf-8"))
    sets = {name: frozenset(text.split()) for name, text in tables["words"].items()}
    asking = frozenset(text.strip() for text in tables["asking"].split(","))
    return Wording(**sets, asking=asking, request_phrases=any_of(tables["request_phrases"].split(",")))


@cache
def paper_words() -> KnownWords:
    """Return the words of these tables, to which a typo is corrected, and plain English ones, to which none is."""
    tables, plain = wording(), known_words().keys()
    asking = tables.function | tables.request
    listed = [word for word in vocabulary().words | tables.vague if word.isalpha()]
    plurals = (f"{word}s" for word in listed if len(word) >= MIN_VOWEL and word[-1] not in "sxyz")
    own = frozenset((*listed, *plurals))
    return KnownWords({}, asking.union(plain, (f"{word}s" for word in plain)), built_in=own, targets=own)


def is_surely_misspelled(typed: str, word: str) -> bool:
    """Report whether a word is surely misspelled: science has many words that no table knows.

    Sure are exchanged letters, a wrong vowel or double letter, and in a long word a letter too many or too few; never a
    difference at the end, since that is rather another form.
    """
    if typed[-1] != word[-1] or edits_between(typed, word, 1) > 1:
        return False
    if sorted(typed) == sorted(word):
        return True
    long, vowel = len(typed) >= MIN_LONG and len(typed) != len(word), consonants(typed) == consonants(word)
    return typed[0] == word[0] and (long or (vowel and len(typed) >= MIN_VOWEL))
