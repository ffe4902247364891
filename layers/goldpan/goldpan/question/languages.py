"""The languages of questions: their words in English (languages.toml), and how that of a question is detected."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from goldpan.question.grammar import patterns
from goldpan.question.lexicon import Lexicon
from goldpan.question.question_text import QUOTE
from goldpan.text import MARKS

LATIN = ("es", "fr", "de", "pt", "it", "nl", "pl", "sv", "tr")
"""The languages in Latin script."""
WORD = re.compile(
    rf"{QUOTE}+|\d+(?:[.,]\d+)*[kKmM]?(?!\w)|[^\W_](?:[\w.+#{MARKS}\u02d0/-]*[\w+#{MARKS}])?(?:'(?=\w))?[+#]*|\S"
)
_BESIDE_NUMBER = ("since", "before", "until", "between", "after", "stars")
_CUES = ("without", "not", "no", "instead of", "excluded", "tired of", "at least")
ASKS = "need"
"""The English of every word that asks."""
SHARED, MIN_ENGLISH = 0.5, 2
"""What a word tells that English has too, and the words of a request that make a question English despite a name."""
MIN_HITS, ACCENTED_HITS, CERTAIN = 1.9, 0.9, 2.7
"""What the words must tell, without accents and with one; and what one cue or phrase tells."""


@dataclass(frozen=True)
class Language:
    """The words of one language, in lower case and without accents, and their English."""

    code: str
    name: str
    function: frozenset[str]
    exact: Mapping[str, str]
    """English by the word, or the words joined by hyphens; empty if it only asks."""
    inflected: Mapping[str, Sequence[tuple[list[str], str]]]
    """The beginnings of words, and their English, by the first letter."""
    order: Sequence[tuple[re.Pattern[str], str]]
    """English words in the order of the language, and their usual order as a template of `re.Match.expand`."""

    def english(self, word: str) -> str | None:
        """Return the English of a word or of words joined by hyphens, None if it is unknown."""
        if word in self.exact:
            return self.exact[word]
        parts = word.split("-")
        for stems, english in self.inflected.get(word[:1], ()):
            if len(stems) == len(parts) and all(map(str.startswith, parts, stems)):
                return english
        return None


def detect_languages(text: str, known: Lexicon, kind: str = "") -> list[str]:
    """Return the codes of the languages that a text may be in; none if it is English."""
    text, elided = patterns("typed")["no_word"].subn(" ", text)
    typed = [word.lower() for word in WORD.findall(text) if word[0].isalpha()]
    if codes := [code for code, letters in patterns("scripts").items() if letters.search(text)]:
        is_english = sum(not known.is_content(word) for word in typed) >= MIN_ENGLISH
        return [] if is_english else [*codes, "ja"] if "zh" in codes else codes  # Han characters may be Japanese
    known_all = all(not known.is_content(word) or known.is_technical(word) for word in typed)
    if text.isascii() and known_all and not kind:  # the tables are not read for most questions for repositories
        return []
    said = [folded(word) for word in WORD.findall(text)]
    asked = dict.fromkeys(folded(word) for word in typed if len(word) == 1 or not known.is_technical(word))
    tables = languages(kind)
    hits = {code: _hits(tables[code], said, asked, known) + elided * (code in ("fr", "it")) for code in LATIN}
    best = max(LATIN, key=lambda code: hits[code])
    english = [folded(word) for word in typed if not known.is_content(word)]
    accented = any("\u00c0" <= letter <= "\u017f" for letter in text)
    needed = ACCENTED_HITS if accented else MIN_HITS
    return [best] if hits[best] >= needed and hits[best] > len(english) else []


def _hits(language: Language, said: Sequence[str], asked: Iterable[str], known: Lexicon) -> float:
    """Return how much the words of a text tell for a language; a phrase tells for certain, and a word beside a year."""
    phrases = (said[at : at + length] for length in (2, 3) for at in range(len(said) - length + 1))
    certain = sum(language.english("-".join(phrase)) not in (None, " ".join(phrase)) for phrase in phrases)
    for pair in pairwise(said):
        for word, number in (pair, pair[::-1]):
            beside = number[0].isdecimal() and language.exact.get(word) in _BESIDE_NUMBER
            certain += beside and known.is_content(word)
    return CERTAIN * certain + sum(_weight(word, language, known) for word in asked)


def _weight(word: str, language: Language, known: Lexicon) -> float:
    """Return how much a word tells for a language: little if it is an English word too."""
    english, is_content = language.english(word), known.is_content(word)
    if word in language.function and english not in _CUES:
        return 1.0 if is_content else SHARED
    if english in (None, word):
        return 0.0
    if not is_content or known.stays(word):
        return SHARED
    return CERTAIN if english in _CUES else 0.9  # "sauf", "tranne": one word tells, unlike "no"


def folded(text: str) -> str:
    """Lower the case and leave out the accents of Latin letters."""
    lower = unicodedata.normalize("NFC", text.lower())
    if not any("\u00c0" <= letter <= "\u017f" for letter in lower):
        return lower
    plain = unicodedata.normalize("NFD", lower.replace("\u0142", "l").replace("\u00df", "ss"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


@cache
def languages(kind: str = "") -> dict[str, Language]:
    """Return the words of each language by its code, those of a kind first; reads the file once a kind.

    A `*` stands for any ending, and the longest beginning counts first.
    """
    tables = tomllib.loads(Path(__file__).with_name("languages.toml").read_text("utf-8"))
    words: dict[str, dict[str, str]] = {code: {} for code in tables["languages"]}
    for row in [*tables.get(kind, {}).get("rows", ()), *tables["glossary"]["rows"]]:
        english, *cells = (cell.strip() for cell in row.split("|"))
        for code, cell in zip(tables["glossary"]["columns"], cells, strict=False):
            for word in cell.split():
                words[code].setdefault(folded(word), english)
    made: dict[str, Language] = {}
    for code, name in tables["languages"].items():
        asks, only = (folded(tables[name].get(code, "")).split() for name in ("asks", "function"))
        glossary = dict.fromkeys(only, "") | dict.fromkeys(asks, ASKS) | words[code]
        inflected: dict[str, list[tuple[list[str], str]]] = {}
        for word in sorted(glossary, key=len, reverse=True):
            if "*" in word:
                inflected.setdefault(word[0], []).append((word.replace("*", "").split("-"), glossary[word]))
        exact = {word: english for word, english in glossary.items() if "*" not in word}
        rows = (row for row in tables["order"] if code in row.get("languages", code).split())
        order = [(re.compile(row["typed"]), row["usual"]) for row in rows]
        made[code] = Language(code, name, frozenset(exact.keys() & {*asks, *only}), exact, inflected, order)
    return made
