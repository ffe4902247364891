"""A question in another language, word by word in English.

Technical words and names stay as typed; any other word that no table has is unread without a language model.
"""

from __future__ import annotations

import re
from operator import methodcaller
from typing import NamedTuple

from goldpan.question.known_words import known_words
from goldpan.question.languages import (
    ELISION,
    LATIN,
    WORD,
    Language,
    detect_language,
    folded,
    languages,
)
from goldpan.question.lexicon import Lexicon
from goldpan.question.question_text import JOINER, QUOTE, QuestionText, of_pieces
from goldpan.question.spans import BREAK

_LETTERS = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f"
_RUN = re.compile(f"[{_LETTERS}]+|[^{_LETTERS}]+")
_UNSPACED = re.compile(f"[{_LETTERS}]")
_HYPHEN = re.compile(r"(?<=[A-Za-z])-(?=[\u0400-\u04ff])|(?<=[\u0400-\u04ff])-(?=[A-Za-z])")
_TEN_THOUSANDS = re.compile(r"(\d+(?:\.\d+)?)\s*[\u4e07\u842c\ub9cc]")
_YEARS = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:\s*(?:a|\u00e0|al|bis|at\u00e9|tot|do|\u043f\u043e|\u0434\u043e)\s+"
    r"|\s*[\u5e74\ub144]?\s*(?:\u5230|\u81f3|\u304b\u3089|\ubd80\ud130)\s*)"
    r"((?:19|20)\d\d)(?!\d)(?:\s*(?:\u5e74(?:\u307e\u3067)?|\ub144(?:\uae4c\uc9c0)?))?",
    re.IGNORECASE,
)
"""From one year to another."""
INFLECTED = ("pl", "ru", "uk")
"""Languages that inflect names, also in lower case."""
_AFTER_NAME = ("excluded", "no thanks")
"""What stands after a name, whatever the word before it."""
MAX_PHRASE, MAX_UNSPACED, MAX_WORD, MIN_STEM, MAX_ENDING = 4, 14, 60, 4, 3
TEN_THOUSAND = 10_000


class WordTranslation(NamedTuple):
    """A question word by word in English, the words that were not read, and those of the subject as typed."""

    language: str
    source: QuestionText
    unread: tuple[str, ...]
    typed: dict[str, str]
    """The words in their order, each with its English; itself, if that is not known."""


def read_foreign(question: QuestionText, known: Lexicon, kind: str = "") -> WordTranslation | None:
    """Translate a text that is not English; None if it is. Han characters may be Chinese or Japanese."""
    text = question.text
    code = detect_language(text, known, kind)
    if code is None:
        return None
    text = _YEARS.sub(r"\1-\2", _TEN_THOUSANDS.sub(lambda match: str(int(float(match[1]) * TEN_THOUSAND)), text))
    quoted = [one.typed for one in question.replaced if question.text[one.start] == QUOTE]
    read = [
        _translate(text, languages(kind)[one], known, quoted) for one in (("zh", "ja") if code == "zh" else (code,))
    ]
    return min(read, key=lambda one: sum(map(len, one.unread)))


def _translate(text: str, language: Language, known: Lexicon, quoted: list[str]) -> WordTranslation:
    translator = _Translator(language, known)
    for run in _RUN.findall(_HYPHEN.sub(" ", ELISION.sub(" ", text))):
        (translator.unspaced if _UNSPACED.match(run) else translator.spaced)(run)
    typed = iter(quoted)
    source = of_pieces(
        [(word, next(typed, word) if word.strip()[:1] == QUOTE else one) for word, one in translator.pieces]
    )
    for pattern, english in language.order:
        source = source.substitute(pattern, methodcaller("expand", english))
    words = {typed[:MAX_WORD]: english or typed for typed, english in translator.read}
    unread = dict.fromkeys(typed[:MAX_WORD] for typed, english in translator.read if english is None)
    return WordTranslation(language.name, source, tuple(unread), words)


