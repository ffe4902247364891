"""Compares an interpretation with the expected reading of its question."""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from goldpan.contracts import Interpretation

from tests.support.fakes import START
from tests.support.reading.questions import ReadingQuestion
from tests.support.reading.words import Bounds, holds_phrase, holds_subject, parse_bounds, words

Grade = Literal["right", "inverted", "searched_for", "lost_subject", "refused", "invented", "missed"]
GRADES: tuple[Grade, ...] = ("right", "inverted", "searched_for", "lost_subject", "refused", "invented", "missed")
NEGATED = re.compile(r"^(?:not?|non|without|except|excluding|other than)\b", re.IGNORECASE)
PREFERENCE = re.compile(r"\bfirst$")
"""A preference orders the results and drops none."""
DATE = re.compile(r"\b(created|pushed|updated|maintained|active)\b", re.IGNORECASE)
PAPER_FACET = re.compile(r"^(?:by|in|type|open access)\b", re.IGNORECASE)
YEARS, STARS = ("year_from", "year_to"), ("min_stars", "max_stars")
DATES = ("pushed_since", "created_since")
NEIGHBOURING = 1
"""A strict bound may be written as the next number."""


def grade(question: ReadingQuestion, entries: Sequence[Interpretation] | None) -> Grade:
    """Grade a reading by the worst that it does to the question; None is a refused question."""
    if entries is None:
        return "refused"
    reading = _Reading(question, entries)
    if reading.inverts():
        return "inverted"
    if any(holds_phrase(name, reading.searched) for names in question.excludes for name in names):
        return "searched_for"
    if not any(holds_subject(name, reading.subjects) for name in question.subject):
        return "lost_subject"
    if any(reading.is_invented(value) for value in reading.required):
        return "invented"
    return "missed" if question.strict and reading.misses() else "right"


class _Reading:
    """The entries of an interpretation by what they do, and the expected reading."""

    def __init__(self, question: ReadingQuestion, entries: Sequence[Interpretation]) -> None:
        self.question = question
        self.searched = [entry.value for entry in entries if entry.kind in {"term", "correction"}]
        self.likeness = [entry.value for entry in entries if entry.kind == "likeness"]
        facts = [entry.value for entry in entries if entry.kind == "constraint" and not PREFERENCE.search(entry.value)]
        negated = [value for value in facts if NEGATED.search(value)]
        self.required = [value for value in facts if value not in negated]
        self.excluded = [*(entry.value for entry in entries if entry.kind == "exclusion"), *negated]
        self.subjects = [*self.searched, *self.likeness, *(value for value in self.required if "topic" in value)]

    def inverts(self) -> bool:
        """Whether what is refused became a requirement, or what is wanted an exclusion."""
        question = self.question
        refused = [name for names in question.excludes for name in names]
        if any(holds_phrase(name, [value]) for name in refused for value in self.required):
            return True
        wanted = [*question.subject, *(value for values in question.requires.values() for value in values)]
        for value in self.excluded:
            if any(holds_phrase(name, [value]) for name in refused):
                continue
            if question.trap or any(_same_words(value, name) for name in wanted):
                return True
        return any(self._reversed(pair) for pair in (YEARS, STARS))

    def _reversed(self, pair: tuple[str, str]) -> bool:
        """Whether an expected bound was read as the opposite one."""
        for name in pair:
            if name in self.question.requires and not self._bounded(name):
                numbers = _numbers(self.question.requires[name])
                opposite = [bounds.low if name == pair[1] else bounds.high for bounds in self._bounds(pair)]
                if any(_near(number, numbers) for number in opposite):
                    return True
        return False

    def is_invented(self, value: str) -> bool:
        """Whether a constraint was read that the question does not have."""
        requires = self.question.requires
        if self._is_year(value):
            bounds = parse_bounds(value)
            return any(number and name not in requires for name, number in zip(YEARS, bounds, strict=True))
        for names, found in ((STARS, "star" in value), (DATES, DATE.search(value))):
            if found:
                return not any(name in requires for name in names)
        if any(holds_phrase(name, [value]) or _same_words(value, name) for name in self._names()):
            return False
        if self.question.kind == "papers" and PAPER_FACET.search(value):
            facets = {"by": "authors", "in": "venues", "type": "types", "open": "open_access"}
            return facets[value.casefold().split()[0]] not in requires
        is_subject = any(_same_words(value, name) for name in self.question.subject)
        return (self.question.trap and is_subject) or not holds_phrase(value, [self.question.query])

    def _names(self) -> list[str]:
        numeric = {*YEARS, *STARS, *DATES}
        return [value for name, values in self.question.requires.items() if name not in numeric for value in values]

    def _is_year(self, value: str) -> bool:
        return self.question.kind == "papers" and bool(re.search(r"\b(1[89]|20)\d\d\b", value))

    def misses(self) -> bool:
        """Whether an expected exclusion or filter has no entry."""
        alike = [*self.excluded, *self.likeness]
        for names in self.question.excludes:
            if not any(holds_phrase(name, alike) for name in names):
                return True
        return not all(self._meets(name, values) for name, values in self.question.requires.items())

    def _meets(self, name: str, values: tuple[str, ...]) -> bool:
        if name in {*YEARS, *STARS}:
            return self._bounded(name)
        if name in DATES:
            word = "creat" if name == "created_since" else "push|updat|maintain|commit|activ"
            dated = [value for value in self.required if re.search(word, value, re.IGNORECASE)]
            return any(_has_date(value, expected) for value in dated for expected in values)
        if name == "open_access":
            return holds_phrase("open access", self.required)
        if values == ("permissive",) and holds_phrase("copyleft", self.excluded):
            return True
        held = [*self.required, *self.searched] if name == "platform" else self.required
        return all(holds_phrase(value, held) for value in values)

    def _bounded(self, name: str) -> bool:
        pair = YEARS if name in YEARS else STARS
        numbers = _numbers(self.question.requires[name])
        read = [bounds.low if name == pair[0] else bounds.high for bounds in self._bounds(pair)]
        return any(_near(number, numbers) for number in read)

    def _bounds(self, pair: tuple[str, str]) -> list[Bounds]:
        return [
            parse_bounds(value)
            for value in self.required
            if (("star" in value) if pair == STARS else self._is_year(value))
        ]


def _numbers(values: Iterable[str]) -> list[int]:
    return [START.year - int(value[1:-1]) if value.startswith("-") else int(value) for value in values]


def _near(number: int | None, expected: Iterable[int]) -> bool:
    return number is not None and any(abs(number - one) <= NEIGHBOURING for one in expected)


def _has_date(value: str, expected: str) -> bool:
    if expected == "any":
        return True
    if expected.startswith("-"):
        months = expected[1:-1]
        return re.search(rf"\b{months} months\b", value) is not None or (months == "12" and "year" in value)
    return expected[:4] in value


def _same_words(one: str, other: str) -> bool:
    return words(one.removeprefix("not ")) == words(other)
