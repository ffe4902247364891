"""The clauses of a question: outside the one that states the subject, what a remark names is not used.

Refusals have endless forms ("my boss vetoed X", "tried X, hated it", "skip X"), wishes few: a phrase without a verb,
words that ask, a verb that needs or uses, a word that welcomes. Only these use what they name; the rest is unread.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, takewhile
from typing import Any

from goldpan.known_words import known_words
from goldpan.question.grammar import cues, word_list
from goldpan.question.lexicon import Lexicon
from goldpan.question.negation import DOUBTFUL, Spans, is_refusal
from goldpan.question.preferences import Preference, find_preferences
from goldpan.question.question_text import BREAK, JOINER, QUOTE, QuestionText, Span

MAX_REMARK, MAX_NAME, MIN_SUBJECT, MAX_CLAUSES = 5, 2, 3, 10
"""Words of a remark, since a longer statement rather describes the subject; of a name that a question mark follows; of
what a person does something with; and clauses of a question that is split."""
_END = re.compile(r"[;:?!()]+|,(?!\d)|\.(?!\w)|[。、]|\s[-\u2013\u2014]+\s|\s(?=(?:but|if|although|though)\s)")
_WORD = re.compile(rf"[^\W\d](?:[\w+#.'{JOINER}-]*[\w+#])?|{QUOTE}+|{BREAK}")


def without_doubt(
    spans: Sequence[Span[Any]], rest: str, source: QuestionText, lexicon: Lexicon
) -> tuple[Spans, tuple[int, int]]:
    """Leave unread what may be refused, or is not required, and return the place of the clause that states the subject.

    `rest` has the words that no step before the terms has read.
    """
    clauses = [*_clauses(spans, rest, source, lexicon)]
    subject = max(clauses, key=lambda one: one.weight)
    said: Spans = []
    for before, clause, after in zip((None, *clauses), clauses, (*clauses[1:], None), strict=False):
        is_further = clause is not subject and len(clauses) <= MAX_CLAUSES
        is_further = is_further and word_list("continues").isdisjoint(clause.words[:1])  # unlike "so I can ..."
        goes_on = before and before.refuses and source.text[: before.end].endswith("(")  # "X is out (and Y)"
        is_refused = goes_on or (is_further and after and after.only_refuses)
        for one in clause.softened(is_further=clause is not subject):
            doubtful = clause.doubts(one, is_further=is_further) or (is_refused and one.kind in ("constraint", "term"))
            doubtful = not one.note and (doubtful or _is_refused(one, spans))
            is_term = doubtful and clause is subject and clause.may_search(one)
            left = replace(one, kind="term", fields={}) if is_term else None
            said.append(left or one.unread(DOUBTFUL.format(source.typed(one.start, one.end))) if doubtful else one)
    return said, (subject.start, subject.end)


def _is_refused(one: Span[Any], spans: Sequence[Span[Any]]) -> bool:
    """Report whether something is asked for and refused at once."""
    opposite = one.value.removeprefix("not ") if one.kind == "exclusion" else f"not {one.value}"
    return any(other.value.casefold() == opposite.casefold() for other in spans if other.kind != "unread")


def _clauses(spans: Sequence[Span[Any]], rest: str, source: QuestionText, lexicon: Lexicon) -> Iterator["_Clause"]:
    """Split a text at its marks, and before the words that begin a sentence; what was read as one is never split."""
    start, preferences = 0, find_preferences(source.text)
    for mark in (*_END.finditer(source.text), None):
        is_inside = mark and any(one.start < mark.start() < one.end for one in spans)
        if mark is None or not (is_inside or any(one.holds(mark) for one in preferences)):
            end = mark.end() if mark else len(source.text) + 1
            found = [one for one in spans if start <= one.start < end]
            liked = [one for one in preferences if start <= one.start < end]
            yield _Clause(start, end, found, liked, rest, source, lexicon)
            start = end


@dataclass(frozen=True)
class _Clause:
    """A part of a question, with the mark that ends it."""

    start: int
    end: int
    spans: Sequence[Span[Any]]
    preferences: Sequence[Preference]
    rest: str
    source: QuestionText
    lexicon: Lexicon

    @property
    def text(self) -> str:
        return self.source.text

    @cached_property
    def words(self) -> list[str]:
        """The words that no step has read; what was not translated is a word too."""
        return self._words(self.start, self.end)

    @property
    def refuses(self) -> bool:
        """Whether it rejects or excludes something."""
        return self._rejects or any(one.kind == "exclusion" for one in self.spans)

    @property
    def only_refuses(self) -> bool:
        """Whether it refuses, and names nothing: "theses, please not"."""
        return bool(self.spans) and all(one.kind == "unread" and is_refusal(one) for one in self.spans)

    @property
    def weight(self) -> int:
        """How surely it states the subject."""
        forms = self.lexicon.words.get("form", ())
        named = [one for one in self.spans if one.kind == "likeness" or (one.kind == "term" and one.value not in forms)]
        if not named and BREAK not in self.words:
            return 1 if self.spans else 0
        if self._rejects or (self.refuses and not named) or any(one.accepts for one in self.preferences):
            return 2
        if self._asks:
            return 5
        is_known = BREAK not in self.text and any(map(self.lexicon.is_known, self.words))
        return 4 if is_known and not self._states else 3

    def softened(self, *, is_further: bool) -> Sequence[Span[Any]]:
        """Return the spans, of which those that are preferred or accepted limit nothing."""
        spans = self.spans
        for one in self.preferences:
            spans = one.soften(spans, self.text, is_further=is_further)
        return spans

    @cached_property
    def _rejects(self) -> bool:
        """Whether it rejects something, or tells what a person did or feels."""
        begins = word_list("conditions") | word_list("negative_words")  # "not only Linux, ..."
        if self._is_negative(self._main) or not begins.isdisjoint(self.words[:1]):
            return True
        is_asked = self.start and self.text[: self.end].endswith("?") and self.text[self.end :]  # "X? no thanks"
        opens = self.words[:1] in (["my"], ["our"]) or not word_list("persons").isdisjoint(self._main)
        return not self._requests and bool(opens or (is_asked and len(self.words) <= MAX_NAME))

    @property
    def _states(self) -> bool:
        """Whether it is a statement, by a verb or by an article after a word that may be a verb."""
        pairs = [*pairwise(self.words)]
        pairs = pairs[1:] if self.words[1:2] in (["a"], ["an"]) else pairs  # "generate a blog" asks
        verbs = [word for word, after in pairs if after in word_list("articles")]
        has_verb = any(self.lexicon.is_content(word) and not self.lexicon.is_vague(word) for word in verbs)
        return not self._requests and (has_verb or not word_list("says").isdisjoint(self._main))

    @property
    def _asks(self) -> bool:
        return not word_list("asks").isdisjoint({*self.words[:1], *self._main})

    @property
    def _requests(self) -> bool:
        """Whether it asks for something, or says what is needed."""
        return self._asks or self._has("wants") or self.words[:1] in (["can"], ["could"])

    @property
    def _main(self) -> list[str]:
        """The words before a subordinate clause: "a chess engine that I can read", with or without "that"."""
        opening = [*takewhile(lambda word: word not in ("that", "which", "where", "so", "because"), self.words)]
        persons = (place for place, word in enumerate(opening) if word in ("i", "we") and place >= MIN_SUBJECT)
        return opening[: next(persons, None)]

    def may_search(self, one: Span[Any]) -> bool:
        """Report whether a limit that is not sure is searched for, since nothing around it is negative."""
        is_sure = BREAK not in self.words and not (self._rejects or self._states or self.refuses)
        return is_sure and one.kind == "constraint" and one.term is not None and not self._is_taken_back(one)

    def doubts(self, one: Span[Any], *, is_further: bool) -> bool:
        """Report whether what was read may be refused; `is_further` tells that another clause states the subject."""
        if one.kind not in ("term", "constraint"):
            return False
        is_sure = one.kind == "term" and self.source.is_replaced(one.start, one.end)
        is_foreign = BREAK in self.words and not is_sure
        said = [word for word in self.words if self.lexicon.is_content(word)]
        unread = [other for other in self.spans if other.kind == "unread" and self._refuses(other)]
        after = (other for other in unread if not cues("refuses_next").match(self.text, other.start))
        is_refused = any(after) or any(other.start < one.start for other in unread)  # not in "Docker instead of ..."
        if is_further and (self._rejects or self._states or is_foreign or is_refused) and len(said) <= MAX_REMARK:
            return not self._has("welcome") or self._is_negative(self.words)
        if one.kind != "constraint" or not one.fields:
            return False
        is_negated = self._is_negative(self._words(self.start, one.start))
        return is_negated or self._is_taken_back(one) or not self._limits(one)

    def _limits(self, one: Span[Any]) -> bool:
        """Report whether a limit stands where it surely describes the subject: "in Rust", "Rust library", "MIT".

        In "Java is evil", "Rust over Java" it does not, whatever the words around it mean.
        """
        before, after = self._words(self.start, one.start), self._words(one.end, self.end)
        before = [word for word in before if word not in word_list("determiners")]
        last, following = ["", *before][-1], [*after, ""][0]
        if self.lexicon.named_at(self.text, one.start) is None or self._may_be_noun(following):
            return True
        ends = not after or following in word_list("links")
        if word_list("attributive").intersection((last, self.text[one.start : one.end].lower().split()[0])):
            return True
        return ends and (
            (last != BREAK and len(last) < len("in")) or self._may_be_noun(last) or last in word_list("before_limit")
        )

    def _is_taken_back(self, one: Span[Any]) -> bool:
        """Report whether a word before it takes it back, or a refusal takes it in: "over Java", "not 2019 or 2020"."""
        before = [word for word in self._words(self.start, one.start) if word not in word_list("determiners")]
        if word_list("takes_back").intersection(before[-2:]) or (before[-1:] == ["to"] and "prefer" in before):
            return True
        is_number = self.text[one.start].isdigit() or self.lexicon.named_at(self.text, one.start) is None
        for other in filter(self._refuses, self.spans):
            between = self.text[min(one.end, other.end) : max(one.start, other.start)].strip().lower()
            is_bare = is_number and (other.kind == "unread" or self.text[one.start].isdigit())  # unlike "since 2018"
            if between in ("or", "nor") or (is_bare and between in ("", "of", "on", "from", "in")):
                return True
        return False

    def _refuses(self, one: Span[Any]) -> bool:
        typed = self.text[one.start : one.end].lower() if one.kind == "unread" else ""
        return is_refusal(one) or self._is_negative(_WORD.findall(typed))

    def _has(self, name: str) -> bool:
        return not word_list(name).isdisjoint(self.words)

    def _is_negative(self, words: Sequence[str]) -> bool:
        clear = cues("clear_of_doubt").sub(" ", " ".join(words)).split()
        return any(word in word_list("negative_words") or word.endswith("n't") for word in clear)

    def _words(self, start: int, end: int) -> list[str]:
        places = zip(self.rest[start:end], self.text[start:end], strict=True)
        text = "".join(" " if mark == BREAK != typed else mark.lower()[:1] for mark, typed in places)
        return _WORD.findall(text)

    def _may_be_noun(self, word: str) -> bool:
        if self.lexicon.is_known(word) or JOINER in word or QUOTE in word:
            return True
        return self.lexicon.is_content(word) and known_words().get(word, 0) > 0
