"""Parse a question for papers by rules: what it is about, what the papers must and must not be, and the order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from goldpan.contracts import Interpretation
from goldpan.kinds.papers.constraints import MAX_VALUES, Constraints
from goldpan.kinds.papers.models import Domain, ParsedIntent
from goldpan.kinds.papers.question.authors import find_authors
from goldpan.kinds.papers.question.concepts import find_concepts
from goldpan.kinds.papers.question.exclusions import find_exclusions
from goldpan.kinds.papers.question.foreign import Glossed, read_foreign
from goldpan.kinds.papers.question.likeness import find_likenesses
from goldpan.kinds.papers.question.paper_types import find_types, find_wishes
from goldpan.kinds.papers.question.parts import QUOTE, Concept, Found, Reading
from goldpan.kinds.papers.question.venues import find_venues
from goldpan.kinds.papers.question.wording import american, british_spellings, misspellings, wording
from goldpan.kinds.papers.question.years import find_venue_years, find_years
from goldpan.question.parts import (
    BREAK,
    CORRECTED,
    NOTHING,
    PART_KINDS,
    blanked,
    bounded,
    foreign_note,
    part_id,
    tidied,
    without,
)
from goldpan.text import words

MAX_CONCEPTS, MAX_CONCEPT, MAX_TOPIC, MAX_LIKES = 10, 100, 200, 3
MIN_CLAIM = 5
"""Words of a sentence that is a claim."""
MIN_CAPITALS, MAX_SMALL = 4, 3
"""What makes a title of a text: words with a capital, and the letters of those that need none."""
_SMALL = frozenset(
    [
        "with",
        "from",
        "into",
        "over",
        "under",
        "upon",
        "versus",
        "than",
        "that",
        "between",
        "through",
        "toward",
        "towards",
        "without",
        "using",
        "about",
    ]
)
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
    kept = [one for one in found if one.id not in ignored]
    return _reading(original, kept, _topic(rest, original), glossed, corrected)


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
        find_venues,
        find_venue_years,
        lambda text: find_exclusions(text, original),
    )
    recognizers = () if _is_claim(body) else limiting
    take(find_wishes(rest))
    for recognize in recognizers:
        take(recognize(rest))
    concepts = find_concepts(rest, original, guess=guess)
    return sorted([*found, *concepts], key=lambda one: one.start), rest


def _is_claim(text: str) -> bool:
    """Report whether a text states something of the world and asks for nothing, so that its years are not of papers."""
    typed = [word.lower() for word in re.findall(r"[\w'-]+", text)]
    return text.endswith(".") and len(typed) >= MIN_CLAIM and not any(word in wording().request for word in typed)


def _reading(
    original: str, found: list[Found], topic: str, glossed: Glossed | None, corrected: dict[str, str]
) -> Reading:
    parts: dict[str, Interpretation] = {}
    for one in found:
        text = " ".join(original[one.start : one.end].replace(BREAK, " ").split()).strip("\"'`,; ")
        parts.setdefault(one.id, Interpretation(id=one.id, kind=one.kind, text=text or one.value, value=one.value))
    searched = " ".join(original[one.start : one.end] for one in found)
    used = {typed: word for typed, word in corrected.items() if word in searched}
    intent = _intent(found, topic, used)
    used = {typed: word for typed, word in used.items() if american(typed) != word}
    if not intent.concepts and not intent.likes:  # most sources search the authors' names too
        intent = intent.model_copy(update={"concepts": intent.constraints.authors})
    unread = glossed.unread if glossed else ()
    as_typed = glossed.typed[:MAX_CONCEPTS] if glossed else _title(original)
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


def _intent(found: list[Found], topic: str, corrected: dict[str, str]) -> ParsedIntent:
    concepts = _unique([one.concept for one in found if one.concept])
    leads = [one for one in concepts if one.alternative_to not in {other.text for other in concepts}]
    strong = [one for one in leads if not one.is_weak] or leads
    ordered = [*strong, *(one for one in leads if one not in strong)][:MAX_CONCEPTS]
    likes = tuple(dict.fromkeys(name[:MAX_TOPIC] for one in found for name in one.likes))[:MAX_LIKES]
    return ParsedIntent(
        topic=topic or " ".join(one.text for one in ordered)[:MAX_TOPIC] or (likes[0] if likes else ""),
        concepts=tuple(one.text[:MAX_CONCEPT] for one in ordered),
        synonyms=_synonyms(ordered, concepts, corrected),
        related={one.text: one.related for one in ordered if one.related},
        methods=tuple(one.text for one in ordered if one.is_method),
        exact=tuple(one.text for one in ordered if one.is_exact),
        weak=tuple(one.text for one in ordered if one not in strong),
        domain=_domain(ordered),
        constraints=constraints_of(found),
        preferences=tuple(dict.fromkeys(one.preference for one in found if one.preference)),
        meaning=topic or " ".join(one.text for one in ordered),
        likes=likes,
    )


def _unique(concepts: list[Concept]) -> list[Concept]:
    """Join what stands for the same concept, as in "retrieval augmented generation (RAG)"."""
    by_text: dict[str, Concept] = {}
    for one in concepts:
        key = " ".join(words(one.text)) or one.text
        known = by_text.get(key)
        by_text[key] = replace(known, wordings=tuple(dict.fromkeys((*known.wordings, *one.wordings)))) if known else one
    return list(by_text.values())


def _synonyms(leads: list[Concept], concepts: list[Concept], corrected: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the other wordings of each concept: what the question gives, what is known, and the word as typed."""
    synonyms: dict[str, tuple[str, ...]] = {}
    for lead in leads:
        asked = [text for one in concepts if one.alternative_to == lead.text for text in (one.text, *one.wordings)]
        typed = lead.text
        for wrong, word in corrected.items():
            typed = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", wrong, typed)
        wordings = dict.fromkeys((*asked, *lead.wordings, *((typed,) if typed != lead.text else ())))
        if wordings := {text: None for text in wordings if text.casefold() != lead.text.casefold()}:
            synonyms[lead.text[:MAX_CONCEPT]] = tuple(text[:MAX_CONCEPT] for text in wordings)[:MAX_VALUES]
    return synonyms


