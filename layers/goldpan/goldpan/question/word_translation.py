"""A question in another language, word by word in English; technical words and names stay as typed."""

import re
from collections.abc import Iterator
from itertools import groupby
from operator import methodcaller
from typing import NamedTuple

from goldpan.known_words import known_words
from goldpan.question.grammar import cues, patterns
from goldpan.question.languages import ASKS, LATIN, WORD, Language, detect_languages, folded, languages
from goldpan.question.lexicon import Lexicon
from goldpan.question.question_text import BREAK, JOINER, QUOTE, QuestionText

_LETTERS = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f"
_RUN = re.compile(f"[{_LETTERS}]+|[^{_LETTERS}]+")
_UNSPACED = re.compile(f"[{_LETTERS}]")
CUE_LAST = ("ja", "ko", "tr")
"""Languages in which "without" follows the thing."""
INFLECTED = ("pl", "ru", "uk")
"""Languages that inflect names, also in lower case."""
_BEFORE_NAME = (
    "without", "not", "no", "tired of", "we left", "instead of", "other than", "except", "alternative to", "similar to",
    "alternative", "by"
)  # fmt: skip
OF = frozenset({"de", "del", "della", "des", "dei", "degli", "delle", "do", "da", "dos", "das", "di", "du"})
REFUSES = frozenset({"without", "excluded"})
"""The English of what refuses a thing; of two languages that a text may be in, it is rather in that which has it."""
_BEGINS = frozenset({"", ".", "!", "?"})
"""What a sentence begins after, so that a capital there tells nothing."""
OF_MARK = "\u02e1"
"""What stands for a word of `OF`, which is left out once the thing and what it is of have changed places."""
ONE_WORD = "\u02e0"
"""Joins the words by which one word is translated, so that what changes places with it does so with them all."""
MAX_PHRASE, MAX_UNSPACED, MAX_WORD, MIN_STEM, MAX_ENDING = 4, 14, 60, 4, 3


class WordTranslation(NamedTuple):
    """A question word by word in English, the words that were not read, and those of the subject as typed."""

    language: str
    source: QuestionText
    unread: tuple[str, ...]
    typed: dict[str, str]
    """The words in their order, each with its English; itself, if that is not known."""


class _Word(NamedTuple):
    """A word or a phrase of the text, and its English: "" if it only asks, None if no table has it."""

    start: int
    end: int
    english: str | None


def read_foreign(question: QuestionText, known: Lexicon, kind: str = "") -> WordTranslation | None:
    """Translate a text from the language in which most of it is known; None if it is English."""
    codes = detect_languages(question.text, known, kind)
    if not codes:
        return None
    typed = patterns("typed")
    source = question.substitute(typed["ten_thousands"], lambda match: str(int(float(match[1]) * 10_000)))
    source = source.substitute(typed["years"], methodcaller("expand", r"\1-\2"))
    source = source.substitute(typed["no_word"], lambda _: " ")
    read = [_translate(source, languages(kind)[code], known) for code in codes]
    return min(read, key=lambda one: (sum(map(len, one.unread)), REFUSES.isdisjoint(one.source.text.split())))


def _without_hyphens(source: QuestionText, language: Language) -> QuestionText:
    """Split the compounds of which a part is known and the whole is not, unlike "sans-papiers"."""
    joined = (one for one in WORD.finditer(source.text) if "-" in one[0] and not language.english(folded(one[0])))
    known = ((one, [language.english(folded(part)) for part in one[0].split("-")]) for one in joined)
    compounds = [one for one, parts in known if any(parts) and parts[0] not in {"not", *REFUSES}]
    hyphens = (one.start() + place for one in compounds for place, letter in enumerate(one[0]) if letter == "-")
    return source.replace((place, place + 1, " ") for place in hyphens)


