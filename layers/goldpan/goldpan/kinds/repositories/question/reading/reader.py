"""Read a question: what it is about, what its results must and must not be, and how its words were understood."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from importlib import import_module
from typing import TYPE_CHECKING, Any

from goldpan.contracts import Interpretation
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.question.products import product_subject
from goldpan.kinds.repositories.question.reading.parts import Found, Reading, with_added
from goldpan.kinds.repositories.question.reading.terms import find_terms
from goldpan.kinds.repositories.question.reading.wording import (
    MAYBE_MISSPELLED,
    may_be_foreign,
    may_be_misspelled,
    plain,
    protected,
    wording,
)
from goldpan.question.parts import CORRECTED, NOTHING, PART_KINDS, foreign_note, part_id, tidied, without

if TYPE_CHECKING:
    from goldpan.kinds.repositories.question.reading.tongues import Glossed
    from goldpan.question.spelling import KnownWords

TRIGGERS = {
    "qualifiers": ":",
    "stars": "star|[<>\u2264\u2265\u2605\u2606\u2b50]",
    "dates": (
        "(?:19|20)\\d\\d|day|week|month|quarter|year|archiv|maint|activ|develop|updat|support|alive|abandon|dead|deprec"
        "|stale|commits|releas"
    ),
    "licenses": (
        "licen|under|free|friendly|permissive|copyleft|share|affero|apache|artistic|blueoak|bs[dl]|cc|cecill|ecl|epl|eupl"
        "|gpl|isc|mit|mpl|ms-|mulan|ncsa|osl|afl|postgres|python|sspl|upl|wtfpl|zlib"
    ),
    "wishes": r"dep|internet|network|host|\bown\b",
    "likenesses": (
        "alternative|replacement|substitute|equivalent|successor|competitor|rival|counterpart|clone|similar|comparable|akin"
        "|style|spirit|inspired|place|instead|rather|migrat|like|esque|but\\s"
    ),
    "exclusions": (
        "without|w/o|sans|exclud|except|avoid|but\\s|besides|other\\s|free|instead|rather|never|cannot|\\bnot?\\b|(?:do|does|must|should|wo|is|are|ca)n'?t\\b"
        "|non-|neither|nothing|none\\b|apart|aside|minus|hate|dislike|sick|tired|fed\\s|out of the|(?<!\\S)[-!]"
    ),
}
"""What a text must have for a recognizer to find anything; most questions need few of them."""
_TRIGGERS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in TRIGGERS.items()}
_MODULES = {"likenesses": "likeness"}


def read_question(
    question: str,
    *,
    today: date,
    known: Callable[[], KnownWords] | None = None,
    ignore: Iterable[str] = (),
    strict_stars: bool = False,
) -> Reading:
    """Read a question of any text, without input or output.

    `known` returns the words of the texts to search, by which the spelling is corrected; without it nothing is. It is
    called if a word is in none of the tables. `ignore` has ids of parts to leave out. `strict_stars` makes the upper
    end of a range that a word such as "small" asks for hard.
    """
    ignored = frozenset(ignore)
    text = tidied(question)
    qualifiers = _find("qualifiers", text)
    body = protected(without(text, qualifiers))
    glossed = _glossed(body, known) if may_be_foreign(body) else None
    corrected: dict[str, str] = {}
    if glossed:
        body = protected(glossed.text)
    elif known is not None and may_be_misspelled(body):
        corrected = _corrections(body, known(), ignored)
        body = _with_corrections(body, corrected)
    typed = glossed.originals if glossed else {word: typed for typed, word in corrected.items()}
    read = _read(body, today, qualifiers, strict_stars)
    used = " ".join(_corrected_in(one, body) for one in read).lower()
    found = [
        *((one, text[one.start : one.end]) for one in qualifiers),
        *((one, _as_typed(body[one.start : one.end], typed)) for one in read),
        *_misspelled(corrected, used),
        *((Found(0, 0, "unread", word), word) for word in (glossed.unread if glossed else ())),
    ]
    kept = [(_restored(one, typed), text) for one, text in found if one.id not in ignored]
    return _reading(question, kept, glossed)


def load_all() -> None:
    """Import every recognizer and read its tables, which are loaded at their first use otherwise."""
    for name in ("qualifiers", "stars", "licenses", "wishes", "likenesses", "exclusions"):
        _recognizer(name)("")
    _find_dates("2025", date.max)
    _find_intents("popular", numbers=False, strict=False)
    _glossed("\u4e0d", None)


def _recognizer(name: str) -> Any:
    return getattr(import_module(f"{__package__}.{_MODULES.get(name, name)}"), f"find_{name}")


def _find(name: str, text: str) -> list[Found]:
    """Let a recognizer read the text, if it can find anything there."""
    found: list[Found] = _recognizer(name)(text) if _TRIGGERS[name].search(text) else []
    return found


def _find_dates(text: str, today: date) -> list[Found]:
    if not _TRIGGERS["dates"].search(text):
        return []
    from goldpan.kinds.repositories.question.reading.dates import find_dates  # noqa: PLC0415 - seldom needed

    return find_dates(text, today)


def _find_intents(text: str, *, numbers: bool, strict: bool) -> list[Found]:
    if not any(words.search(text) for words in wording().intents.values()):
        return []
    from goldpan.kinds.repositories.question.reading.intents import find_intents  # noqa: PLC0415 - seldom needed

    return find_intents(text, numbers=numbers, strict=strict)


def _glossed(text: str, known: Callable[[], KnownWords] | None) -> Glossed | None:
    from goldpan.kinds.repositories.question.reading.tongues import gloss, recognize_tongue  # noqa: PLC0415

    tongue = recognize_tongue(text)
    return gloss(text, tongue, known() if known else None) if tongue else None


def _corrections(text: str, known: KnownWords, ignored: frozenset[str]) -> dict[str, str]:
    from goldpan.question.spelling import british_spellings, corrections  # noqa: PLC0415 - seldom needed

    found = corrections(text, known, MAYBE_MISSPELLED) | british_spellings(text, known, MAYBE_MISSPELLED)
    return {typed: word for typed, word in found.items() if part_id("correction", word) not in ignored}


def _misspelled(corrected: Mapping[str, str], used: str) -> Iterator[tuple[Found, str]]:
    """Yield what is shown as corrected: a British spelling is no mistake, though both spellings are searched for."""
    if corrected:
        from goldpan.question.spelling import american  # noqa: PLC0415 - seldom needed

        shown = ((typed, word) for typed, word in corrected.items() if word in used and american(typed) != word)
        yield from ((Found(0, 0, "correction", word), typed) for typed, word in shown)


def _read(body: str, today: date, qualifiers: list[Found], strict_stars: bool) -> list[Found]:  # noqa: FBT001
    """Let each recognizer read what those before it left."""
    found: list[Found] = []
    rest = body

    def take(new: list[Found]) -> None:
        nonlocal rest
        found.extend(new)
        rest = without(rest, new)

    take(_find("stars", rest))
    take(_find_dates(rest, today))
    for name in ("licenses", "wishes", "likenesses", "exclusions"):
        take(_find(name, rest))
    numbers = any("min_stars" in one.constraints or "max_stars" in one.constraints for one in (*qualifiers, *found))
    intents = _find_intents(rest, numbers=numbers, strict=strict_stars)
    names = {name.lower() for one in found for name in one.names}
    terms = [one for one in find_terms(without(rest, intents), body) if one.value.lower() not in names]
    alone = not terms and not any(one.names for one in found)
    take(find_terms(rest, body) if alone else [*intents, *terms])
    return sorted(found, key=lambda one: one.start)


def _reading(question: str, found: list[tuple[Found, str]], glossed: Glossed | None) -> Reading:
    """Put together what was found; where no subject is left, the context or the words of intent become one."""
    found = _with_subject(found)
    parts: dict[str, Interpretation] = {}
    constraints = Constraints()
    for one, text in found:
        parts.setdefault(one.id, Interpretation(id=one.id, kind=one.kind, text=plain(text), value=one.value))
        constraints = with_added(constraints, one.constraints) if one.constraints else constraints
    terms = dict.fromkeys(one.term for one, _ in found if one.term is not None)
    reading = Reading(
        question=question,
        parts=tuple(sorted(parts.values(), key=lambda part: PART_KINDS.index(part.kind))),
        terms=tuple(terms),
        constraints=constraints,
        likenesses=tuple(dict.fromkeys(name for one, _ in found for name in one.names)),
        tongue=glossed.tongue if glossed else None,
        notes=tuple(_notes(found, glossed)),
    )
    return reading.model_copy(update={"notes": (*reading.notes, NOTHING)}) if reading.empty else reading


def _with_subject(found: list[tuple[Found, str]]) -> list[tuple[Found, str]]:
    """Make subjects of the context, or else of the other words, where a question has no other subject."""
    terms = [one.term for one, _ in found if one.term is not None]
    if any(term.part in ("subject", "platform") for term in terms) or any(one.names for one, _ in found):
        return found
    weak = next((part for part in ("context", "form", "preference") if any(t.part == part for t in terms)), None)
    return [
        (replace(one, term=one.term.model_copy(update={"part": "subject"})), text)
        if one.term is not None and one.term.part == weak
        else (one, text)
        for one, text in found
    ]


def _notes(found: list[tuple[Found, str]], glossed: Glossed | None) -> Iterator[str]:
    yield from (CORRECTED.format(one.value, text) for one, text in found if one.kind == "correction")
    yield from dict.fromkeys(one.note for one, _ in found if one.note)
    if glossed:
        yield foreign_note(glossed.tongue, glossed.unread)


def _restored(one: Found, typed: Mapping[str, str]) -> Found:
    """Give a name back as typed, since a name that nothing knows is no misspelling; let a term know both spellings.

    What became the name of a well-known product stays corrected: "Notoin" is no other thing.
    """
    if one.names:
        names = tuple(name if product_subject(name) else _as_typed(name, typed) for name in one.names)
        return replace(one, names=names, value=f"like {' or '.join(names)}")
    if one.term is not None and one.term.part != "form":
        whole = typed.get(" ".join(one.term.words))
        each = whole.split() if whole else [typed.get(word, word) for word in one.term.words]
        words = tuple(word.lower() for word in each)
        if words != one.term.words:
            return replace(one, term=one.term.model_copy(update={"typed": words}))
    return one


def _corrected_in(one: Found, body: str) -> str:
    """Return the text of a part in which a correction holds: of the names of a likeness, only products."""
    return body[one.start : one.end] if one.kind != "likeness" else " ".join(filter(product_subject, one.names))


def _as_typed(text: str, typed: Mapping[str, str]) -> str:
    if not typed:
        return text
    return re.sub(r"[\w-]+", lambda match: typed.get(match[0].lower(), match[0]), text)


def _with_corrections(text: str, corrected: Mapping[str, str]) -> str:
    if not corrected:
        return text
    either = "|".join(re.escape(typed) for typed in sorted(corrected, key=len, reverse=True))

    def corrected_form(match: re.Match[str]) -> str:
        return corrected[match[0]].capitalize() if match[0].istitle() else corrected[match[0]]

    return re.sub(rf"(?<!\w)(?:{either})(?!\w)", corrected_form, text)
