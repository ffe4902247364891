"""Read a question for repositories: its subject, limits, exclusions and likenesses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import reduce

from goldpan.contracts import Interpretation
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.products import product_subject
from goldpan.kinds.repositories.question.lexicon import RepositoryLexicon
from goldpan.kinds.repositories.question.licenses import find_licenses
from goldpan.kinds.repositories.question.likeness import find_likenesses, like
from goldpan.kinds.repositories.question.limits import find_days, find_intents, find_stars
from goldpan.kinds.repositories.question.qualifiers import find_qualifiers
from goldpan.kinds.repositories.question.reading import Reading, RepositorySpan, Term, TermClass
from goldpan.kinds.repositories.question.terms import find_terms
from goldpan.kinds.repositories.question.wording import CUES, built_in, wording
from goldpan.question.corrections import Corrected, correct
from goldpan.question.grammar import in_full, patterns
from goldpan.question.negation import Negations, may_be_subject, without_doubt
from goldpan.question.question_text import QuestionText, joined, protected, tidied
from goldpan.question.spans import CORRECTED, NOTHING, foreign_note, in_order, without
from goldpan.question.spelling import KnownWords
from goldpan.question.word_translation import WordTranslation, read_foreign
from goldpan.text import words

GREEK = "\u0370"
"""The first character after the Latin letters; of others, one unknown word alone is no question to search for."""


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
    qualifiers = find_qualifiers(text)
    lexicon = RepositoryLexicon(known)
    source = in_full(protected(without(text, qualifiers), wording().patterns["names"]))
    foreign = read_foreign(source, lexicon)
    corrected = Corrected(source)
    if foreign:
        source = foreign.source.substitute(wording().patterns["names"], joined)
    elif known is not None:
        corrected = correct(source, known, ignored, never=built_in())
        source = corrected.source
    reader = _Reader(
        source, lexicon, today, strict_stars=strict_stars, corrected=corrected, unread=foreign and foreign.unread
    )
    spans = [*reader.read(numbers=any("stars" in name for one in qualifiers for name in one.fields))]
    if foreign:
        values = {one.value for one in spans}
        foreign = foreign._replace(unread=tuple(word for word in foreign.unread if word not in values))
    shown = {id(one): text[one.start : one.end] for one in qualifiers}
    found = [
        one for one in (*qualifiers, *spans, *reader.corrections(spans), *_unread(foreign)) if one.id not in ignored
    ]
    return _reading(question, _with_subject(found), source, shown, foreign)


def load_all() -> None:
    """Read all tables, which are loaded at their first use otherwise."""
    for question in ("popular parser since 2025, MIT, >5k, not Java", "\u4e0d"):
        read_question(question, today=date.max)


@dataclass(frozen=True)
class _Reader:
    """Reads the parts of a question, each from what those before it left."""

    source: QuestionText
    lexicon: RepositoryLexicon
    today: date
    strict_stars: bool
    corrected: Corrected
    unread: tuple[str, ...] | None
    """The words of another language that no table has; None for a question in English."""

    def read(self, *, numbers: bool) -> list[RepositorySpan]:
        """Read all spans, in the order of the question; `numbers` says whether a qualifier limits the stars."""
        rest = self.source.text
        found: list[RepositorySpan] = []

        def take(new: list[RepositorySpan]) -> None:
            nonlocal rest
            found.extend(new)
            rest = without(rest, new)

        take(find_stars(rest))
        take(find_days(rest, self.today))
        take(_wishes(rest))
        take(Negations(self.lexicon, self.source, self.unread is not None).find(rest))
        take(find_likenesses(rest, self.source))
        take(find_licenses(rest))
        numbers = numbers or any("stars" in name for one in found for name in one.fields)
        intents = find_intents(rest, numbers=numbers, strict=self.strict_stars)
        terms = find_terms(without(rest, intents), self.source)
        names = {name.lower() for one in found for name in one.names}
        terms = [one for one in terms if one.value.lower() not in names]
        if not terms and not any(one.names for one in found):  # the words of intent, or of what was not read
            found = [one for one in found if one.kind != "unread" and not may_be_subject(one)]
            terms, intents = find_terms(without(self.source.text, found), self.source), []
            terms = terms or [_as_it_stands(word) for word in self.unread or () if found or max(word) < GREEK]
        spans = without_doubt([*found, *intents, *terms], rest, self.source)
        return [self._as_typed(one) for one in sorted(_with_likeness(spans), key=lambda one: one.start)]

    def _as_typed(self, one: RepositorySpan) -> RepositorySpan:
        """Give a name back as typed, since a name that nothing knows is no misspelling; let a term know both spellings.

        What became the name of a well-known product stays corrected: "Notoin" is no other thing.
        """
        typed = self.source.typed(one.start, one.end)
        if one.names:
            names = tuple(name if product_subject(name) else self.corrected.as_typed(name) for name in one.names)
            return replace(one, names=names, value=f"like {' or '.join(names)}")
        if one.term is not None and one.term.part != "form" and one.kind == "term":
            typed_words = tuple(words(typed))
            if typed_words and typed_words != one.term.words and self._is_other_spelling(one):
                return replace(
                    one, term=one.term.model_copy(update={"typed": tuple(word.lower() for word in typed.split())})
                )
        return one

    def _is_other_spelling(self, one: RepositorySpan) -> bool:
        return any(place.start < one.end and one.start < place.end for place in self.source.replaced)

    def corrections(self, spans: list[RepositorySpan]) -> Iterator[RepositorySpan]:
        """Yield what is shown as corrected, where a part of the reading uses it."""
        used = " ".join(
            " ".join(filter(product_subject, one.names))
            if one.kind == "likeness"
            else self.source.text[one.start : one.end]
            for one in spans
        )
        for typed, word in self.corrected.mistakes(used.lower()):
            yield RepositorySpan(0, 0, "correction", word, note=CORRECTED.format(word, typed), names=())


def _wishes(text: str) -> list[RepositorySpan]:
    """Read what is worded like an exclusion and asks for something: "no dependencies", "host it myself"."""
    return [
        RepositorySpan(
            match.start(), match.end(), "term", meant, term=Term(words=tuple(meant.split()), part=_part(meant))
        )
        for meant, pattern in patterns("wishes", CUES).items()
        for match in pattern.finditer(text)
    ]


def _as_it_stands(word: str) -> RepositorySpan:
    return RepositorySpan(0, 0, "term", word, term=Term(words=(word.lower(),), part="subject"))


def _part(meant: str) -> TermClass:
    return "platform" if meant == "self hosted" else "context"


def _with_likeness(spans: list[RepositorySpan]) -> list[RepositorySpan]:
    """Read "tired of Jira", which names no subject of its own, as the wish for something like it."""
    asks = any(one.names or (one.term and one.term.part != "preference") or one.fields.get("topics") for one in spans)
    if asks:
        return spans
    return [
        like(one.start, one.end, tuple(map(str, terms)))
        if one.kind == "exclusion" and isinstance(terms := one.fields.get("excluded_terms", ()), tuple) and terms
        else one
        for one in spans
    ]


def _unread(foreign: WordTranslation | None) -> list[RepositorySpan]:
    return [RepositorySpan(0, 0, "unread", word) for word in (foreign.unread if foreign else ())]


def _with_subject(found: list[RepositorySpan]) -> list[RepositorySpan]:
    """Make subjects of the context, or else of the other words, where a question has no other subject."""
    terms = [one.term for one in found if one.term is not None]
    if any(term.part in ("subject", "platform") for term in terms) or any(one.names for one in found):
        return found
    weak = next((part for part in ("context", "form", "preference") if any(term.part == part for term in terms)), None)
    return [
        replace(one, term=one.term.model_copy(update={"part": "subject"}))
        if one.term and one.term.part == weak
        else one
        for one in found
    ]


def _reading(
    question: str,
    found: list[RepositorySpan],
    source: QuestionText,
    shown: Mapping[int, str],
    foreign: WordTranslation | None,
) -> Reading:
    parts = [Interpretation(id=one.id, kind=one.kind, value=one.value, text=_text(one, source, shown)) for one in found]
    notes = [*dict.fromkeys(one.note for one in found if one.note)]
    notes += [foreign_note(foreign.language, foreign.unread)] if foreign else []
    reading = Reading(
        question=question,
        parts=tuple(in_order(parts)),
        terms=tuple(dict.fromkeys(one.term for one in found if one.term is not None)),
        constraints=reduce(Constraints.adding, (one.fields for one in found), Constraints()),
        likenesses=tuple(dict.fromkeys(name for one in found for name in one.names)),
        language=foreign.language if foreign else None,
        notes=tuple(notes),
    )
    return reading.model_copy(update={"notes": (*reading.notes, NOTHING)}) if reading.empty else reading


def _text(one: RepositorySpan, source: QuestionText, shown: Mapping[int, str]) -> str:
    """Return what was typed where a part was read."""
    if one.kind == "correction":
        return one.note.rpartition("you typed ")[2].rstrip(").")
    return shown.get(id(one)) or source.typed(one.start, one.end) or one.value
