"""Read a question in another language: English words in the place of those that the table has (tongues.toml).

Technical words, names and acronyms stay; any other word is unread without a language model. Where nothing but unread
words is left, they are searched for as typed, since papers are written in many languages.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from goldpan.kinds.papers.question.parts import QUOTE
from goldpan.kinds.papers.question.vocabulary import vocabulary
from goldpan.kinds.papers.question.wording import wording
from goldpan.question.known_words import known_words
from goldpan.question.tongue_tables import ELISION, LATIN, Tongue, english_of, folded, script_of, tongue_name, tongues
from goldpan.text import MARKS, words

MAX_PHRASE, MAX_UNSPACED, MAX_WORD = 4, 14, 60
MIN_HITS = 2
_UNSPACED_SCRIPT = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_RUN = re.compile(rf"[{_UNSPACED_SCRIPT}]+|[^{_UNSPACED_SCRIPT}]+")
_WORD = re.compile(rf"{QUOTE}+|[^\W_](?:[\w.+#{MARKS}-]*[\w+#{MARKS}])?(?:'(?=\w))?|\S")
_ASKING = frozenset({"surveys", "systematic reviews", "open access", "effect", "onwards"})
"""English words of the table that are no subject, beside those of requests."""
_GREEK_WORD = re.compile(r"[\u0370-\u03ff]{3}")
"""Greek text, unlike the letters of a formula."""
_ASIDE = " , "
"""Keeps the words before and after what was not read from being one phrase."""
_YEARS = re.compile(
    r"(?<!\d)(?P<first>(?:19|20)\d\d)(?:\s*(?:a|\u00e0|al|bis|at\u00e9|\u043f\u043e|\u0434\u043e)\s+|\s*[\u5e74\ub144]?\s*(?:\u5230|\u81f3|\u304b\u3089|\ubd80\ud130)\s*)"
    r"(?P<last>(?:19|20)\d\d)(?!\d)(?:\s*(?:\u5e74(?:\u307e\u3067)?|\ub144(?:\uae4c\uc9c0)?))?",
    re.IGNORECASE,
)
"""From one year to another, in the words of the languages of the table."""
_LATIN_TERMS = re.compile(
    r"\b(?:de\s+(?:novo|facto)|(?:in|ex)\s+(?:vivo|vitro|silico|situ|utero|ovo)|a\s+(?:priori|posteriori)|ad\s+hoc|per\s+(?:se|capita)"
    r"|et\s+al)\b",
    re.IGNORECASE,
)
"""Terms of science in every language, whose words tell none."""
_BESIDE_YEAR = frozenset({"since", "before", "until", "between"})
_LEAVES_OUT = frozenset({"without", "except"})
"""After these a word stays as typed, to be left out although no table has it."""

_Read = tuple[str, str | None]
"""A word as typed, and its English, if that is known."""


@dataclass(frozen=True)
class Glossed:
    """A question with English words in the place of known foreign ones, and the words that were not read."""

    tongue: str
    text: str
    unread: tuple[str, ...]
    typed: dict[str, str]
    """The words of the subject as typed, in their order, each with its English; itself, if that is not known."""

    def typed_without(self, limits: Iterable[str]) -> tuple[str, ...]:
        """Return the words as typed but for those of what is left out, of authors and of venues."""
        apart = {word for text in limits for word in words(text)}
        return tuple(typed for typed, english in self.typed.items() if not apart.issuperset(words(english)))


def read_foreign(text: str) -> Glossed | None:
    """Read a text that is not English; None if it is. Han characters may be Chinese or Japanese."""
    code = recognize_tongue(text)
    if code is None:
        return None
    text = _YEARS.sub(r"\g<first>-\g<last>", text)
    read = [gloss(text, one) for one in (("zh", "ja") if code == "zh" else (code,))]
    return min(read, key=lambda one: sum(map(len, one.unread)))


def recognize_tongue(text: str) -> str | None:
    """Return the code of the language if it is not English, else None."""
    text = _LATIN_TERMS.sub(" ", text)
    typed = dict.fromkeys(folded(word).rstrip("'") for word in _WORD.findall(text) if word[0].isalpha())
    english = sum(word in wording().function or word in wording().request for word in typed)
    code = script_of(text)
    if code and (code != "el" or _GREEK_WORD.search(text)):  # a name or a term of another script leaves it English
        others = sum(len(word) for word in typed if not word.isascii())
        return None if english >= MIN_HITS and 2 * others < sum(map(len, typed)) else code
    hits = {code: sum(_weight(word, code) for word in typed) for code in LATIN}
    for code in LATIN:
        hits[code] += sum(_tells(one, other, code) for one, other in pairwise(folded(word) for word in text.split()))
    best = max(LATIN, key=lambda code: hits[code])
    accents = not text.isascii() and any(letter.isalpha() and not letter.isascii() for letter in text)
    return best if hits[best] + 0.5 * accents >= MIN_HITS and hits[best] > english else None


def gloss(text: str, code: str) -> Glossed:
    """Replace the foreign words of a text by English ones, and leave out those that only ask and those not known."""
    typed: list[_Read] = []
    pieces: list[str] = []
    for run in _RUN.findall(ELISION.sub(" ", text)):
        read = _unspaced if re.match(rf"[{_UNSPACED_SCRIPT}]", run) else _words
        pieces.append(read(run, code, typed))
    glossed = " ".join("".join(pieces).split())
    unread = tuple(dict.fromkeys(word[:MAX_WORD] for word, english in typed if english is None))
    return Glossed(tongue_name(code), glossed, unread, {word[:MAX_WORD]: english or word for word, english in typed})


@cache
def _tables() -> dict[str, Tongue]:
    tables = tomllib.loads(Path(__file__).with_name("tongues.toml").read_text("utf-8"))
    words: dict[str, dict[str, str]] = {code: {} for code in tables["columns"]}
    for row in tables["rows"]:
        english, *cells = (cell.strip() for cell in row.split("|"))
        for code, cell in zip(tables["columns"], cells, strict=False):
            for word in cell.split():
                words[code].setdefault(folded(word), english)
    return {
        code: Tongue.of(tongues()[code].function if code in tongues() else frozenset(), listed)
        for code, listed in words.items()
    }


_NONE = Tongue(frozenset(), {}, {}, ())


def _tongue(code: str) -> Tongue:
    return _tables().get(code) or Tongue(tongues()[code].function, {}, {}, ()) if code in tongues() else _NONE


def _weight(word: str, code: str) -> float:
    """Return how much a word tells for a language: little if it is an English word too."""
    is_english = word in wording().function or word in wording().request or word in vocabulary().words
    if word in _tongue(code).function:
        return 0.4 if is_english else 1.0
    return (
        1.0 if not is_english and word not in wording().vague and english_of(word, _tongue(code)) is not None else 0.0
    )


def _tells(one: str, other: str, code: str) -> float:
    """Return how much two words in a row tell: a phrase of the table, or a word such as "seit" before a year."""
    exact = _tongue(code).exact
    if other[:4].isdecimal() and one not in wording().function:
        return 1.0 if exact.get(one) in _BESIDE_YEAR else 0.0
    phrase = exact.get(f"{one}-{other.rstrip('.,;:?!')}")
    return float(MIN_HITS) if phrase and words(phrase) != words(f"{one} {other}") else 0.0


def _words(run: str, code: str, read: list[_Read]) -> str:
    tokens = _WORD.findall(run)
    pieces: list[str] = []
    place = 0
    while place < len(tokens):
        length, english = _translated(tokens, place, _tongue(code))
        typed = " ".join(tokens[place : place + length])
        if english is not None:
            pieces.append(f" {english} ")
            if is_subject(english):
                read.append((typed, english))
        elif not typed[0].isalpha() or _left_out(pieces) or _stays(typed, first=not pieces, code=code):
            if typed[0].isalpha() and is_subject(typed.lower()):
                read.append((typed, typed))
            pieces.append(typed if not typed[0].isalnum() and typed[0] != QUOTE else f" {typed}")
        else:
            read.append((typed.rstrip("'"), None))
            pieces.append(_ASIDE)
        place += length
    return "".join(pieces) + " "


def _left_out(pieces: Sequence[str]) -> bool:
    """Report whether the last English word is one that leaves out what follows."""
    return next((piece.strip() for piece in reversed(pieces) if piece.strip()), "") in _LEAVES_OUT


def is_subject(english: str) -> bool:
    """Report whether the English of a word says something of the subject."""
    return bool(english) and english not in _ASKING and wording().is_subject(english)


def _translated(tokens: list[str], place: int, tongue: Tongue) -> tuple[int, str | None]:
    """Return the number of words taken, and their English: "" for one that only asks, None for an unknown one."""
    for length in range(min(MAX_PHRASE, len(tokens) - place), 0, -1):
        joined = "-".join(folded(token).rstrip("'") for token in tokens[place : place + length])
        if (english := english_of(joined, tongue)) is not None:
            return length, english
    return 1, "" if folded(tokens[place]).rstrip("'") in tongue.function else None


def _stays(token: str, *, first: bool, code: str) -> bool:
    """Report whether a word is technical or a name: its letters, its place, or the tables say so."""
    if any(letter.isupper() or letter.isdigit() for letter in token[1:]) or token[0] == QUOTE:
        return True
    if not token.isascii():
        return False
    if code not in LATIN or token.lower() in vocabulary().words:
        return True
    return (token[0].isupper() and not first and code != "de") or known_words().get(token.lower(), 0) > 0


def _unspaced(run: str, code: str, read: list[_Read]) -> str:
    """Take the longest known word at each place; the characters between them are unread."""
    tongue = _tongue(code)
    pieces: list[str] = []
    rest, place = "", 0
    while place < len(run):
        lengths = range(min(MAX_UNSPACED, len(run) - place), 0, -1)
        length = next((n for n in lengths if folded(run[place : place + n]) in tongue.exact), 0)
        asks = 0 if length else next((n for n in lengths if run[place : place + n] in tongue.function), 0)
        if not length and not asks:
            rest += run[place]
        elif rest:
            read.append((rest, None))
            pieces.append(_ASIDE)
            rest = ""
        if length:
            english = tongue.exact[folded(run[place : place + length])]
            pieces.append(f" {english} ")
            if is_subject(english):
                read.append((run[place : place + length], english))
        place += length or asks or 1
    if rest:
        read.append((rest, None))
    return "".join(pieces) or " "
