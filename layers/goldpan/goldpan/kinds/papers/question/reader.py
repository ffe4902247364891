"""Read a question for papers by rules: what it is about, what the papers must and must not be, and the order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import partial

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
from goldpan.kinds.papers.question.lexicon import LEXICON, paper_words
from goldpan.kinds.papers.question.likeness import IDS, find_likenesses
from goldpan.kinds.papers.question.limits import find_access_and_order, find_types, find_years, without_contradictions
from goldpan.kinds.papers.question.reading import PaperSpan, Reading
from goldpan.kinds.papers.question.venues import find_venues
from goldpan.question.question_text import QuestionText, tidied
from goldpan.question.reader import QuestionReader, question_reader
from goldpan.question.spans import NOTHING
from goldpan.question.word_translation import WordTranslation
from goldpan.text import words

STATED = "“{}” does not limit the papers, since the question is read as a statement: without its full stop it would."
MIN_CLAIM = 5
"""Words of a sentence that is a claim."""
ABBREVIATED = re.compile(r"\b[A-Z]\w*\.\s+(?:[A-Z]\w*\.?\s+)*[A-Z]\w*\.$")
"""The end of a text that is an abbreviated name, not the end of a sentence: "Phys. Rev. Lett."."""


def parse_intent(question: str, *, today: date, ignore: Iterable[str] = ()) -> Reading:
    """Read a question of any text, without input or output; `ignore` has the ids of parts to leave out."""
    reader = question_reader(tidied(question), LEXICON, paper_words, ignore, "papers")
    source, years = reader.source, partial(find_years, today=today)
    steps: list[Callable[[str], Sequence[PaperSpan]]] = [lambda _: find_likenesses(source), find_access_and_order]
    if _is_claim(source.text):
        steps.append(lambda rest: [one.unread(STATED.format(one.value)) for one in years(rest)])
    else:
        steps += [years, reader.negations.find, find_types, partial(find_authors, source=source)]
        steps += [partial(find_venues, original=source.text), years]
    find_terms = partial(find_concepts, source=source, guess=reader.foreign is None)
    found, rest = reader.read(steps, lambda rest, _: find_terms(rest))
    return _reading(reader, without_contradictions(reader.kept(found)), find_topic(rest, source))


def load_all() -> None:
    """Read the tables, which are loaded at their first use otherwise."""
    for question in ("papers on sepzis by Ada Lovelace in Nature since 2020", "\u6df1\u5ea6\u5b66\u4e60"):
        parse_intent(question, today=date.min)


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


def _reading(reader: QuestionReader, found: list[PaperSpan], topic: str) -> Reading:
    parts, notes = reader.shown(found)
    intent = _with_titles(make_intent(found, topic, reader.corrected.words))
    intent = _searchable(intent, reader.source, reader.foreign)
    facts = tuple((one.id, tuple(one.fields)) for one in found if one.fields)
    reading = Reading(intent=intent, parts=parts, notes=notes, facts=facts)
    return reading.model_copy(update={"notes": (*notes, NOTHING)}) if reading.empty else reading


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
