"""Read a question for repositories: its subject, limits, exclusions and likenesses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial, reduce

from goldpan.contracts import Interpretation
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.products import product_subject
from goldpan.kinds.repositories.question.cues import find_cues
from goldpan.kinds.repositories.question.lexicon import LEXICON, built_in
from goldpan.kinds.repositories.question.licenses import find_licenses
from goldpan.kinds.repositories.question.likeness import find_likenesses, like
from goldpan.kinds.repositories.question.limits import find_days, find_intents, find_stars
from goldpan.kinds.repositories.question.qualifiers import find_qualifiers
from goldpan.kinds.repositories.question.reading import Reading, RepositorySpan, Term
from goldpan.kinds.repositories.question.terms import find_terms
from goldpan.kinds.repositories.vocabulary import platform_of
from goldpan.question.corrections import Corrected, correct
from goldpan.question.doubt import without_doubt
from goldpan.question.grammar import in_full
from goldpan.question.negation import Negations, may_be_subject
from goldpan.question.question_text import QuestionText, joined, protected, tidied
from goldpan.question.spans import CORRECTED, NOTHING, foreign_note, in_order, without
from goldpan.question.spelling import KnownWords
from goldpan.question.word_translation import read_foreign
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
    source = in_full(protected(without(text, qualifiers), LEXICON.patterns["names"]))
    foreign = read_foreign(source, LEXICON)
    corrected = Corrected(source)
    if foreign:
        corrected = Corrected(foreign.source.substitute(LEXICON.patterns["names"], joined))
    elif known is not None:
        corrected = correct(source, known, ignored, never=built_in())
    reader = _Reader(corrected, today, strict_stars, foreign and foreign.unread)
    spans = reader.read(numbers=_limits_stars(qualifiers))
    unread = [word for word in (foreign.unread if foreign else ()) if word not in {one.value for one in spans}]
    shown = [
        *((one, text[one.start : one.end]) for one in qualifiers),
        *((one, reader.source.typed(one.start, one.end) or one.value) for one in spans),
        *reader.corrections(spans),
        *((RepositorySpan(0, 0, "unread", word), word) for word in unread),
    ]
    shown = [(one, typed) for one, typed in shown if one.id not in ignored]
    return _reading(shown, [foreign_note(foreign.language, unread)] if foreign else [])


def _reading(shown: Sequence[tuple[RepositorySpan, str]], notes: Sequence[str]) -> Reading:
    """Put the spans together, each with what was typed there; further notes follow theirs."""
    parts = [Interpretation(id=one.id, kind=one.kind, value=one.value, text=typed) for one, typed in shown]
    notes = (*dict.fromkeys(one.note for one, _ in shown if one.note), *notes)
    names = tuple(dict.fromkeys(name for one, _ in shown for name in one.names))
    terms = [one.term for one, _ in shown if one.term is not None]
    reading = Reading(
        parts=tuple(in_order(parts)),
        terms=tuple(dict.fromkeys(terms if names else _with_subject(terms))),
        constraints=reduce(Constraints.adding, (one.fields for one, _ in shown), Constraints()),
        likenesses=names,
        notes=notes,
    )
    return reading.model_copy(update={"notes": (*notes, NOTHING)}) if reading.empty else reading


def load_all() -> None:
    """Read all tables, which are loaded at their first use otherwise."""
    for question in ("popular parser since 2025, MIT, >5k, not Java", "\u4e0d"):
        read_question(question, today=date.max)


def _limits_stars(spans: Iterable[RepositorySpan]) -> bool:
    return any("stars" in name for one in spans for name in one.fields)


@dataclass(frozen=True)
class _Reader:
    """Reads the parts of a question, each from what those before it left."""

    corrected: Corrected
    today: date
    strict_stars: bool
    unread: tuple[str, ...] | None
    """The words of another language that no table has; None for a question in English."""

    @property
    def source(self) -> QuestionText:
        return self.corrected.source

    def read(self, *, numbers: bool) -> list[RepositorySpan]:
        """Read all spans, in the order of the question; `numbers` says whether a qualifier limits the stars."""
        rest = self.source.text
        found: list[RepositorySpan] = []
        for find in (
            find_stars,
            partial(find_days, today=self.today),
            _find_wishes,
            Negations(LEXICON, self.source, self.unread is not None).find,
            partial(find_likenesses, source=self.source),
            find_licenses,
        ):
            new = find(rest)
            found += new
            rest = without(rest, new)
        intents = find_intents(rest, numbers=numbers or _limits_stars(found), strict=self.strict_stars)
        names = {name.lower() for one in found for name in one.names}
        terms = [one for one in find_terms(without(rest, intents), self.source) if one.value.lower() not in names]
        if not terms and not names:  # the words of intent, or of what was not read
            found = [one for one in found if one.kind != "unread" and not may_be_subject(one)]
            terms, intents = find_terms(without(self.source.text, found), self.source), []
            terms = terms or [_as_it_stands(word) for word in self.unread or () if found or max(word) < GREEK]
        spans = _with_likeness(without_doubt([*found, *intents, *terms], rest, self.source, LEXICON))
        return [self._as_typed(one) for one in sorted(spans, key=lambda one: one.start)]

    def _as_typed(self, one: RepositorySpan) -> RepositorySpan:
        """Give a name back as typed, since a name that nothing knows is no misspelling; let a term know both spellings.

        What became the name of a well-known product stays corrected: "Notoin" is no other thing.
        """
        if one.names:
            names = (name if product_subject(name) else self.corrected.as_typed(name) for name in one.names)
            return like(one.start, one.end, tuple(names))
        if one.kind != "term" or one.term is None or one.term.part == "form":
            return one
        typed = self.source.typed(one.start, one.end).lower()
        is_replaced = any(place.start < one.end and one.start < place.end for place in self.source.replaced)
        if not is_replaced or tuple(words(typed)) in ((), one.term.words):
            return one
        return replace(one, term=one.term.model_copy(update={"typed": tuple(typed.split())}))

    def corrections(self, spans: Iterable[RepositorySpan]) -> Iterator[tuple[RepositorySpan, str]]:
        """Yield what is shown as corrected, where a part of the reading uses it, and what was typed."""
        products = (name for one in spans for name in one.names if product_subject(name))
        others = (self.source.text[one.start : one.end] for one in spans if not one.names)
        for typed, word in self.corrected.mistakes(" ".join((*products, *others)).lower()):
            yield RepositorySpan(0, 0, "correction", word, note=CORRECTED.format(word, typed)), typed


def _find_wishes(text: str) -> list[RepositorySpan]:
    """Find what is worded like an exclusion and asks for something: "no dependencies", "host it myself"."""
    found: list[RepositorySpan] = []
    for meant, match in find_cues("wishes", text):
        term = Term(words=tuple(meant.split()), part="platform" if platform_of(meant) else "context")
        found.append(RepositorySpan(*match.span(), "term", meant, term=term))
    return found


def _as_it_stands(word: str) -> RepositorySpan:
    return RepositorySpan(0, 0, "term", word, term=Term(words=(word.lower(),), part="subject"))


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
