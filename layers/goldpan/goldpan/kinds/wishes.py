"""Read a question with the wishes of later rounds: "more on evaluation, fewer surveys", "only since 2022".

The words of a wish that speak of the results are replaced by those of a question, and it is read as a part of the
question, from which the words of what it contradicts are taken out.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from goldpan.config import Frozen
from goldpan.contracts import Interpretation, SearchRequest
from goldpan.engine.feedback import wishes_of
from goldpan.engine.interpretation import PART_BYTES, UNKNOWN_ID, UNUSED, WISH, is_about, part, part_id, shown_parts
from goldpan.engine.payload import truncate_json
from goldpan.question.grammar import pattern, patterns
from goldpan.question.question_text import Span, Term, joined_fields

SEPARATOR, SUBJECT = "; ", '"subject"'
"""Between the question and each wish; and what a wish is read after, since a word alone is read as the subject."""
SUBJECT_ID = part_id("term", "subject")


class Read(Frozen):
    """What the rules read of a text."""

    parts: tuple[Interpretation, ...] = ()
    notes: tuple[str, ...] = ()
    """Sentences for the answer's warnings."""
    facts: dict[str, dict[str, object]] = {}  # noqa: RUF012 - pydantic copies it
    """The constraints that parts set, by the ids of the parts."""

    def parts_without(self, replaced: Collection[str]) -> tuple[Interpretation, ...]:
        """Return the parts but for those whose constraints are all replaced."""
        facts = self.facts
        return tuple(one for one in self.parts if not (one.id in facts and facts[one.id].keys() <= {*replaced}))


ReadT = TypeVar("ReadT", bound=Read)


def replaced_constraints(said: Frozen, merged: Frozen) -> list[str]:
    """Return the constraints of a question that do not hold beside the filters of its request."""
    pairs = ((name, value, getattr(merged, name)) for name, value in said)
    return [
        name
        for name, value, held in pairs
        if value != held and not (isinstance(value, tuple) and {*value} <= {*held})  # what a filter adds replaces none
    ]


def facts_of(spans: Iterable[Span[Term]]) -> dict[str, dict[str, object]]:
    """Return the constraints that spans set, by the ids of their parts."""
    return {one.id: fields for one in spans if (fields := joined_fields([one]))}


@dataclass(frozen=True)
class WishRules(Generic[ReadT]):
    """How a kind reads its wishes."""

    kind: str
    read: Callable[[str, Iterable[str]], ReadT]
    """Read a text, without the parts of these ids."""
    subjects: Callable[[ReadT], Iterable[str]]
    """Return the terms that are searched for, the one that a broader search leaves out last."""
    cues: Mapping[str, re.Pattern[str]]
    """Its own words of wishes, by what is read in their place."""
    are_alternatives: Callable[[str, tuple[str, ...], tuple[str, ...]], bool]
    """Whether a list of a constraint takes the place of an earlier one, from the name of the constraint and both."""
    ranges: Sequence[tuple[str, str]]
    """The constraints that are the lower and the upper end of a range."""


@dataclass
class _Piece:
    """The question or one wish, and what holds of it."""

    text: str
    parts: tuple[Interpretation, ...]
    facts: Mapping[str, Mapping[str, object]]


def read_with_wishes(request: SearchRequest, rules: WishRules[ReadT]) -> tuple[ReadT, str, ReadT]:
    """Read the question and the wishes that hold; returns the reading, its text, and the reading of the question alone.

    Each wish is a part of the reading; one that changes nothing is noted, and so is an id to ignore that no part has.
    """
    reading, text, question = _read_pieces(request, rules)
    unknown = (UNKNOWN_ID.format(truncate_json(one, PART_BYTES)) for one in _unknown_ids(request, rules))
    return reading.model_copy(update={"notes": (*reading.notes, *unknown)}), text, question


def _unknown_ids(request: SearchRequest, rules: WishRules[ReadT]) -> list[str]:
    """Return the ids to ignore that no part has, nor has one that only appears once others are ignored."""
    found = list[str]()
    while left := [one for one in request.ignore if one not in found]:
        reading, _, question = _read_pieces(request.model_copy(update={"ignore": tuple(found)}), rules)
        known = {one.id for one in (*reading.parts, *question.parts)}
        if known.isdisjoint(left):
            break
        found += known.intersection(left)
    return left


def _read_pieces(request: SearchRequest, rules: WishRules[ReadT]) -> tuple[ReadT, str, ReadT]:
    wishes, ignore, unused = wishes_of(request), set(request.ignore), list[str]()
    question = rules.read(request.query, ignore)
    pieces, subjects = [_Piece(request.query, question.parts, question.facts)], [*rules.subjects(question)]
    for wish in wishes:
        said = wish
        for instead, cue in (*rules.cues.items(), *patterns("feedback").items()):
            said = cue.sub(instead, said)
        newest = rules.read(f"{SUBJECT}{SEPARATOR}{said}", ignore)
        own = _Piece(said, tuple(one for one in newest.parts if one.id != SUBJECT_ID), newest.facts)
        is_broader = pattern("wishes", "broader").search(wish) is not None and len(subjects) > 1
        replaced = {part_id("term", subjects.pop())} if is_broader else set[str]()
        for piece in pieces:
            for old in _contradicted(piece, own, replaced, wish, rules):
                piece.parts = tuple(one for one in piece.parts if one.id != old.id)
                piece.text, found = re.subn(rf"(?<!\w){re.escape(old.text)}(?!\w)", "", piece.text, count=1)
                ignore |= set() if found else {old.id}
        pieces.append(own)
        if not is_broader and all(one.kind in {"unread", "correction"} for one in own.parts):
            unused.append(UNUSED.format(wish, rules.kind))
    text = SEPARATOR.join(piece.text for piece in pieces)
    reading = rules.read(text, ignore) if wishes else question
    parts = shown_parts((*(part(WISH, wish) for wish in wishes), *reading.parts))
    return reading.model_copy(update={"parts": parts, "notes": (*reading.notes, *unused)}), text, question


def _contradicted(
    piece: _Piece, newest: _Piece, replaced: Iterable[str], wish: str, rules: WishRules[ReadT]
) -> list[Interpretation]:
    """Return the parts of an earlier text that a wish takes the place of, and those that it leaves out."""
    ids, keeps = {one.id for one in newest.parts}, pattern("wishes", "also").search(wish) is not None
    pairs = ((old, facts, new) for old, facts in piece.facts.items() for new in newest.facts.values())
    gone = {*replaced, *(old for old, facts, new in pairs if _replaces(facts, new, rules, keeps=keeps))}
    about = [(is_about(new), new.kind != "exclusion") for new in newest.parts]
    opposite = {old.id for old in piece.parts if (is_about(old), old.kind == "exclusion") in about}
    return [old for old in piece.parts if old.id not in ids and old.id in gone | opposite]


def _replaces(old: Mapping[str, object], new: Mapping[str, object], rules: WishRules[ReadT], *, keeps: bool) -> bool:
    """Report whether new constraints take the place of older ones: the same fact, or an end that leaves no range."""
    for name in old.keys() & new.keys():
        one, other = old[name], new[name]
        if not (isinstance(one, tuple) and isinstance(other, tuple)):
            return True
        if not keeps and rules.are_alternatives(name, one, other):
            return True
    pairs = ((old, new), (new, old))
    ends = ((one.get(low), other.get(high)) for low, high in rules.ranges for one, other in pairs)
    return any(first is not None and last is not None and first > last for first, last in ends)  # type: ignore[operator]
