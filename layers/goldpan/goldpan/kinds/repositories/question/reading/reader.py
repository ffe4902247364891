"""Read a question: what it is about, what its results must and must not be, and how its words were understood."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date

from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.question.reading.dates import find_dates
from goldpan.kinds.repositories.question.reading.exclusions import find_exclusions, find_wishes
from goldpan.kinds.repositories.question.reading.found import Found, part_id, without
from goldpan.kinds.repositories.question.reading.intents import find_intents
from goldpan.kinds.repositories.question.reading.licenses import find_licenses
from goldpan.kinds.repositories.question.reading.likeness import find_likenesses
from goldpan.kinds.repositories.question.reading.names import plain, protected
from goldpan.kinds.repositories.question.reading.parts import PART_KINDS, Part, Reading
from goldpan.kinds.repositories.question.reading.qualifiers import find_qualifiers
from goldpan.kinds.repositories.question.reading.spelling import KnownWords, corrections
from goldpan.kinds.repositories.question.reading.stars import find_stars
from goldpan.kinds.repositories.question.reading.terms import find_terms
from goldpan.kinds.repositories.question.reading.tongue_tables import tongue_name
from goldpan.kinds.repositories.question.reading.tongues import Glossed, gloss, recognize_tongue

NOTHING = "The question has no word to search for."
CORRECTED = "Searched for {} (you typed {})."
FOREIGN = (
    "The question was read as {}, by a table of words{}; a language model (LLM_API_KEY, DEEPSEEK_API_KEY or"
    " OPENAI_API_KEY) would read the rest."
)
_SIMPLE = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u00ab": '"', "\u00bb": '"'}
)


def read_question(
    question: str,
    *,
    today: date,
    known: KnownWords | None = None,
    ignore: Iterable[str] = (),
    strict_stars: bool = False,
) -> Reading:
    """Read a question of any text, without input or output.

    `known` has the words of the texts to search, by which the spelling is corrected; without it nothing is. `ignore`
    has ids of parts to leave out. `strict_stars` makes the upper end of a range that a word such as "small" asks for
    hard.
    """
    ignored = frozenset(ignore)
    text = _tidied(question)
    qualifiers = find_qualifiers(text)
    body = protected(without(text, qualifiers))
    tongue = recognize_tongue(body)
    glossed = gloss(body, tongue, known) if tongue else None
    corrected: dict[str, str] = {}
    if glossed:
        body = protected(glossed.text)
    elif known is not None:
        corrected = corrections(body, known)
        corrected = {typed: word for typed, word in corrected.items() if part_id("correction", word) not in ignored}
        body = _with_corrections(body, corrected)
    typed = glossed.originals if glossed else {word: typed for typed, word in corrected.items()}
    read = _read(body, today, qualifiers, strict_stars)
    used = " ".join(body[one.start : one.end] for one in read if one.kind != "likeness")
    found = [
        *((one, text[one.start : one.end]) for one in qualifiers),
        *((one, _as_typed(body[one.start : one.end], typed)) for one in read),
        *((Found(0, 0, "correction", word), typed) for typed, word in corrected.items() if word in used),
        *((Found(0, 0, "unread", word), word) for word in (glossed.unread if glossed else ())),
    ]
    kept = [(_restored(one, typed), text) for one, text in found if one.id not in ignored]
    return _reading(question, kept, tongue, glossed)


def _read(body: str, today: date, qualifiers: list[Found], strict_stars: bool) -> list[Found]:  # noqa: FBT001
    """Let each recognizer read what those before it left."""
    found: list[Found] = []
    rest = body

    def take(new: list[Found]) -> None:
        nonlocal rest
        found.extend(new)
        rest = without(rest, new)

    take(find_stars(rest))
    take(find_dates(rest, today))
    take(find_licenses(rest))
    take(find_wishes(rest))
    take(find_likenesses(rest))
    take(find_exclusions(rest))
    numbers = any("min_stars" in one.constraints or "max_stars" in one.constraints for one in (*qualifiers, *found))
    intents = find_intents(rest, numbers=numbers, strict=strict_stars)
    terms = find_terms(without(rest, intents), body)
    alone = not terms and not any(one.names for one in found)
    take(find_terms(rest, body) if alone else [*intents, *terms])
    return sorted(found, key=lambda one: one.start)


def _reading(question: str, found: list[tuple[Found, str]], tongue: str | None, glossed: Glossed | None) -> Reading:
    """Put together what was found; where no subject is left, the context or the words of intent become one."""
    found = _with_subject(found)
    parts: dict[str, Part] = {}
    constraints = Constraints()
    for one, text in found:
        parts.setdefault(one.id, Part(id=one.id, kind=one.kind, text=plain(text), value=one.value))
        constraints = constraints.adding(dict(one.constraints))
    terms = dict.fromkeys(one.term for one, _ in found if one.term is not None)
    reading = Reading(
        question=question,
        parts=tuple(sorted(parts.values(), key=lambda part: PART_KINDS.index(part.kind))),
        terms=tuple(terms),
        constraints=constraints,
        likenesses=tuple(dict.fromkeys(name for one, _ in found for name in one.names)),
        tongue=tongue_name(tongue) if tongue else None,
        notes=tuple(_notes(found, tongue, glossed)),
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


def _notes(found: list[tuple[Found, str]], tongue: str | None, glossed: Glossed | None) -> Iterator[str]:
    yield from (CORRECTED.format(one.value, text) for one, text in found if one.kind == "correction")
    yield from dict.fromkeys(one.note for one, _ in found if one.note)
    if tongue and glossed:
        unread = f" without “{'”, “'.join(glossed.unread[:5])}”" if glossed.unread else ""
        yield FOREIGN.format(tongue_name(tongue), unread)


def _restored(one: Found, typed: Mapping[str, str]) -> Found:
    """Give a name back as typed, since a name that nothing knows is no misspelling; let a term know both spellings."""
    if one.names:
        names = tuple(_as_typed(name, typed) for name in one.names)
        return replace(one, names=names, value=f"like {' or '.join(names)}")
    if one.term is not None and one.term.part != "form":
        words = tuple(typed.get(word, word).lower() for word in one.term.words)
        if words != one.term.words:
            return replace(one, term=one.term.model_copy(update={"typed": words}))
    return one


def _as_typed(text: str, typed: Mapping[str, str]) -> str:
    if not typed:
        return text
    return re.sub(r"[\w-]+", lambda match: typed.get(match[0], match[0]), text)


def _with_corrections(text: str, corrected: Mapping[str, str]) -> str:
    if not corrected:
        return text
    either = "|".join(re.escape(typed) for typed in sorted(corrected, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{either})(?!\w)", lambda match: corrected[match[0]], text)


def _tidied(text: str) -> str:
    """Normalize compatibility characters, quotes and spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_SIMPLE).split())
