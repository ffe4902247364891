"""Read a question for papers by rules: what it is about, what the papers must and must not be, and the order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from goldpan.contracts import Interpretation
from goldpan.kinds.papers.models import ParsedIntent
from goldpan.kinds.papers.question.authors import find_authors
from goldpan.kinds.papers.question.concepts import concepts_of, find_concepts
from goldpan.kinds.papers.question.intent import (
    MAX_CONCEPT,
    MAX_CONCEPTS,
    MAX_TOPIC,
    find_title,
    find_topic,
    make_intent,
)
from goldpan.kinds.papers.question.lexicon import LEXICON, is_surely_misspelled, paper_words
from goldpan.kinds.papers.question.likeness import IDS, find_likenesses
from goldpan.kinds.papers.question.reading import PaperSpan, Reading
from goldpan.kinds.papers.question.types import find_access_and_order, find_types, without_contradicting_types
from goldpan.kinds.papers.question.venues import find_venues
from goldpan.kinds.papers.question.years import find_years, without_contradiction
from goldpan.question.corrections import Corrected, correct
from goldpan.question.doubt import without_doubt
from goldpan.question.grammar import in_full
from goldpan.question.negation import Negations, may_be_subject
from goldpan.question.question_text import QuestionText, protected, tidied
from goldpan.question.spans import CORRECTED, NOTHING, bounded, foreign_note, in_order, without
from goldpan.question.word_translation import WordTranslation, read_foreign
from goldpan.text import words

STATED = "“{}” does not limit the papers, since the question is read as a statement: without its full stop it would."
MIN_CLAIM = 5
"""Words of a sentence that is a claim."""
ABBREVIATED = re.compile(r"\b[A-Z]\w*\.\s+(?:[A-Z]\w*\.?\s+)*[A-Z]\w*\.$")
"""The end of a text that is an abbreviated name, not the end of a sentence: "Phys. Rev. Lett."."""


def parse_intent(question: str, *, today: date, ignore: Sequence[str] = ()) -> Reading:
    """Read a question of any text, without input or output; `ignore` has the ids of parts to leave out."""
    ignored = frozenset(ignore)
    source = in_full(protected(tidied(question)))
    foreign = read_foreign(source, LEXICON, "papers")
    corrected = Corrected(source)
    if foreign:
        source = foreign.source
    else:
        corrected = correct(source, paper_words, ignored, is_surely_misspelled)
        source = corrected.source
    found, rest = _read(source, today, guess=foreign is None)
    kept = without_contradicting_types(without_contradiction([one for one in found if one.id not in ignored]))
    return _reading(source, kept, find_topic(rest, source), foreign, corrected)


def load_all() -> None:
    """Read the tables, which are loaded at their first use otherwise."""
    for question in ("papers on sepzis by Ada Lovelace in Nature since 2020", "\u6df1\u5ea6\u5b66\u4e60"):
        parse_intent(question, today=date.min)


def _read(source: QuestionText, today: date, *, guess: bool) -> tuple[list[PaperSpan], str]:
    """Read each part from what those before it left; also return the text that is left for the concepts."""
    found: list[PaperSpan] = []
    rest = source.text

    def take(new: list[PaperSpan]) -> None:
        nonlocal rest
        found.extend(new)
        rest = without(rest, new)

    take(find_likenesses(source))
    take(find_access_and_order(rest))
    if _is_claim(source.text):
        found += [one.unread(STATED.format(one.value)) for one in find_years(rest, today)]
    else:
        take(find_years(rest, today))
        take(Negations(LEXICON, source, is_foreign=not guess).find(rest))
        take(find_types(rest))
        take(find_authors(rest, source))
        take(find_venues(rest, source.text))
        take(find_years(rest, today))
    concepts = find_concepts(rest, source, guess=guess)
    if not concepts and not any(one.names for one in found):
        found = [one for one in found if not may_be_subject(one)]
        rest = without(source.text, found)
        concepts = find_concepts(rest, source, guess=guess)
    found = without_doubt(found, rest, source, LEXICON)
    return sorted([*found, *concepts], key=lambda one: one.start), rest


def _is_claim(text: str) -> bool:
    """Report whether a text states something of the world and asks for nothing, so that its years are not of papers."""
    typed = [word.lower() for word in re.findall(r"[\w'-]+", text)]
    asks = any(word in LEXICON.words["request"] for word in typed)
    return text.endswith(".") and not ABBREVIATED.search(text) and len(typed) >= MIN_CLAIM and not asks


def _with_titles(intent: ParsedIntent) -> ParsedIntent:
    """Make a subject of the titles of liked papers too; an id says nothing of one."""
    titles = [name for name in intent.likes if not name.startswith(IDS)]
    if not titles:
        return intent
    named = (one.text[:MAX_CONCEPT] for title in titles for one in concepts_of(title) if not one.is_weak)
    concepts = dict.fromkeys((*intent.concepts, *named))
    meaning = " ".join(filter(None, (intent.meaning, *titles)))
    return intent.model_copy(update={"concepts": tuple(concepts)[:MAX_CONCEPTS], "meaning": meaning})


def _reading(
    source: QuestionText, found: list[PaperSpan], topic: str, foreign: WordTranslation | None, corrected: Corrected
) -> Reading:
    searched = " ".join(source.text[one.start : one.end] for one in found).lower()
    used = {typed: word for typed, word in corrected.words.items() if word in searched}
    mistakes = [(typed, word) for typed, word in corrected.mistakes(searched) if typed in used]
    intent = _searchable(_with_titles(make_intent(found, topic, used)), source, foreign)
    parts = [
        Interpretation(id=one.id, kind=one.kind, value=one.value, text=source.typed(one.start, one.end) or one.value)
        for one in found
    ]
    extra = [PaperSpan(0, 0, "correction", word, note=typed) for typed, word in mistakes]
    extra += [PaperSpan(0, 0, "unread", word, note=word) for word in (foreign.unread if foreign else ())]
    parts += [Interpretation(id=one.id, kind=one.kind, value=one.value, text=one.note) for one in extra]
    notes = [CORRECTED.format(word, typed) for typed, word in mistakes]
    notes += dict.fromkeys(one.note for one in found if one.note)
    notes += [foreign_note(foreign.language, foreign.unread)] if foreign else []
    facts = tuple((one.id, tuple(one.fields)) for one in found if one.fields)
    reading = Reading(intent=intent, parts=bounded(in_order(parts)), notes=tuple(notes), facts=facts)
    return reading.model_copy(update={"notes": (*reading.notes, NOTHING)}) if reading.empty else reading


def _searchable(intent: ParsedIntent, source: QuestionText, foreign: WordTranslation | None) -> ParsedIntent:
    """Search for the authors where nothing else is asked for, and for the words of another language as typed."""
    if not intent.concepts and not intent.likes:  # most sources search the authors' names too
        intent = intent.model_copy(update={"concepts": intent.constraints.authors})
    limits = intent.constraints
    apart = {word for text in (*limits.excluded_terms, *limits.authors, *limits.venues) for word in words(text)}
    if foreign is None:
        return intent.model_copy(update={"original": find_title(source.text)})
    typed = (
        one for one, english in foreign.typed.items() if _is_subject(english) and not apart.issuperset(words(english))
    )
    intent = intent.model_copy(update={"original": tuple(typed)[:MAX_CONCEPTS]})
    if not intent.concepts and not intent.likes and foreign.unread:
        topic = " ".join(foreign.unread)[:MAX_TOPIC]
        intent = intent.model_copy(update={"concepts": foreign.unread[:MAX_CONCEPTS], "topic": topic})
    return intent


def _is_subject(english: str) -> bool:
    return tuple(words(english)) not in LEXICON.phrases["asking"] and LEXICON.is_content(english.lower())
