"""The language of a question, and its words in English (languages.toml).

Words of the table are translated one by one, so that the grammar of English reads the rest; technical words and names
stay as typed, and any other word is unread without a language model.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, Protocol

from goldpan.question.question_text import QUOTE, QuestionText, of_pieces
from goldpan.text import MARKS

LATIN = ("es", "fr", "de", "pt", "it", "nl", "pl")
"""The languages in Latin script."""
_ELISION = re.compile(r"(?<!\w)(?:l|d|qu|j|n|s|c|m|t|un|dell|nell|all|sull|dall)['\u2019](?=\w)", re.IGNORECASE)
"""French and Italian articles before a vowel."""
_SCRIPTS = {
    "ja": r"[\u3040-\u30ff]", "ko": r"[\uac00-\ud7af]", "zh": r"[\u3400-\u9fff]", "uk": r"[\u0456\u0457\u0454\u0491]",
    "ru": r"[\u0400-\u04ff]", "hi": r"[\u0900-\u097f]", "ar": r"[\u0600-\u06ff]", "el": r"[\u0370-\u03ff]{3}",
    "he": r"[\u0590-\u05ff]", "th": r"[\u0e00-\u0e7f]",
}  # fmt: skip
_LETTERS = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f"
_RUN = re.compile(f"[{_LETTERS}]+|[^{_LETTERS}]+")
_UNSPACED = re.compile(f"[{_LETTERS}]")
_WORD = re.compile(
    rf"{QUOTE}+|\d+(?:[.,]\d+)*[kKmM]?(?!\w)|[^\W_](?:[\w.+#{MARKS}\u02d0/-]*[\w+#{MARKS}])?(?:'(?=\w))?[+#]*|\S"
)
_HYPHEN = re.compile(r"(?<=[A-Za-z])-(?=[\u0400-\u04ff])|(?<=[\u0400-\u04ff])-(?=[A-Za-z])")
_TEN_THOUSANDS = re.compile(r"(\d+(?:\.\d+)?)\s*[\u4e07\u842c\ub9cc]")
_YEARS = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:\s*(?:a|\u00e0|al|bis|at\u00e9|tot|do|\u043f\u043e|\u0434\u043e)\s+|\s*[\u5e74\ub144]?\s*(?:\u5230|\u81f3|\u304b\u3089|\ubd80\ud130)\s*)"
    r"((?:19|20)\d\d)(?!\d)(?:\s*(?:\u5e74(?:\u307e\u3067)?|\ub144(?:\uae4c\uc9c0)?))?",
    re.IGNORECASE,
)
"""From one year to another."""
_LATIN_TERMS = re.compile(
    r"\b(?:de\s+(?:novo|facto)|(?:in|ex)\s+(?:vivo|vitro|silico|situ|utero|ovo)|a\s+(?:priori|posteriori)|ad\s+hoc|per\s+(?:se|capita)|et\s+al)\b",
    re.IGNORECASE,
)
"""Terms of science in every language."""
_BEFORE_YEAR = ("since", "before", "until", "between", "after")
_CUES = ("without", "not", "instead of", "excluded", "tired of")
_AFTER_NAME = ("excluded", "no thanks")
"""What stands after a name, whatever the word before it."""
_POSTPOSED = ("ja", "ko")
"""Languages that put "without" after its thing."""
_WITHOUT_AFTER = re.compile(
    r"(?:((?:[\w.+#/\u02d0-]+\s+(?:and|or)\s+)*[\w.+#/\u02d0-]+)(?:\s+and)?\s+)?(?<!\w)(?:without|instead of)(?!\w)"
)
_RELATION_AFTER = re.compile(r"(?<!\d)((?:19|20)\d\d)\s+(before|after|since|until)(?!\w)")
_ALTERNATIVE = re.compile(r"(?<!\w)alternative\s+(?=[A-Z])")
MAX_PHRASE, MAX_UNSPACED, MAX_WORD, MIN_STEM, MAX_ENDING = 4, 14, 60, 4, 3
SHARED = 0.5
MIN_ENGLISH = 2
"""English words of a request that tell that a name of another script stands in an English question."""
"""What a word tells that English has too."""
MIN_HITS, MIN_HITS_ALONE, ACCENTED_HITS, CERTAIN = 1.9, 2.6, 0.9, 2.7
TEN_THOUSAND = 10_000


class KnownWordsOfKind(Protocol):
    """What a kind knows of English and technical words."""

    def is_request(self, word: str) -> bool:
        """Report whether an English word only asks or holds a sentence together."""

    def is_technical(self, word: str) -> bool:
        """Report whether the vocabulary has a word, which then tells nothing of the language."""

    def stays(self, token: str) -> bool:
        """Report whether a Latin word is kept as typed in a question in another language."""


@dataclass(frozen=True)
class Language:
    """The words of one language, in lower case and without accents, and their English."""

    code: str
    name: str
    function: frozenset[str]
    exact: Mapping[str, str] = field(default_factory=dict)
    """English by the word, or the words joined by hyphens; empty if it only asks."""
    stems: Mapping[str, str] = field(default_factory=dict)
    """English by the beginning of a word."""
    phrases: tuple[tuple[re.Pattern[str], str], ...] = ()
    """Phrases of inflected words."""

    def english(self, word: str) -> str | None:
        """Return the English of a word or of words joined by hyphens, None if it is unknown."""
        if word in self.exact:
            return self.exact[word]
        if "-" in word:
            return next((english for pattern, english in self.phrases if pattern.fullmatch(word)), None)
        stem = next((word[:end] for end in range(len(word), 1, -1) if word[:end] in self.stems), None)
        return None if stem is None else self.stems[stem]


class WordTranslation(NamedTuple):
    """A question word by word in English, the words that were not read, and those of the subject as typed."""

    language: str
    source: QuestionText
    unread: tuple[str, ...]
    typed: dict[str, str]
    """The words in their order, each with its English; itself, if that is not known."""


def read_foreign(question: QuestionText, known: KnownWordsOfKind, kind: str = "") -> WordTranslation | None:
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


def detect_language(text: str, known: KnownWordsOfKind, kind: str = "") -> str | None:
    """Return the code of the language if it is not English, else None."""
    typed = [
        word.lower() for word in _WORD.findall(_LATIN_TERMS.sub(" ", _ELISION.sub(" ", text))) if word[0].isalpha()
    ]
    code = next((code for code, script in _SCRIPTS.items() if re.search(script, text)), None)
    if code:
        others = sum(len(word) for word in typed if not word.isascii())
        is_english = sum(known.is_request(word) for word in typed) >= MIN_ENGLISH and 2 * others < sum(map(len, typed))
        return None if is_english else code
    if text.isascii() and all(known.is_request(word) or known.is_technical(word) for word in typed):
        return None
    asked = [folded(word) for word in typed if len(word) == 1 or not known.is_technical(word)]
    tables = languages(kind)
    hits = {code: sum(_weight(word, tables[code], known) for word in dict.fromkeys(asked)) for code in LATIN}
    for one, other in pairwise(folded(word) for word in _WORD.findall(text)):
        for code in LATIN:
            dated = other[:4].isdecimal() and tables[code].exact.get(one) in _BEFORE_YEAR and not known.is_request(one)
            phrase = tables[code].english(f"{one}-{other}")
            hits[code] += CERTAIN * (phrase not in (None, f"{one} {other}")) + CERTAIN * dated
    best = max(LATIN, key=lambda code: hits[code])
    english = sum(_shared(word, tables[best]) for word in typed if known.is_request(word))
    accented = any("\u00c0" <= letter <= "\u017f" for letter in text)
    asking = any(word in tables[best].function for word in asked)
    needed = ACCENTED_HITS if accented else MIN_HITS if asking else MIN_HITS_ALONE
    return best if hits[best] >= needed and hits[best] > english else None


def _weight(word: str, language: Language, known: KnownWordsOfKind) -> float:
    """Return how much a word tells for a language: little if it is an English word too."""
    if word in language.function and language.english(word) not in _CUES:
        return SHARED if known.is_request(word) else 1.0
    if language.english(word) in _CUES and not known.is_request(word) and not known.stays(word):
        return CERTAIN  # "sauf", "tranne": one word tells
    return 0.9 if not known.is_request(word) and language.english(word) not in (None, word) else 0.0


def _shared(word: str, language: Language) -> float:
    """Return how much an English word of a request tells against a language: less if that has the word too."""
    return SHARED if folded(word) in language.function or language.english(folded(word)) is not None else 1.0


def _translate(text: str, language: Language, known: KnownWordsOfKind, quoted: list[str]) -> WordTranslation:
    translator = _Translator(language, known)
    for run in _RUN.findall(_HYPHEN.sub(" ", _ELISION.sub(" ", text))):
        (translator.unspaced if _UNSPACED.match(run) else translator.spaced)(run)
    typed = iter(quoted)
    source = of_pieces(
        [(word, next(typed, word) if word.strip()[:1] == QUOTE else one) for word, one in translator.pieces]
    )
    if language.code in _POSTPOSED:
        source = source.substitute(_WITHOUT_AFTER, lambda match: f"; without {match[1]} ;" if match[1] else ";")
    if language.code in ("zh", *_POSTPOSED):
        source = source.substitute(_RELATION_AFTER, lambda match: f"{match[2]} {match[1]}")
    elif language.code in ("ru", "uk"):
        source = source.substitute(_ALTERNATIVE, lambda _match: "alternative to ")
    words = {typed[:MAX_WORD]: english or typed for typed, english in translator.read}
    unread = dict.fromkeys(typed[:MAX_WORD] for typed, english in translator.read if english is None)
    return WordTranslation(language.name, source, tuple(unread), words)


class _Translator:
    """Translates the runs of a text, and collects the pieces, each with what was typed."""

    def __init__(self, language: Language, known: KnownWordsOfKind) -> None:
        self._language, self._known = language, known
        self.pieces: list[tuple[str, str]] = []
        self.read: list[tuple[str, str | None]] = []

    def spaced(self, run: str) -> None:
        """Translate words with spaces between them; the parts of a compound are read one by one."""
        tokens = _WORD.findall(run)
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
            if not typed[0].isdigit() and not self._known.is_request(typed.lower()):
                self.read.append((typed, typed))
        else:
            self._unread(typed.rstrip("'"))

    def _unread(self, typed: str) -> None:
        if typed.strip():
            self.read.append((typed.strip(), None))
            self.pieces.append((" , ", " , "))

    def _stays(self, token: str) -> bool:
        """Report whether a word is a name or technical: by its letters, its place, or the tables."""
        if any(letter.isupper() or letter.isdigit() for letter in token[1:]) or token[0] == QUOTE or "\u02d0" in token:
            return True
        if self._known.is_technical(token.lower()) or self._known.is_request(token.lower()):
            return True
        if not token.isascii():
            return False
        said = next((word.strip() for word, _ in reversed(self.pieces) if word.strip()), "")
        refused = said in ("without", "not", "instead of", "alternative to", "similar to", "alternative", "by")
        capital = token[0].isupper() and said != "" and (self._language.code != "de" or refused)
        return capital or refused or self._language.code not in LATIN or self._known.stays(token)

    def _inflected(self, token: str) -> str | None:
        """Return the technical word that a word with an ending of its language stands for: "Pythonie", "Javie"."""
        if not token[0].isupper() or self._known.is_technical(token.lower()):
            return None
        stems = [token[:-cut] for cut in range(1, MAX_ENDING + 1)]
        names = (name for stem in stems for name in (stem, f"{stem}a") if len(name) >= MIN_STEM)
        return next((name for name in names if self._known.is_technical(name.lower())), None)


def folded(text: str) -> str:
    """Lower the case and leave out the accents of Latin letters."""
    lower = unicodedata.normalize("NFC", text.lower())
    if not any("\u00c0" <= letter <= "\u017f" for letter in lower):
        return lower
    plain = unicodedata.normalize("NFD", lower.replace("\u0142", "l").replace("\u00df", "ss"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


@cache
def languages(kind: str = "") -> dict[str, Language]:
    """Return the words of each language by its code, those of a kind first; reads the file once a kind."""
    tables = tomllib.loads(Path(__file__).with_name("languages.toml").read_text("utf-8"))
    columns: list[str] = tables["glossary"]["columns"]
    words: dict[str, dict[str, str]] = {code: {} for code in tables["languages"]}
    for row in [*tables.get(kind, {}).get("rows", ()), *tables["glossary"]["rows"]]:
        english, *cells = (cell.strip() for cell in row.split("|"))
        for code, cell in zip(columns, cells, strict=False):
            for word in cell.split():
                words[code].setdefault(folded(word), english)
    return {
        code: _language(code, name, tables["function"].get(code, "").split(), words[code])
        for code, name in tables["languages"].items()
    }


def _language(code: str, name: str, function: Iterable[str], words: dict[str, str]) -> Language:
    """Make a language of its words; a `*` stands for any ending."""
    glossary = words | {folded(word): "" for word in function if "*" in word}
    return Language(
        code,
        name,
        frozenset(folded(word) for word in function if "*" not in word),
        {word: english for word, english in glossary.items() if "*" not in word},
        {word[:-1]: english for word, english in glossary.items() if word.endswith("*") and "-" not in word},
        tuple(
            (re.compile(re.escape(word).replace(r"\*", r"\w*")), english)
            for word, english in glossary.items()
            if "*" in word and "-" in word
        ),
    )
