"""Read a question for repositories: its subject, limits, exclusions and likenesses."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from goldpan.engine.interpretation import NOTHING
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.question.lexicon import LEXICON, RepositorySpan, Term, find_licenses
from goldpan.kinds.repositories.question.likeness import find_likenesses, like
from goldpan.kinds.repositories.question.limits import find_days, find_intents, find_qualifiers, find_stars
from goldpan.kinds.repositories.question.terms import find_terms
from goldpan.kinds.repositories.vocabulary import product_subject
from goldpan.kinds.wishes import Read, facts_of
from goldpan.known_words import KnownWords
from goldpan.question.question_text import joined_fields, tidied, without
from goldpan.question.reader import QuestionReader, question_reader
from goldpan.text import words


class Reading(Read):
    """What a question asks for."""

    terms: tuple[Term, ...] = ()
    """In the order of the question."""
    constraints: Constraints = Constraints()
    likenesses: tuple[str, ...] = ()
    """Names to look up: the question asks for repositories like them."""

    @property
    def empty(self) -> bool:
        """Report whether nothing is left to search for."""
        if self.likenesses or self.constraints.topics or self.constraints.languages:
            return False
        return all(term.part == "preference" for term in self.terms)


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
    text = tidied(question)
    qualifiers = find_qualifiers(text)
    reader = question_reader(without(text, qualifiers), LEXICON, known, ignore)
    steps = (
        find_stars,
        partial(find_days, today=today),
        reader.negations.find,
        partial(find_likenesses, source=reader.source),
        find_licenses,
    )
    spans, _ = reader.read(
        steps,
        partial(_find_terms, reader, qualifiers, strict=strict_stars),
        lambda word: Term(words=(word.lower(),), part="subject"),
    )
    spans = [_as_typed(one, reader) for one in _with_likeness(spans)]
    spans = [one for one in (*qualifiers, *spans) if one.id not in reader.ignored]
    parts, notes = reader.shown(spans)
    names = tuple(dict.fromkeys(name for one in spans for name in one.names))
    terms = [one.term for one in spans if one.term is not None]
    reading = Reading(
        parts=parts,
        terms=tuple(dict.fromkeys(terms if names else _with_subject(terms))),
        constraints=Constraints.model_validate(joined_fields(spans)),
        likenesses=names,
        notes=notes,
        facts=facts_of(spans),
    )
    return reading.model_copy(update={"notes": (*notes, NOTHING)}) if reading.empty else reading


def _find_terms(
    reader: QuestionReader, typed: Sequence[RepositorySpan], rest: str, found: Sequence[RepositorySpan], *, strict: bool
) -> list[RepositorySpan]:
    """Find the words of intent and the terms; a word of intent alone is the subject; `typed` has the qualifiers."""
    numbers = any("stars" in name for one in (*typed, *found) for name in one.fields)
    names = {name.lower() for one in found for name in one.names}
    intents = find_intents(rest, numbers=numbers, strict=strict)
    terms = [one for one in find_terms(without(rest, intents), reader.source) if one.value.lower() not in names]
    return [*intents, *terms] if terms or names else find_terms(rest, reader.source)


def _as_typed(one: RepositorySpan, reader: QuestionReader) -> RepositorySpan:
    """Give a name back as typed, since a name that nothing knows is no misspelling; let a term know both spellings.

    What became the name of a well-known product stays corrected; a platform that is only preferred weighs as context.
    """
    if one.names:
        wrong = {word: typed for typed, word in reader.corrections.items()}
        as_typed = [re.sub(r"[\w-]+", lambda word: wrong.get(word[0].lower(), word[0]), name) for name in one.names]
        names = (name if product_subject(name) else typed for name, typed in zip(one.names, as_typed, strict=True))
        return like(one.start, one.end, tuple(names))
    if one.kind != "term" or one.term is None or one.term.part == "form":
        return one
    if one.note:
        return replace(one, term=one.term.model_copy(update={"part": "context"}))
    typed = reader.source.typed(one.start, one.end).lower()
    if not reader.source.is_replaced(one.start, one.end) or tuple(words(typed)) in ((), one.term.words):
        return one
    return replace(one, term=one.term.model_copy(update={"typed": tuple(typed.split())}))


def _with_likeness(spans: list[RepositorySpan]) -> list[RepositorySpan]:
    """Read "tired of Jira", which names no subject of its own, as the wish for something like it."""
    if any(one.names or (one.term and one.term.part != "preference") or one.fields.get("topics") for one in spans):
        return spans
    return [
        like(one.start, one.end, (one.value.removeprefix("not "),)) if one.fields.get("excluded_terms") else one
        for one in spans
    ]


def _with_subject(terms: Sequence[Term]) -> list[Term]:
    """Make subjects of the context, or else of the other words, where a question has no other subject."""
    parts = {term.part for term in terms}
    best = next((part for part in ("subject", "platform", "context", "form", "preference") if part in parts), None)
    return [term.model_copy(update={"part": "subject"}) if term.part == best != "platform" else term for term in terms]