def constraints_of(found: Sequence[Found]) -> Constraints:
    """Put the constraints together: lists are joined, of two years the narrower counts."""
    fields: dict[str, Any] = {}
    for one in found:
        for name, value in one.fields.items():
            if isinstance(value, tuple):
                bounded_values = (text[:MAX_CONCEPT] for text in value)
                fields[name] = tuple(dict.fromkeys((*fields.get(name, ()), *bounded_values)))[:MAX_VALUES]
            elif name == "year_from":
                fields[name] = max(value, fields.get(name, value))
            elif name == "year_to":
                fields[name] = min(value, fields.get(name, value))
            else:
                fields[name] = value
    if fields.get("year_from", 0) > fields.get("year_to", 9999):  # two years that exclude each other: both were meant
        fields["year_from"], fields["year_to"] = fields["year_to"], fields["year_from"]
    return Constraints(**fields)


def _domain(concepts: list[Concept]) -> Domain:
    """Return the field of most concepts, of the first ones where several have as many."""
    counts = Counter(one.domain for one in concepts if one.domain)
    return counts.most_common(1)[0][0] if counts else "general"


def _topic(rest: str, original: str) -> str:
    """Return the text that is left, with its quoted texts, from its first to its last word of the subject."""
    for match in wording().request_phrases.finditer(rest):
        rest = blanked(rest, match.start(), match.end())
    whole = "".join(typed if left == QUOTE else left for left, typed in zip(rest, original, strict=True))
    tokens = [token for token in re.sub(rf"[{BREAK}\"`]", " ", whole).split() if re.search(r"[^\W\d]|\d\D|\D\d", token)]
    subject = [place for place, token in enumerate(tokens) if wording().is_subject(token.strip(".,;:?!()\"'").lower())]
    topic = " ".join(tokens[subject[0] : subject[-1] + 1]).strip(".,;:?!- ")[:MAX_TOPIC] if subject else ""
    return topic if topic.count("(") == topic.count(")") else re.sub(r"[()]", "", topic)


def _title(text: str) -> tuple[str, ...]:
    """Return a text that has the capitals of a title, which may be what was copied."""
    typed = re.findall(r"[^\W\d_][\w'-]*", text)
    capitals = sum(word[0].isupper() for word in typed)
    plain = any(word[0].islower() and len(word) > MAX_SMALL and word not in _SMALL for word in typed)
    return (
        (" ".join(re.sub(r"[\"`]", " ", text).split()).strip(" .?!")[:MAX_TOPIC],)
        if capitals >= MIN_CAPITALS and not plain
        else ()
    )


def _replaced(text: str, corrected: dict[str, str]) -> str:
    if not corrected:
        return text
    either = "|".join(re.escape(typed) for typed in sorted(corrected, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{either})(?!\w)", lambda match: corrected[match[0]], text)


def _requoted(text: str, original: str) -> str:
    """Put the quoted texts back in their places."""
    quoted = iter(_QUOTED.findall(original))
    return re.sub(rf"{QUOTE}+", lambda _match: next(quoted, ""), text)
