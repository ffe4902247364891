"""Parse a question for papers by rules: what it is about, what the papers must and must not be, and the order."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from goldpan.contracts import Interpretation
from goldpan.kinds.papers.models import ParsedIntent
from goldpan.kinds.papers.question.authors import find_authors
from goldpan.kinds.papers.question.concepts import find_concepts
from goldpan.kinds.papers.question.exclusions import find_exclusions
from goldpan.kinds.papers.question.foreign import Glossed, read_foreign
from goldpan.kinds.papers.question.intent import (
    MAX_CONCEPT,
    MAX_CONCEPTS,
    MAX_TOPIC,
    find_title,
    find_topic,
    make_intent,
)
from goldpan.kinds.papers.question.likeness import IDS, find_likenesses
from goldpan.kinds.papers.question.paper_types import find_types, find_wishes, without_contradicting_types
from goldpan.kinds.papers.question.parts import QUOTE, Found, Reading
from goldpan.kinds.papers.question.venues import find_venues
from goldpan.kinds.papers.question.wording import british_spellings, misspellings, wording
from goldpan.kinds.papers.question.years import find_venue_years, find_years, without_contradiction
from goldpan.question.parts import (
    BREAK,
    CORRECTED,
    NOTHING,
    PART_KINDS,
    bounded,
    foreign_note,
    part_id,
    tidied,
    without,
)
from goldpan.question.spelling import american

STATED = "“{}” does not limit the papers, since the question is read as a statement: without its full stop it would."
MIN_CLAIM = 5
"""Words of a sentence that is a claim."""
ABBREVIATED = re.compile(r"\b[A-Z]\w*\.\s+(?:[A-Z]\w*\.?\s+)*[A-Z]\w*\.$")
"""The end of a text that is an abbreviated name, not the end of a sentence: "Phys. Rev. Lett."."""
_QUOTED = re.compile(r"\"[^\"]{1,200}\"|(?<!\w)'[^']{2,200}'(?!\w)|`[^`]{1,200}`")


def parse_intent(question: str, *, today: date, ignore: Sequence[str] = ()) -> Reading:
    """Read a question of any text, without input or output; `ignore` has the ids of parts to leave out."""
    ignored = frozenset(ignore)
    original = tidied(question)
    body = _QUOTED.sub(lambda match: QUOTE * len(match[0]), original)
    glossed = read_foreign(body)
    corrected: dict[str, str] = {}
    if glossed:
        original = body = _requoted(glossed.text, original)
        body = _QUOTED.sub(lambda match: QUOTE * len(match[0]), body)
    else:
        likely = {**misspellings(body), **british_spellings(body)}
        corrected = {typed: word for typed, word in likely.items() if part_id("correction", word) not in ignored}
        original, body = _replaced(original, corrected), _replaced(body, corrected)
    found, rest = _read(body, original, today, guess=glossed is None)
    kept = without_contradicting_types(without_contradiction([one for one in found if one.id not in ignored]))
    return _reading(original, kept, find_topic(rest, original), glossed, corrected)


def load_all() -> None:
    """Read the tables, which are loaded at their first use otherwise."""
    for question in ("papers on sepzis by Ada Lovelace in Nature since 2020", "\u6df1\u5ea6\u5b66\u4e60"):
        parse_intent(question, today=date.min)


def _read(body: str, original: str, today: date, *, guess: bool) -> tuple[list[Found], str]:
    """Let each recognizer read what those before it left; also return the text that is left for the concepts."""
    found: list[Found] = []
    rest = body

    def take(new: list[Found]) -> None:
        nonlocal rest
        found.extend(new)
        rest = without(rest, new)

    take(find_likenesses(rest, original))
    limiting: tuple[Callable[[str], list[Found]], ...] = (
        lambda text: find_years(text, today),
        find_types,
        lambda text: find_authors(text, original),
        lambda text: find_venues(text, original),
        find_venue_years,
        lambda text: find_exclusions(text, original),
    )
    recognizers = limiting
    if _is_claim(body):
        recognizers = ()
        found.extend(
            replace(one, kind="unread", fields={}, note=STATED.format(one.value)) for one in find_years(rest, today)
        )
    take(find_wishes(rest))
    for recognize in recognizers:
        take(recognize(rest))
    concepts = find_concepts(rest, original, guess=guess)
    return sorted([*found, *concepts], key=lambda one: one.start), rest


def _with_titles(intent: ParsedIntent) -> ParsedIntent:
    """Make a subject of the titles of liked papers too; an id says nothing of one."""
    titles = [name for name in intent.likes if not name.startswith(IDS)]
    if not titles:
        return intent
    named = (one.concept for title in titles for one in find_concepts(title, title))
    concepts = dict.fromkeys((*intent.concepts, *(one.text[:MAX_CONCEPT] for one in named if one and not one.is_weak)))
    meaning = " ".join(filter(None, (intent.meaning, *titles)))
    return intent.model_copy(update={"concepts": tuple(concepts)[:MAX_CONCEPTS], "meaning": meaning})


def _is_claim(text: str) -> bool:
    """Report whether a text states something of the world and asks for nothing, so that its years are not of papers."""
    typed = [word.lower() for word in re.findall(r"[\w'-]+", text)]
    asks = any(word in wording().request for word in typed)
    return text.endswith(".") and not ABBREVIATED.search(text) and len(typed) >= MIN_CLAIM and not asks


def _reading(
    original: str, found: list[Found], topic: str, glossed: Glossed | None, corrected: dict[str, str]
) -> Reading:
    parts: dict[str, Interpretation] = {}
    for one in found:
        text = " ".join(original[one.start : one.end].replace(BREAK, " ").split()).strip("\"'`,; ")
        parts.setdefault(one.id, Interpretation(id=one.id, kind=one.kind, text=text or one.value, value=one.value))
    searched = " ".join(original[one.start : one.end] for one in found)
    used = {typed: word for typed, word in corrected.items() if word in searched}
    intent = make_intent(found, topic, used)
    intent = _with_titles(intent)
    used = {typed: word for typed, word in used.items() if american(typed) != word}
    if not intent.concepts and not intent.likes:  # most sources search the authors' names too
        intent = intent.model_copy(update={"concepts": intent.constraints.authors})
    unread = glossed.unread if glossed else ()
    limits = intent.constraints
    apart = (*limits.excluded_terms, *limits.authors, *limits.venues)
    as_typed = glossed.typed_without(apart)[:MAX_CONCEPTS] if glossed else find_title(original)
    intent = intent.model_copy(update={"original": as_typed})
    if not intent.concepts and not intent.likes and unread:
        intent = intent.model_copy(update={"concepts": unread[:MAX_CONCEPTS], "topic": " ".join(unread)[:MAX_TOPIC]})
    for kind, texts in (("correction", used.items()), ("unread", ((word, word) for word in unread))):
        for typed, value in texts:
            name = part_id(kind, value)
            parts.setdefault(
                name, Interpretation.model_validate({"id": name, "kind": kind, "text": typed, "value": value})
            )
    notes = [CORRECTED.format(word, typed) for typed, word in used.items()]
    notes += dict.fromkeys(one.note for one in found if one.note)
    notes += [foreign_note(glossed.tongue, unread)] if glossed else []
    ordered = bounded(sorted(parts.values(), key=lambda part: PART_KINDS.index(part.kind)))
    facts = tuple((one.id, tuple(one.fields)) for one in found if one.fields)
    reading = Reading(intent=intent, parts=ordered, notes=tuple(notes), facts=facts)
    return reading.model_copy(update={"notes": (*reading.notes, NOTHING)}) if reading.empty else reading


def _replaced(text: str, corrected: dict[str, str]) -> str:
    if not corrected:
        return text
    either = "|".join(re.escape(typed) for typed in sorted(corrected, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{either})(?!\w)", lambda match: corrected[match[0]], text)


def _requoted(text: str, original: str) -> str:
    """Put the quoted texts back in their places."""
    quoted = iter(_QUOTED.findall(original))
    return re.sub(rf"{QUOTE}+", lambda _match: next(quoted, ""), text)
