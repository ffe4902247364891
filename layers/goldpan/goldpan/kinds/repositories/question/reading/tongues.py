"""Recognize the language of a question, and put English words in the place of those that the table has (tongues.toml).

Technical words and names stay; any other word is unread without a language model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from goldpan.kinds.repositories.question.reading.wording import (
    JOINER,
    TONGUE_WORD,
    is_technical,
    platform_of,
    wording,
)
from goldpan.question.spelling import KnownWords
from goldpan.question.tongue_tables import ELISION, LATIN, Tongue, english_of, folded, script_of, tongue_name, tongues

MIN_KNOWN_FREQUENCY = 20
"""A Latin word that the searched texts have so often is technical, whatever the language of the question."""
MAX_PHRASE = 3
_UNSPACED = frozenset({"zh", "ja", "ko", "th"})
_LETTERS = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f"
_UNSPACED_LETTER = re.compile(f"[{_LETTERS}]")
_RUN = re.compile(f"[{_LETTERS}]+|[^{_LETTERS}]+")
_HYPHEN = re.compile(r"(?<=[A-Za-z])-(?=[\u0400-\u04ff])|(?<=[\u0400-\u04ff])-(?=[A-Za-z])")
"""Between two scripts, as in a Russian word with a Latin abbreviation before it."""
MAX_ENDING, MIN_STEM = 3, 4
SHARED = 0.5
"""What a word tells that two languages have."""
MIN_HITS, MIN_HITS_ALONE, ACCENTED_HITS = 1.9, 2.6, 0.9
LAST_ASCII = 0x7F


NOT, MAX_BETWEEN, MIN_ABBREVIATION = "not", 2, 3
MYRIAD = 10_000
_MYRIADS = re.compile(r"(\d+(?:\.\d+)?)\s*[\u4e07\u842c\ub9cc]")
"""Ten thousands, as Chinese, Japanese and Korean count."""
_POSTPOSED, _GENITIVE = frozenset({"ja", "ko"}), frozenset({"ru", "uk"})
_WITHOUT = re.compile(r"(?:([A-Za-z][\w.+#/-]*)\s+)?(?<!\w)without(?!\w)")
_ALTERNATIVE = re.compile(r"(?<!\w)alternative\s+(?=[A-Z])")
_EMPTY = Tongue(frozenset(), {}, {}, ())


@dataclass(frozen=True)
class Glossed:
    """A question with English words in the place of known foreign ones, what replaced what, and the unread words."""

    tongue: str
    """The English name of the language."""
    text: str
    originals: dict[str, str]
    unread: tuple[str, ...]


def recognize_tongue(text: str) -> str | None:
    """Return the code of the language if it is not English, else None."""
    if code := script_of(text):
        return code
    typed = [word.lower() for word in TONGUE_WORD.findall(ELISION.sub(" ", text))]
    asked = [folded(word) for word in typed if not is_technical(word)]
    tables = tongues()
    hits = {code: sum(_weight(word, tables[code]) for word in dict.fromkeys(asked)) for code in LATIN}
    best = max(LATIN, key=lambda code: hits[code])
    english = sum(_shared(word, tables[best]) for word in typed if word in wording().request)
    accented = any(ord(letter) > LAST_ASCII and letter.isalpha() for letter in text)
    asking = any(word in tables[best].function for word in asked)  # "data model" has Polish words too
    needed = ACCENTED_HITS if accented else MIN_HITS if asking else MIN_HITS_ALONE
    return best if hits[best] >= needed and hits[best] > english else None


def _shared(word: str, tongue: Tongue) -> float:
    """Return how much an English word of a request tells against a language: less if that has the word too."""
    return SHARED if folded(word) in tongue.function or english_of(folded(word), tongue) == word else 1.0


def gloss(text: str, code: str, known: KnownWords | None) -> Glossed:
    """Replace the foreign words of a text by English ones, and leave out those that only ask and those not known."""
    tongue = tongues().get(code, _EMPTY)
    originals: dict[str, str] = {}
    unread: list[str] = []
    pieces: list[str] = []
    for run in _RUN.findall(_MYRIADS.sub(lambda match: str(int(float(match[1]) * MYRIAD)), text)):
        if code in _UNSPACED and _UNSPACED_LETTER.match(run):
            pieces.append(_gloss_unspaced(run, tongue, originals, unread))
        else:
            pieces.append(_gloss_words(run, code, known, originals, unread))
    english = _in_order(" ".join("".join(pieces).split()), code)
    return Glossed(tongue_name(code), english, originals, tuple(dict.fromkeys(unread)))


def _in_order(text: str, code: str) -> str:
    """Put "without" before its name, which Japanese and Korean put first; Russian needs no "to" after "alternative"."""
    if code in _POSTPOSED:
        return _WITHOUT.sub(lambda match: f"; without {match[1]} ;" if match[1] else ";", text)
    return _ALTERNATIVE.sub("alternative to ", text) if code in _GENITIVE else text


def _gloss_words(text: str, code: str, known: KnownWords | None, originals: dict[str, str], unread: list[str]) -> str:
    tongue = tongues().get(code, _EMPTY)
    tokens = TONGUE_WORD.findall(_HYPHEN.sub(" ", ELISION.sub(" ", text)))
    pieces: list[str] = []
    start = 0
    while start < len(tokens):
        length, english = _translated(tokens, start, tongue)
        parts = tokens[start].split("-")
        if english is None and any(_translated(parts, place, tongue)[1] for place in range(len(parts))):
            tokens[start : start + 1] = parts  # a compound, such as "Passwort-Manager"
            continue
        typed = " ".join(tokens[start : start + length])
        if (mark := _mark(typed, "".join(pieces))) is not None:
            pieces.append(mark)
        elif english is not None and (english != NOT or _excludes(tokens[start + length :], code)):
            if english and english not in _CONNECTING:
                originals.setdefault(english, typed)
            pieces.append(f" {english} ")
        elif (platform := _inflected_platform(typed)) is not None:
            pieces.append(f" {platform} ")
        elif _stays(typed, known, name=_is_name(typed, pieces, code)):
            glued = bool(pieces) and (not typed[0].isalpha() or pieces[-1][-1:] in "<>=~.,/:\"'" + "0123456789")
            pieces.append(typed if glued and not pieces[-1].endswith(" ") and not typed[0].isalpha() else f" {typed}")
        elif english == NOT or typed.lower() in wording().request:
            pieces.append(" " if english == NOT else f" {typed} ")
        else:
            unread.append(typed)
            pieces.append(" , ")
        start += length
    return "".join(pieces) + " "


def _mark(typed: str, before: str) -> str | None:
    """Return what a comma or the k of "5k" becomes; None for any other token."""
    if typed in ("k", "K") and before[-1:].isdigit():
        return typed
    return " , " if typed == "," and not before[-1:].isdigit() else None


def _excludes(following: list[str], code: str) -> bool:
    """Report whether a name follows "not" after at most two words that only hold the sentence together."""
    tongue = tongues().get(code, _EMPTY)
    for token in following[: MAX_BETWEEN + 1]:
        if platform_of(token) or _inflected_platform(token) or (token.isupper() and len(token) >= MIN_ABBREVIATION):
            return True
        if token[0].isupper() and token.isascii() and (code != "de" or token is following[0]):
            return True
        if _translated([token], 0, tongue)[1] not in ("", "in", "with"):
            return False
    return False


_CONNECTING = frozenset(
    {"for", "in", "with", "without", "not", "since", "alternative to", "similar to", "at least", "more than"}
)


def _is_name(token: str, pieces: list[str], code: str) -> bool:
    """Report whether a Latin word must be a name: in another script, by its capital, or after "alternative to"."""
    if code not in LATIN:
        return True
    before = next((piece.strip() for piece in reversed(pieces) if piece.strip()), "")
    expected = before in ("alternative to", "similar to", "alternative", "without", NOT)
    return token[0].isupper() and bool(pieces) and (code != "de" or expected)


def _translated(tokens: list[str], start: int, tongue: Tongue) -> tuple[int, str | None]:
    """Return the number of words taken, and their English: "" for one that only asks, None for an unknown one."""
    for length in range(min(MAX_PHRASE, len(tokens) - start), 0, -1):
        joined = "-".join(folded(token) for token in tokens[start : start + length])
        english = english_of(joined, tongue)
        if english is not None:
            return length, english
    return 1, "" if folded(tokens[start]) in tongue.function else None


def _weight(word: str, tongue: Tongue) -> float:
    """Return how much a word tells for a language: little if it is an English word too."""
    if word in tongue.function:
        return SHARED if word in wording().request else 1.0
    return 0.9 if word not in wording().request and english_of(word, tongue) is not None else 0.0


def _stays(token: str, known: KnownWords | None, *, name: bool) -> bool:
    """Report whether a word is a name or technical: its letters, its place, or the tables say so."""
    if not token[0].isalpha() or any(letter.isupper() or letter.isdigit() for letter in token[1:]) or JOINER in token:
        return True
    lower = token.lower()
    if is_technical(lower) or lower in wording().form or lower in wording().context:
        return True
    if not token.isascii():
        return False
    if "-" in token or "." in token or (known is not None and known.frequency(lower) >= MIN_KNOWN_FREQUENCY):
        return True
    return name


def _inflected_platform(token: str) -> str | None:
    """Return the platform that a word with an ending of its language names, such as "Pythonie"."""
    stems = [token[:-cut] for cut in range(1, MAX_ENDING + 1)] if token[0].isupper() else []
    names = (name for stem in stems for name in (stem, f"{stem}a") if len(name) >= MIN_STEM)  # "Pythonie", "Javie"
    return next((name for name in names if platform_of(name)), None)


def _gloss_unspaced(run: str, tongue: Tongue, originals: dict[str, str], unread: list[str]) -> str:
    """Take the longest known word at each place; the characters between them are unread."""
    pieces: list[str] = []
    rest = ""
    start = 0
    while start < len(run):
        length = next(
            (n for n in range(min(12, len(run) - start), 0, -1) if folded(run[start : start + n]) in tongue.exact), 0
        )
        if length:
            english = tongue.exact[folded(run[start : start + length])]
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