def _translate(source: QuestionText, language: Language, known: Lexicon) -> WordTranslation:
    source = _without_hyphens(source, language)
    places: list[tuple[int, int, str]] = []
    unread, words, before, listed = list[str](), dict[str, str](), "", ""
    read = [*_words(source.text, language)]
    for place, (start, end, english) in enumerate(read):
        typed, meant = source.text[start:end], english
        if language.code in CUE_LAST:
            before = next((one.english or BREAK for one in read[place + 1 :] if one.english != ""), "")
        after = [one.english for one in read[place + 1 : place + 3] if one.english not in ("", ASKS)]
        near = "not" if after[:1] == ["excluded"] and after[1:] in ([], [","], [";"], ["."]) else before
        if meant is None and (meant := _as_typed(typed, near, language, known)) is None:
            unread.append(typed[:MAX_WORD])
        if meant != "" and typed[0].isalpha():
            words[source.typed(start, end)[:MAX_WORD]] = meant or typed
        if meant != typed or typed in ",;":
            apart = "" if source.text[:start].endswith(" ") else " "
            is_of = meant == "" and folded(typed) in OF and before not in _BEFORE_NAME
            whole = meant if meant is None or meant in _BEFORE_NAME else meant.replace(" ", ONE_WORD)
            put = OF_MARK if is_of else BREAK if whole is None else whole
            places.append((start, end, f"{apart}{put} "))
        if meant in ("and", "or") and listed:  # "sans vim et emacs"
            before = listed
        elif meant is None or not (meant == "" or cues("between").fullmatch(meant)):
            listed, before = before if before in _BEFORE_NAME else "", meant or BREAK
    source = source.replace(places)
    for pattern, usual in language.order:
        source = source.substitute(pattern, methodcaller("expand", usual))
    source = source.substitute(re.compile(f"{ONE_WORD}|{OF_MARK}"), lambda _: " ")
    return WordTranslation(language.name, source, tuple(dict.fromkeys(unread)), words)


def _words(text: str, language: Language) -> Iterator[_Word]:
    """Read words, and runs of signs without spaces between them, of which those that no table has are one word."""
    for run in _RUN.finditer(text):
        if not _UNSPACED.match(run[0]):
            yield from _longest(text, [token.span() for token in WORD.finditer(text, *run.span())], language, "-")
        elif (alone := language.exact.get(f"={run[0]}")) is not None:  # a word that is one of its own only
            yield _Word(*run.span(), alone)
        else:
            signs = _longest(text, [(at, at + 1) for at in range(*run.span())], language, "")
            for is_unknown, several in groupby(signs, lambda one: one.english is None):
                read = [*several]
                yield from [_Word(read[0].start, read[-1].end, None)] if is_unknown else read


def _longest(text: str, tokens: list[tuple[int, int]], language: Language, joiner: str) -> Iterator[_Word]:
    while tokens:
        start = tokens[0][0]
        typed = [text[slice(*token)] for token in tokens[: MAX_PHRASE if joiner else MAX_UNSPACED]]
        said = [folded(word).rstrip("'") for word in typed]
        is_acronym = typed[0].isupper() and len(typed[0]) > 1 and typed[0].isascii()  # "MIT", unlike German "mit"
        lengths = () if is_acronym else range(len(said), 0, -1)
        read = ((length, language.english(joiner.join(said[:length]))) for length in lengths)
        length, english = next((one for one in read if one[1] is not None), (1, None))
        is_word = text[start].isalnum() or text[start] == QUOTE
        yield _Word(start, tokens[length - 1][1], english if is_word else text[start])
        del tokens[:length]


def _as_typed(typed: str, before: str, language: Language, known: Lexicon) -> str | None:
    """Return a word that no table has, without an ending, if it is a name or technical."""
    if _UNSPACED.match(typed):
        return typed if before in _BEFORE_NAME else None
    stays = typed[0].isdigit() or _stays(typed, before, language, known)
    return _without_ending(typed, language, known) or (typed if stays else None)


def _stays(typed: str, before: str, language: Language, known: Lexicon) -> bool:
    """Report whether a word is a name or technical: by its letters, its place, or the tables."""
    if any(letter.isupper() or letter.isdigit() for letter in typed[1:]) or typed[0] == QUOTE or JOINER in typed:
        return True
    if known.is_technical(typed.lower()) or not known.is_content(typed.lower()) or before in _BEFORE_NAME:
        return True
    capital = typed[0].isupper() and before not in _BEGINS and language.code != "de"
    return typed.isascii() and (capital or language.code not in LATIN or known.stays(typed))


def _without_ending(typed: str, language: Language, known: Lexicon) -> str | None:
    """Return the technical word that a word with an ending of its language stands for: "Pythonie", "Javie"."""
    inflects = typed[0].isupper() or language.code in INFLECTED
    if not inflects or typed.lower() in known_words() or known.is_technical(typed.lower()):
        return None
    stems = [typed[:-cut] for cut in range(1, MAX_ENDING + 1)]
    names = (name for stem in stems for name in (stem, f"{stem}a") if len(name) >= MIN_STEM)
    return next((name for name in names if known.is_technical(name.lower())), None)
