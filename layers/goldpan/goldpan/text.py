"""How text becomes words to search with and terms to match by, in any script.

`words` are what a person would type; `terms` are what is compared: stemmed (Porter, 1980), and in scripts
written without spaces cut into overlapping pairs of characters.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import cache, lru_cache
from typing import Any

Phrase = tuple[str, ...]
USUAL_CHARS = 10
"""More than a word of English prose has, with its space."""

_MARKS = (
    r"\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
    r"\u0e31-\u0e4e\u0eb1-\u0ece\u0f18-\u0fbc\u102b-\u109d\u17b4-\u17d3"
)
"""Vowel signs and accents that stand on letters: parts of a word, though no letters themselves."""
_WORD = re.compile(rf"(?i:\b[cg]\+\+|\b[cfjq]#|(?:\basp|(?<!\w))\.net\b)|[^\W_](?:[^\W_]|[{_MARKS}])*")
"""Letter case is left aside only where it matters: over all of these ranges it would take 10 ms to compile."""
_ASCII_WORD = re.compile(r"\b[cg]\+\+|\b[cfjq]#|(?:\basp|(?<!\w))\.net\b|[a-z0-9]+")
_PLAIN_WORD = re.compile(r"[a-z0-9]+")
"""Of lower-case text: most of it needs no more, and the full pattern takes five times as long."""
_ODD = re.compile(r"[+#'\u2019]|\.(?:js|net)", re.IGNORECASE)
"""What words of their own begin with, or are left out by: C++, C#, .NET, Vue.js, React's."""
_SCRIPT_SUFFIX = re.compile(r"(?<=\w)\.js\b", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?<=\w)['\u2019]s\b", re.IGNORECASE)
_NODE = re.compile(r"\bnode\.js\b", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+")

# fmt: off
STOP_WORDS = frozenset((
    "a", "am", "an", "and", "any", "are", "as", "at", "be", "best", "between", "can", "could", "do", "does",
    "easily", "find", "for", "from", "get", "give", "good", "great", "has", "have", "help", "helps", "how",
    "i", "in", "into", "is", "it", "its", "just", "like", "looking", "make", "me", "my", "need", "of", "on",
    "one", "or", "our", "please", "recommend", "show", "similar", "so", "some", "something",
    "suggest", "that", "the", "their", "them", "there", "these", "they", "this", "to", "use", "used", "uses",
    "using", "via", "want", "we", "what", "when", "where", "which", "who", "will", "with", "would", "you",
    "your",
))
# fmt: on


def words(text: str | None) -> list[str]:
    """Cut a text into lower-case words; C++, C#, F# and .NET stay whole, `Vue.js` is `vue`."""
    if not text:
        return []
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    odd = _ODD.search(text) is not None
    if odd:
        text = _POSSESSIVE.sub("", _SCRIPT_SUFFIX.sub("", _NODE.sub("nodejs", text)))
    if text.isascii():
        return (_ASCII_WORD if odd else _PLAIN_WORD).findall(text.lower())
    return [word.lower() for word in _WORD.findall(_UNSPACED.sub(r" \g<0> ", text))]


def whole(value: object) -> object:
    """Put a mark in the place of every half of a character: JSON can spell one, and nothing can write it again."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [whole(item) for item in value]
    if isinstance(value, dict):
        return {str(whole(key)): whole(item) for key, item in value.items()}
    return value


def terms(text: str | None) -> list[str]:
    """Cut a text into terms to compare."""
    return [term for word in words(text) for term in _terms_of(word)]


def first_terms(text: str, most: int) -> list[str]:
    """Cut the first terms out of a text; where its beginning holds as many, no more is read: words end at spaces."""
    beginning = text[: text.rfind(" ", 0, most * USUAL_CHARS) + 1]
    found = terms(beginning)
    return (found if len(found) >= most else terms(text))[:most]


def name_terms(name: str) -> list[str]:
    """Cut a repository's name into terms: the whole of each word, and its camel-case parts."""
    whole = terms(name)
    parts = terms(_CAMEL.sub(" ", name))
    return whole if parts == whole else [*whole, *parts]


def phrase(text: str) -> Phrase:
    """Make the terms of a word or phrase comparable as one."""
    return tuple(terms(text))


@lru_cache(maxsize=65536)
def _terms_of(word: str) -> tuple[str, ...]:
    if _UNSPACED.fullmatch(word):
        return tuple(word[i : i + 2] for i in range(max(1, len(word) - 1)))
    with _TURN:
        return (_porter().stemWord(word) or word,)


@cache
def _porter() -> Any:
    from snowballstemmer import stemmer  # noqa: PLC0415 - loads the stemmers of all languages

    return stemmer("porter")


_TURN = threading.Lock()
"""The stemmer works on its own fields: two threads at once would spoil each other's words."""
