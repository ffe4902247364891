"""Titles in a form to compare: their words and their numbers."""

import html
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, chain

from goldpan.kinds.papers.letters import WORDS, fold
from goldpan.text import word_terms, words

SMALL_WORDS, GENERIC_WORDS = WORDS["small"], WORDS["generic"]
_MARKUP = re.compile(r"</?[a-z][^<>]{0,60}>|\\(?:(?:text|math)[a-z]*|emph|[^a-z])?|[{}$^~]", re.IGNORECASE)
"""Of HTML and LaTeX, of which the names of signs stay, such as alpha."""
_GREEK = re.compile("(?<![\u0370-\u03ff])[\u03b1-\u03c9](?![\u0370-\u03ff])")
"""A letter alone is a sign, whose name LaTeX writes; others are of Greek words."""
_BREAK = re.compile(r"[:;.?!](?=\s)|\s[-\u2013\u2014]\s|[(\[/]")
"""Punctuation between a title and what stands around it."""


@dataclass(frozen=True, slots=True)
class Title:
    """A title in a form to compare."""

    compact: str
    """Its letters and digits without spaces; empty if it has none."""
    words: tuple[str, ...]
    """Without small words; of scripts without spaces, each two neighbouring signs."""
    breaks: frozenset[int]
    """The positions of the words that punctuation sets apart from those before."""

    @property
    def is_generic(self) -> bool:
        """Whether many papers have it, such as "Editorial"."""
        return GENERIC_WORDS.issuperset(self.words)

    @property
    def distinctive(self) -> int:
        """The number of its words that are not generic."""
        return len(set(self.words) - GENERIC_WORDS)


def read_title(text: str) -> Title:
    """Split a title into what is compared; markup does not count."""
    plain = _MARKUP.sub("", unicodedata.normalize("NFKC", html.unescape(text)))
    parts = [words(part) for part in _BREAK.split(_GREEK.sub(_name_of_sign, fold(plain)))]
    counted = [[term for word in part if word not in SMALL_WORDS for term in _terms(word)] for part in parts]
    return Title(
        compact="".join(chain.from_iterable(parts)),
        words=tuple(chain.from_iterable(counted)),
        breaks=frozenset(accumulate(map(len, counted))),
    )


def _name_of_sign(match: re.Match[str]) -> str:
    name = unicodedata.name(match[0]).split()[-1].lower()
    return "lambda" if name == "lamda" else name


def _terms(word: str) -> Iterable[str]:
    pairs = word_terms(word)
    return pairs if len(pairs) > 1 else (word,)


def find_numbers(found: Iterable[str]) -> frozenset[str]:
    """Return the words that tell papers of a series apart: numbers, also in letters, single letters, and C++."""
    return frozenset(word for word in found if len(word) == 1 or not word.isalpha() or word in WORDS["numbers"])
