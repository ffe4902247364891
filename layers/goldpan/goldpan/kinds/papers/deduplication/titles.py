"""Titles in a form to compare: their words and their numbers."""

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from goldpan.kinds.papers.letters import WORDS, fold
from goldpan.text import words

SMALL_WORDS, GENERIC_WORDS = WORDS["small"], WORDS["generic"]
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBER_WORDS = {word: str(number) for names in (_ORDINALS, _CARDINALS) for number, word in enumerate(names, start=1)}
_TAG = re.compile(r"</?[a-z][^<>]{0,60}>", re.IGNORECASE)
_LATEX = re.compile(r"\\(?:[a-zA-Z]+|.)|[{}$^~]")
_PUBLICATION_TYPE = re.compile(r"\[\s?[A-Z](?:\s?/\s?OL)?\s?\]", re.IGNORECASE)
"""The type of a publication behind its title, [J] or [C], by GB/T 7714."""
_RETRACTED = re.compile(
    r"^\s*[\[(]?(?:(?:RETRACTED|WITHDRAWN)(?:\s+(?:ARTICLE|PAPER|CHAPTER))?|(?i:retracted\s+article))[\])]?\s*:?\s+"
)
"""The label that publishers put before the title of a paper that was retracted; notices have "Retraction of"."""
_GREEK = {
    letter: unicodedata.name(letter).rpartition(" ")[2].lower().replace("lamda", "lambda")
    for letter in "αβγδεζηθικλμνξοπρστυφχψω"
}
_GREEK_LETTER = re.compile(rf"(?<![\u0370-\u03ff])[{''.join(_GREEK)}{''.join(_GREEK).upper()}](?![\u0370-\u03ff])")
"""One that is no part of a Greek word, and is often written by its name instead."""
_GREEK_COMMAND = re.compile(rf"\\(?:var)?({'|'.join(_GREEK.values())})(?![a-zA-Z])", re.IGNORECASE)
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]{2,}")
_BREAK = re.compile(r"[:;.?!](?=\s)|\s[-\u2013\u2014]\s|[(\[/]")
"""Punctuation between a title and what stands around it."""
_ELLIPSIS = re.compile(r"(?:\.\.\.|\u2026)\W*$")
_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"x{0,3}(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10}
STEM = 5
"""Letters of the beginning of a word."""


@dataclass(frozen=True, slots=True)
class Title:
    """A title in a form to compare."""

    compact: str
    """Its letters and digits without spaces; empty if it has none."""
    words: tuple[str, ...]
    content: frozenset[str]
    """Its words without small words."""
    stems: frozenset[str]
    """The beginnings of its content words, which inflections and spellings of a word mostly share."""
    marks: tuple[str, ...]
    """Digits, ordinals and roman numerals as numbers; words of one letter, C++ and its like; sorted."""
    is_generic: bool
    """Whether many papers have it, such as "Editorial"."""
    breaks: frozenset[int]
    """The positions of the words that punctuation sets apart from those before."""
    is_cut: bool
    """Whether its end is missing, by an ellipsis."""


def read_title(text: str) -> Title:
    """Split a title into what is compared; markup does not count."""
    plain = _plain(text)
    parts = [words(part) for part in _BREAK.split(fold(plain))]
    found = tuple(word for part in parts for word in part)
    content: set[str] = set()
    for word in found:
        if UNSPACED.fullmatch(word):  # each two neighbouring signs
            content.update(word[i : i + 2] for i in range(len(word) - 1))
        elif word not in SMALL_WORDS:
            content.add(word)
    return Title(
        compact="".join(found),
        words=found,
        content=frozenset(content),
        stems=frozenset(word[:STEM] for word in content),
        marks=read_marks(found),
        is_generic=content <= GENERIC_WORDS,
        breaks=frozenset(accumulate(map(len, parts))),
        is_cut=bool(_ELLIPSIS.search(plain)),
    )


def _plain(text: str) -> str:
    """Return a title without markup, and its Greek letters by their names."""
    plain = _RETRACTED.sub("", _TAG.sub("", html.unescape(text)))
    plain = _GREEK_COMMAND.sub(r" \1 ", _PUBLICATION_TYPE.sub(" ", plain))
    if not plain.isascii():
        plain = _GREEK_LETTER.sub(lambda match: f" {_GREEK[match[0].lower()]} ", unicodedata.normalize("NFKC", plain))
    return _LATEX.sub("", plain) if "\\" in plain or "{" in plain or "$" in plain else plain


def read_marks(found: Sequence[str]) -> tuple[str, ...]:
    """Return the numbers and the single letters of words, sorted."""
    return tuple(sorted(mark for place in range(len(found)) for mark in marks_at(found, place)))


def marks_at(found: Sequence[str], place: int) -> list[str]:
    """Return the numbers or the single letter that the word at a place of a title is."""
    word, is_last = found[place], place == len(found) - 1
    if not word.isalpha():
        digits = _DIGITS.findall(word)
        return [str(int(number)) for number in digits] if digits else [word]  # C++ and words with vowel signs
    if word in NUMBER_WORDS:
        return [NUMBER_WORDS[word]]
    if _ROMAN.fullmatch(word) and (len(word) > 1 or (place > 0 and (is_last or found[place - 1] in WORDS["numbered"]))):
        values = [_ROMAN_VALUES[letter] for letter in word]
        return [str(sum(-each if each < max(values[at:]) else each for at, each in enumerate(values)))]
    return [word] if len(word) == 1 and word != "s" and (word != "a" or is_last) else []
