"""The clauses of a question: outside the one that states the subject, what a remark names is not used.

Refusals have endless forms ("my boss vetoed X", "tried X, hated it", "skip X"), wishes few: a phrase without a verb,
words that ask, a verb that needs or uses, a word that welcomes. Only these use what they name; the rest is unread.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from goldpan.question.clause import AnySpan, Clause
from goldpan.question.grammar import cues, pattern, word_list
from goldpan.question.lexicon import Lexicon
from goldpan.question.negation import DOUBTFUL, Spans
from goldpan.question.preferences import find_preferences
from goldpan.question.question_text import QuestionText

MAX_CLAUSES = 10
"""Clauses of a question that is split; a longer text describes."""


def without_doubt(
    spans: Sequence[AnySpan], rest: str, source: QuestionText, lexicon: Lexicon
) -> tuple[Spans, tuple[int, int]]:
    """Leave unread what may be refused, or is not required, and return the place of the clause that states the subject.

    `rest` has the words that no step before the terms has read.
    """
    clauses = [*_clauses(spans, rest, source, lexicon)]
    subject = max(clauses, key=lambda one: (one.weight, one.is_question))
    said: Spans = []
    for before, clause, after in zip((None, *clauses), clauses, (*clauses[1:], None), strict=False):
        is_further = clause is not subject and len(clauses) <= MAX_CLAUSES
        is_further = is_further and word_list("continues").isdisjoint(clause.words[:1])  # unlike "so I can ..."
        says_same = cues("goes_on").match(source.text[clause.start : clause.end].lstrip())
        goes_on = before and before.refuses and (source.text[: clause.start].endswith("(") or says_same)
        is_refused = goes_on or (is_further and after and after.only_refuses)
        for one in clause.softened(is_further=clause is not subject):
            doubtful = clause.doubts(one, is_further=is_further) or (is_refused and one.kind in ("constraint", "term"))
            doubtful = not one.note and ((doubtful and not clause.demands(one)) or _is_refused(one, spans))
            is_term = doubtful and clause is subject and clause.may_search(one)
            left = replace(one, kind="term", fields={}) if is_term else None
            said.append(left or one.unread(DOUBTFUL.format(source.typed(one.start, one.end))) if doubtful else one)
    return said, (subject.start, subject.end)


def _is_refused(one: AnySpan, spans: Sequence[AnySpan]) -> bool:
    """Report whether something is asked for and refused at once."""
    opposite = one.value.removeprefix("not ") if one.kind == "exclusion" else f"not {one.value}"
    return any(other.value.casefold() == opposite.casefold() for other in spans if other.kind != "unread")


def _clauses(spans: Sequence[AnySpan], rest: str, source: QuestionText, lexicon: Lexicon) -> Iterator[Clause]:
    """Split a text at its marks, and before the words that begin a sentence; what was read as one is never split."""
    start, preferences = 0, find_preferences(source.text)
    for mark in (*pattern("reach", "clause").finditer(source.text), None):
        is_inside = mark and any(one.start < mark.start() < one.end for one in spans)
        if mark is None or not (is_inside or any(one.holds(mark) for one in preferences)):
            end = mark.end() if mark else len(source.text) + 1
            found = [one for one in spans if start <= one.start < end]
            liked = [one for one in preferences if start <= one.start < end]
            yield Clause(start, end, found, liked, rest, source, lexicon)
            start = end