class _Translator:
    """Translates the runs of a text, and collects the pieces, each with what was typed."""

    def __init__(self, language: Language, known: Lexicon) -> None:
        self._language, self._known = language, known
        self.pieces: list[tuple[str, str]] = []
        self.read: list[tuple[str, str | None]] = []

    def spaced(self, run: str) -> None:
        """Translate words with spaces between them; the parts of a compound are read one by one."""
        tokens = WORD.findall(run)
        start = 0
        while start < len(tokens):
            length, english = self._english_at(tokens, start)
            parts = tokens[start].split("-")
            if english is None and len(parts) > 1 and any(self._language.english(folded(part)) for part in parts):
                tokens[start : start + 1] = parts
                continue
            following = self._english_at(tokens, start + length)[1] if start + length < len(tokens) else None
            self._add(" ".join(tokens[start : start + length]), english, is_name=following in _AFTER_NAME)
            start += length
        self.pieces.append((" ", " "))

    def unspaced(self, run: str) -> None:
        """Take the longest known word at each place; the characters between them are unread."""
        rest, start = "", 0
        english: str | None
        while start < len(run):
            lengths = range(min(MAX_UNSPACED, len(run) - start), 0, -1)
            if f"={run}" in self._language.exact:  # a word that is one of its own only
                self._add(run, self._language.exact[f"={run}"])
                return
            length = next((n for n in lengths if folded(run[start : start + n]) in self._language.exact), 0)
            asks = next((n for n in lengths if run[start : start + n] in self._language.function), 0)
            if asks > length or (not length and asks):
                length, english = asks, ""
            else:
                english = self._language.exact[folded(run[start : start + length])] if length else None
            if english is None:
                rest, start = rest + run[start], start + 1
                continue
            self._unread(rest)
            self._add(run[start : start + length], english)
            rest, start = "", start + length
        self._unread(rest)

    def _english_at(self, tokens: list[str], start: int) -> tuple[int, str | None]:
        """Return the number of words taken, and their English: "" for one that only asks, None for an unknown one."""
        if tokens[start].isupper() and len(tokens[start]) > 1 and tokens[start].isascii():
            return 1, None  # "MIT", unlike German "mit"
        for length in range(min(MAX_PHRASE, len(tokens) - start), 0, -1):
            joined = "-".join(folded(token).rstrip("'") for token in tokens[start : start + length])
            if (english := self._language.english(joined)) is not None:
                return length, english
        return 1, "" if folded(tokens[start]).rstrip("'") in self._language.function else None

    def _add(self, typed: str, english: str | None, *, is_name: bool = False) -> None:
        before = self.pieces[-1][0][-1:] if self.pieces else " "
        if english is not None:
            self.pieces.append((f" {english} ", typed))
            if english:
                self.read.append((typed, english))
        elif not typed[0].isalnum() and typed[0] != QUOTE:
            self.pieces.append((typed, typed) if typed not in ",;" else (f" {typed} ", typed))
        elif platform := self._inflected(typed):
            self.pieces.append((f" {platform} ", typed))
        elif typed[0].isdigit() or is_name or self._stays(typed):
            self.pieces.append((typed if before in "<>=~.:'(@" else f" {typed}", typed))
            if not typed[0].isdigit() and self._known.is_content(typed.lower()):
                self.read.append((typed, typed))
        else:
            self._unread(typed.rstrip("'"))

    def _unread(self, typed: str) -> None:
        if typed.strip():
            self.read.append((typed.strip(), None))
            self.pieces.append((f" {BREAK} ", f" {BREAK} "))

    def _stays(self, token: str) -> bool:
        """Report whether a word is a name or technical: by its letters, its place, or the tables."""
        if any(letter.isupper() or letter.isdigit() for letter in token[1:]) or token[0] == QUOTE or JOINER in token:
            return True
        if self._known.is_technical(token.lower()) or not self._known.is_content(token.lower()):
            return True
        said = next((word.strip() for word, _ in reversed(self.pieces) if word.strip()), "")
        is_noun = token.isascii() or token[0].isupper() or said != "not"  # "не знаю"
        if is_noun and said in ("without", "not", "instead of", "alternative to", "similar to", "alternative", "by"):
            return True
        if not token.isascii():
            return False
        capital = token[0].isupper() and said != "" and self._language.code != "de"
        return capital or self._language.code not in LATIN or self._known.stays(token)

    def _inflected(self, token: str) -> str | None:
        """Return the technical word that a word with an ending of its language stands for: "Pythonie", "Javie"."""
        inflects = token[0].isupper() or (self._language.code in INFLECTED and token not in known_words())
        if not inflects or self._known.is_technical(token.lower()):
            return None
        stems = [token[:-cut] for cut in range(1, MAX_ENDING + 1)]
        names = (name for stem in stems for name in (stem, f"{stem}a") if len(name) >= MIN_STEM)
        return next((name for name in names if self._known.is_technical(name.lower())), None)
