"""Recognize the language of a question, and put English words in the place of those that the table has (tongues.toml).

Technical words and names stay; any other word is unread without a language model.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from goldpan.kinds.repositories.question.reading.names import JOINER
from goldpan.kinds.repositories.question.reading.spelling import KnownWords
from goldpan.kinds.repositories.question.reading.wording import platform_of, wording
from goldpan.kinds.repositories.question.vocabulary import vocabulary
from goldpan.text import phrase

MIN_KNOWN_FREQUENCY = 20
"""A Latin word that the searched texts have so often is technical, whatever the language of the question."""
MAX_PHRASE = 3
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
_UNSPACED = frozenset({"zh", "ja", "ko", "th"})
_LATIN = ("es", "fr", "de", "pt", "it", "nl", "pl")
_RUN = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+|[^\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+"
)
_WORD = re.compile(r"[^\W\d_](?:[\w\u0900-\u097f]|['\u2019.+#-](?=\w)|[+#])*|\S")
_ELISION = re.compile(r"(?<!\w)(?:l|d|qu|j|n|s|c|m|t|un|dell|nell|all|sull|dall)['\u2019](?=\w)", re.IGNORECASE)
MIN_HITS = 2


@dataclass(frozen=True)
class _Tongue:
    function: frozenset[str]
    exact: dict[str, str]
    """English by the word or the words joined by a hyphen, without accents."""
    stems: tuple[tuple[re.Pattern[str], str], ...]


@dataclass(frozen=True)
class Glossed:
    """A question with English words in the place of known foreign ones, what replaced what, and the unread words."""

    text: str
    originals: dict[str, str]
    unread: tuple[str, ...]


def recognize_tongue(text: str) -> str | None:
    """Return the code of the language if it is not English, else None."""
    for code, script in _SCRIPTS:
        if script.search(text):
            return code
    asked = [_folded(word) for word in _WORD.findall(_ELISION.sub(" ", text))]
    tables = _tongues()
    english = sum(word in wording().request for word in asked)
    hits = {
        code: sum(word in tables[code].function for word in asked if word not in wording().request)
        + 0.5 * sum(word in tables[code].function for word in asked if word in wording().request)
        + 0.9 * sum(_is_glossed(word, tables[code]) for word in asked if word not in wording().request)
        for code in _LATIN
    }
    best = max(_LATIN, key=lambda code: hits[code])
    accented = any(ord(letter) > 127 and letter.isalpha() for letter in text)
    return best if hits[best] >= (1 if accented else MIN_HITS) - 0.1 and hits[best] > english else None


def gloss(text: str, code: str, known: KnownWords | None) -> Glossed:
    """Replace the foreign words of a text by English ones, and leave out those that only ask and those not known."""
    tongue = _tongues().get(code, _Tongue(frozenset(), {}, ()))
    originals: dict[str, str] = {}
    unread: list[str] = []
    pieces: list[str] = []
    for run in _RUN.findall(text):
        if _RUN.match(run) and code in _UNSPACED and ord(run[0]) > 0x0DFF:
            pieces.append(_gloss_unspaced(run, tongue, originals, unread))
        else:
            pieces.append(_gloss_words(run, tongue, known, originals, unread))
    return Glossed(" ".join("".join(pieces).split()), originals, tuple(dict.fromkeys(unread)))


def tongue_name(code: str) -> str:
    """Return the English name of a language."""
    return _names()[code]


def _gloss_words(
    text: str, tongue: _Tongue, known: KnownWords | None, originals: dict[str, str], unread: list[str]
) -> str:
    tokens = _WORD.findall(_ELISION.sub(" ", text))
    pieces: list[str] = []
    start = 0
    while start < len(tokens):
        length, english = _translated(tokens, start, tongue)
        typed = " ".join(tokens[start : start + length])
        if english is not None:
            if english and english not in _CONNECTING:
                originals.setdefault(english, typed)
            pieces.append(f" {english} ")
        elif _stays(typed, known):
            glued = bool(pieces) and (not typed[0].isalpha() or pieces[-1][-1:] in "<>=~.,/:\"'" + "0123456789")
            pieces.append(typed if glued and not pieces[-1].endswith(" ") and not typed[0].isalpha() else f" {typed}")
        else:
            unread.append(typed)
            pieces.append(" , ")
        start += length
    return "".join(pieces) + " "


_CONNECTING = frozenset(
    {"for", "in", "with", "without", "since", "alternative to", "similar to", "at least", "more than"}
)


def _translated(tokens: list[str], start: int, tongue: _Tongue) -> tuple[int, str | None]:
    """Return the number of words taken, and their English: "" for one that only asks, None for an unknown one."""
    for length in range(min(MAX_PHRASE, len(tokens) - start), 0, -1):
        joined = "-".join(_folded(token) for token in tokens[start : start + length])
        english = _english(joined, tongue)
        if english is not None:
            return length, english
    return 1, "" if _folded(tokens[start]) in tongue.function else None


def _english(word: str, tongue: _Tongue) -> str | None:
    if word in tongue.exact:
        return tongue.exact[word]
    return next((english for pattern, english in tongue.stems if pattern.fullmatch(word)), None)


def _is_glossed(word: str, tongue: _Tongue) -> bool:
    return (
        _english(word, tongue) is not None and platform_of(word) is None and phrase(word) not in vocabulary().synonyms
    )


def _stays(token: str, known: KnownWords | None) -> bool:
    """Report whether a word is a name or technical: it has a capital or a digit inside, or the tables know it."""
    if not token[0].isalpha() or any(letter.isupper() or letter.isdigit() for letter in token[1:]) or JOINER in token:
        return True
    lower = token.lower()
    if platform_of(lower) or phrase(lower) in vocabulary().synonyms or phrase(lower) in vocabulary().generic:
        return True
    if not token.isascii():
        return False
    if "-" in token or "." in token or (known is not None and known.frequency(lower) >= MIN_KNOWN_FREQUENCY):
        return True
    return known is None and token[0].isupper()


def _gloss_unspaced(run: str, tongue: _Tongue, originals: dict[str, str], unread: list[str]) -> str:
    """Take the longest known word at each place; the characters between them are unread."""
    pieces: list[str] = []
    rest = ""
    start = 0
    while start < len(run):
        length = next(
            (n for n in range(min(12, len(run) - start), 0, -1) if _folded(run[start : start + n]) in tongue.exact), 0
        )
        if length:
            english = tongue.exact[_folded(run[start : start + length])]
            originals.setdefault(english, run[start : start + length])
            rest = _set_aside(rest, unread)
            pieces.append(f" {english} ")
        else:
            function = next(
                (n for n in range(min(8, len(run) - start), 0, -1) if run[start : start + n] in tongue.function), 0
            )
            if function:
                rest = _set_aside(rest, unread)
            else:
                rest += run[start]
            length = function or 1
        start += length
    _set_aside(rest, unread)
    return "".join(pieces) or " "


def _set_aside(rest: str, unread: list[str]) -> str:
    if rest.strip():
        unread.append(rest.strip())
    return ""


def _folded(text: str) -> str:
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
def _tongues() -> dict[str, _Tongue]:
    tables = _tables()
    words: dict[str, dict[str, str]] = {code: {} for code in tables["function"]}
    columns = tables["glossary"]["columns"]
    for row in tables["glossary"]["rows"]:
        english, *cells = (cell.strip() for cell in row.split("|"))
        for code, cell in zip(columns, cells, strict=True):
            for word in cell.split():
                words[code].setdefault(_folded(word), english)
    return {
        code: _Tongue(
            function=frozenset(_folded(word) for word in tables["function"][code].split()),
            exact={word: english for word, english in glossary.items() if "*" not in word},
            stems=tuple(
                (re.compile(re.escape(word).replace(r"\*", r"\w*")), english)
                for word, english in sorted(glossary.items(), key=lambda item: -len(item[0]))
                if "*" in word
            ),
        )
        for code, glossary in words.items()
    }
