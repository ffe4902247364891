"""One clause of a question: what it says of the things it names, and so what they limit."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile
from typing import Any

from goldpan.known_words import known_words
from goldpan.question.grammar import cues, pattern, word_list
from goldpan.question.lexicon import Lexicon
from goldpan.question.negation import is_refusal
from goldpan.question.preferences import Preference
from goldpan.question.question_text import BREAK, JOINER, QUOTE, QuestionText, Span

AnySpan = Span[Any]
MAX_REMARK, MAX_NAME = 5, 2
"""Words of a remark, since a longer statement rather describes the subject; of a name before a question mark."""
_WORD = re.compile(rf"[^\W\d](?:[\w+#.'{JOINER}-]*[\w+#])?|{QUOTE}+|{BREAK}")


@dataclass(frozen=True)
class Clause:
    """A part of a question, with the mark that ends it."""

    start: int
    end: int
    spans: Sequence[AnySpan]
    preferences: Sequence[Preference]
    rest: str
    source: QuestionText
    lexicon: Lexicon

    @property
    def text(self) -> str:
        """The whole question."""
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
        """How surely it states the subject: 8 says so, 7 asks, 5 and 6 name a thing, 2 refuses, 1 only limits."""
        said = (one for one in self.spans if one.kind in ("likeness", "term"))
        named = [one for one in said if not self.lexicon.is_vague(one.value)]
        if not named and BREAK not in self.words:
            return 1 if self.spans else 0
        named_before = pattern("reach", "topic_before").search(self.text[: self.start])
        if named_before or cues("topic").match(self.text[self.start : self.end].lstrip()):
            return 8
        if self._rejects or (self.refuses and not named) or any(one.accepts for one in self.preferences):
            return 2
        limits = [one for one in self.spans if one.kind == "constraint" and one.fields]
        if self._asks and (named or not limits):
            return 7
        if BREAK in self.words and any(self.lexicon.named_at(self.text, one.start) for one in limits):
            return 5 if named else 3  # what was not translated may refuse the limit
        is_known = BREAK not in self.text and any(map(self.lexicon.is_known, self.words))
        return 6 if is_known and not self._states else 5

    @property
    def is_question(self) -> bool:
        """Whether it is a sentence that ends with a question mark."""
        return self.text[: self.end].rstrip().endswith("?") and self.text[: self.start].rstrip()[-1:] in ".!?:"

    def softened(self, *, is_further: bool) -> Sequence[AnySpan]:
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
        """Whether it has a word that asks."""
        return not word_list("asks").isdisjoint({*self.words[:1], *self._main})

    @property
    def _requests(self) -> bool:
        """Whether it asks for something, or says what is needed."""
        return self._asks or self._has("wants") or self.words[:1] in (["can"], ["could"])

    @property
    def _main(self) -> list[str]:
        """The words before a subordinate clause: "a chess engine that I can read"."""
        words = self.words[1:] if self.words[:1] == ["so"] else self.words
        return [*takewhile(lambda word: word not in ("that", "which", "where", "so", "because"), words)]

    def may_search(self, one: AnySpan) -> bool:
        """Report whether a limit that is not sure is searched for, since nothing around it is negative."""
        others = {*self.words} - {*self._words(one.start, one.end)}  # all untranslated in a language without a table
        is_sure = (BREAK not in others or others == {BREAK}) and not (self._rejects or self._states or self.refuses)
        return is_sure and one.kind == "constraint" and one.term is not None and not self._is_taken_back(one)

    def doubts(self, one: AnySpan, *, is_further: bool) -> bool:
        """Report whether what was read may be refused; `is_further` tells that another clause states the subject."""
        if one.kind not in ("term", "constraint"):
            return False
        is_foreign = BREAK in self.words and not (one.kind == "term" and self.source.is_replaced(one.start, one.end))
        said = [word for word in self.words if self.lexicon.is_content(word)]
        unread = [other for other in self.spans if other.kind == "unread" and self._refuses(other)]
        after = (other for other in unread if not cues("refuses_next").match(self.text, other.start))
        is_refused = any(after) or any(other.start < one.start for other in unread)  # not in "Docker instead of ..."
        if is_further and (self._rejects or self._states or is_foreign or is_refused) and len(said) <= MAX_REMARK:
            return not self._has("welcome") or self._is_negative(self.words)
        if one.kind != "constraint" or not one.fields:
            return False
        goes_on = self._has("welcome") or self._has("wants", self.words[:1]) or self._has("links", self.words[:1])
        is_told = is_further and not goes_on and self._says_more(one)
        is_negated = self._is_negative(self._words(self.start, one.start))
        return is_told or is_negated or self._is_taken_back(one) or not self._limits(one)

    def demands(self, one: AnySpan) -> bool:
        """Report whether it surely demands a limit: "must be in Rust", "MIT only", "Go is a must"."""
        before = pattern("reach", "demanded").search(self.text[self.start : one.start])
        is_demanded = before or pattern("reach", "demanded_after").match(self.text, one.end)
        is_clear = not self._is_negative(self.words) and BREAK not in self._words(one.end, self.end)
        return bool(is_demanded) and one.kind == "constraint" and is_clear and not self._is_taken_back(one)

    def _says_more(self, one: AnySpan) -> bool:
        """Report whether it says more than limits, as in "C# I refuse to touch", and not of a noun: "2020 papers"."""
        last, following = ["", *self._words(self.start, one.start)][-1], [*self._words(one.end, self.end), ""][0]
        describes = last in word_list("describes") or following in word_list("works")
        if describes or self._may_be_noun(last) or self._may_be_noun(following):
            return False
        refuses = any(self._refuses(other) and other.fields.keys() <= {"excluded_terms"} for other in self.spans)
        limits = {word for one in self.spans if one.kind == "constraint" for word in self._words(one.start, one.end)}
        told = {*self.words} - limits - word_list("links") - word_list("works")
        return refuses or any(map(self.lexicon.is_content, told))

    def _limits(self, one: AnySpan) -> bool:
        """Report whether a limit stands where it surely describes the subject: "in Rust", "Rust library", "MIT".

        In "Java is evil", "Rust over Java" it does not, whatever the words around it mean.
        """
        before, after = self._words(self.start, one.start), self._words(one.end, self.end)
        before = [word for word in before if word not in word_list("determiners")]
        last, following = ["", *before][-1], [*after, ""][0]
        if self.lexicon.named_at(self.text, one.start) is None or following in word_list("works"):
            return True
        ends = not after or following in word_list("links")
        limits = word_list("attributive").intersection((last, self.text[one.start : one.end].lower().split()[0]))
        is_short = last != BREAK and len(last) < len("in")
        is_end = is_short or self._may_be_noun(last) or last in word_list("before_limit") | word_list("works")
        return bool(limits) or self._may_be_noun(following) or (ends and is_end)

    def _is_taken_back(self, one: AnySpan) -> bool:
        """Report whether a word before it takes it back, or a refusal takes it in: "over Java", "not 2019 or 2020"."""
        before = [word for word in self._words(self.start, one.start) if word not in word_list("determiners")]
        taken_back = word_list("takes_back").intersection(before[-2:]) or (before[-1:] == ["to"] and "prefer" in before)
        if taken_back or cues("refuses_previous").match(self.text, one.end + 1):
            return True
        is_number = self.text[one.start].isdigit() or self.lexicon.named_at(self.text, one.start) is None
        for other in filter(self._refuses, self.spans):
            between = self.text[min(one.end, other.end) : max(one.start, other.start)].strip().lower()
            is_bare = is_number and (other.kind == "unread" or self.text[one.start].isdigit())  # unlike "since 2018"
            if between in ("or", "nor") or (is_bare and between in ("", "of", "on", "from", "in")):
                return True
        return False

    def _refuses(self, one: AnySpan) -> bool:
        typed = self.text[one.start : one.end].lower() if one.kind == "unread" else ""
        return is_refusal(one) or self._is_negative(_WORD.findall(typed))

    def _has(self, name: str, words: Sequence[str] | None = None) -> bool:
        return not word_list(name).isdisjoint(self.words if words is None else words)

    def _is_negative(self, words: Sequence[str]) -> bool:
        clear = cues("clear_of_doubt").sub(" ", " ".join(words)).split()
        return any(word in word_list("negative_words") or word.endswith("n't") for word in clear)

    def _words(self, start: int, end: int) -> list[str]:
        places = zip(self.rest[start:end], self.text[start:end], strict=True)
        text = "".join(" " if mark == BREAK != typed else mark.lower()[:1] for mark, typed in places)
        return _WORD.findall(text)

    def _may_be_noun(self, word: str) -> bool:
        is_name = JOINER in word or QUOTE in word or self.lexicon.is_known(word)
        return is_name or (self.lexicon.is_content(word) and known_words().get(word, 0) > 0)
