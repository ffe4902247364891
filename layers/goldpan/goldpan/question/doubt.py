"""Limits that a question may mean as exclusions: they limit nothing and are shown as unread."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from goldpan.known_words import known_words
from goldpan.question.grammar import cues, word_list
from goldpan.question.lexicon import Lexicon
from goldpan.question.negation import DOUBTFUL, FOLLOWING, Spans
from goldpan.question.question_text import BREAK, JOINER, QUOTE, QuestionText, Span

NEAR = 3
"""Words between a limit and one that turns from it."""
_END = re.compile(r"[,.;:?!()]|\bbut\b")
_ASKED = re.compile(r"\s*(\?)?[,;:(]?\s*([^,.;:?!()]+)")
"""What a question answers itself: "Java? then no", "Java (please no)"."""
_SIGN = r"(?:(?:[≠¬✗✘✖❌❎🚫⛔👎🙅🤮💩]|<>)\ufe0f?|(?<!\d)0\s?%)"
_AFTER_SIGN = re.compile(rf"(?:~(?!\s*\d)|{_SIGN})(?:(?P<near>\S)|\s+\S)$")
_BEFORE_SIGN = re.compile(rf"\s*{_SIGN}(?P<near>\s*(?:$|[,.;:!?)]))?")
"""What refuses without a word: it may be of the limit on either side, or the term near to it; "~2020" is about then."""
_WORD = re.compile(rf"[^\W\d](?:[\w+#.'{JOINER}-]*[\w+#])?|{QUOTE}+|{BREAK}")
_BELONGS = re.compile(r"(?:with\s+)?(?:under|below|over|above|less|fewer|more|of|from|\d)", re.IGNORECASE)
"""How a limit begins that rather belongs to the thing before it: "no reviews from 2019"."""


def without_doubt(spans: Sequence[Span[Any]], rest: str, source: QuestionText, lexicon: Lexicon) -> Spans:
    """Leave the doubtful limits unread; `rest` has the words that nothing but terms has read.

    So are terms that a further clause turns down, and what is asked for and refused at once.
    """
    doubt = _Doubt(spans, rest, source.text, lexicon)
    return [
        one.unread(DOUBTFUL.format(source.typed(one.start, one.end))) if doubt.applies(one) else one for one in spans
    ]


@dataclass(frozen=True)
class _Doubt:
    spans: Sequence[Span[Any]]
    rest: str
    text: str
    lexicon: Lexicon

    def applies(self, one: Span[Any]) -> bool:
        """Report whether a limit may be refused, by a negative word near to it or by where it stands."""
        opposite = one.value.removeprefix("not ") if one.kind == "exclusion" else f"not {one.value}"
        if any(other.value.casefold() == opposite.casefold() for other in self.spans if other.kind != "unread"):
            return True
        for sign in (_AFTER_SIGN.search(self.text[: one.start + 1]), _BEFORE_SIGN.match(self.text, one.end)):
            if sign and (one.kind == "constraint" or (one.kind == "term" and sign["near"] is not None)):
                return True
        if one.kind == "term":
            return self._is_turned_down(one)
        if one.kind != "constraint" or not one.fields:
            return False
        before, after = self._around(one)
        cued = [match for name in (*FOLLOWING, "may_refuse") for match in cues(name).finditer(self.rest[: one.start])]
        following = len(self.rest) - len(self.rest[one.end :].lstrip())
        if any(match.end() == one.start for match in cued) or cues("refuses_previous").match(self.rest, following):
            return True
        near = (before, takewhile(lambda word: word not in word_list("ends_phrase"), after))
        refused = any(self._is_negative(cues("clear_of_doubt").sub(" ", " ".join(words)).split()) for words in near)
        refused = refused or self._is_beside_refused(one, before) or self._is_aside(one, before, after)
        return refused or not self._is_attributive(one, before, after)

    def _is_turned_down(self, one: Span[Any]) -> bool:
        """Report whether a further clause says something of a term, or what is not read: "..., X would be wrong"."""
        before, after = self._around(one)
        is_said = not before and word_list("says").issuperset(after[:1]) and word_list("welcome").isdisjoint(after[1:])
        is_untranslated = after[:1] == [BREAK] and self.lexicon.may_be_name(self.text[one.start : one.end])
        turned = bool(after and is_said) or is_untranslated or self._is_beside_refused(one, before)
        return turned and self._is_further(one)

    def _is_negative(self, words: Sequence[str]) -> bool:
        return any(word in word_list("negative_words") or word.endswith("n't") for word in words)

    def _is_attributive(self, one: Span[Any], before: Sequence[str], after: Sequence[str]) -> bool:
        """Report whether a limit stands where it surely describes the subject: "in Rust", "Rust library", "MIT".

        In "screw Java", "Java is evil", "Rust over Java" it does not, whatever the words around it mean.
        """
        (verb, source, last), following = ["", "", "", *before][-3:], [*after, ""][0]
        turned = word_list("turned").intersection((*before[-NEAR:], following))
        is_number = self.text[one.start].isdigit()
        if self.lexicon.named_at(self.text, one.start) is None and not is_number:  # "since 2020", "over 500 stars"
            return not turned
        if word_list("attributive").intersection((last, self.text[one.start : one.end].lower().split()[0])):
            return last != "for" or source not in word_list("turned")  # "a replacement for Java"
        if last == "to" and (before == ["to"] or self.lexicon.named_at(source, 0) or self.lexicon.is_known(source)):
            return verb in ("", "from", "of") or self.lexicon.is_content(verb)  # "C to Rust", not "I prefer C to Rust"
        if turned or self._may_be_noun(following):
            return not turned
        dangles = after in (["in"], ["for"], ["with"])  # Spanish "Java no", read as Portuguese
        goes_on = following != BREAK if is_number else not after or (following in word_list("links") and not dangles)
        if last in (*word_list("away"), BREAK) or not goes_on:
            return False
        return is_number or len(last) < len("in") or last in word_list("before_limit") or self._may_be_noun(last)

    def _is_aside(self, one: Span[Any], before: Sequence[str], after: Sequence[str]) -> bool:
        """Report whether a limit ends a further clause that names no subject: "..., cut Java", "..., Java? no way"."""
        said = [word for word in before if self.lexicon.is_content(word)]
        names_none = said and not after and not any(map(self.lexicon.is_known, said))
        if names_none and self._is_further(one):
            return True
        asked, left = _ASKED.match(self.text, one.end), _ASKED.match(self.rest, one.end)
        if asked and asked[1] and (not before or self._is_negative(asked[2].lower().split())):
            return True
        return left is not None and not after and self._is_negative(left[2].lower().split()[-1:])

    def _is_further(self, one: Span[Any]) -> bool:
        """Report whether a clause ends between the subject and a place after it."""
        subject = next((other.end for other in self.spans if other.kind in ("term", "likeness")), 0)
        return _END.search(self.rest[subject : one.start]) is not None

    def _is_beside_refused(self, one: Span[Any], before: Sequence[str]) -> bool:
        """Report whether a refusal takes in a limit next to it: "exclude those with fewer than 50 stars"."""
        belongs = _BELONGS.match(self.text, one.start) is not None
        for other in self.spans:
            thing = other.value.removeprefix("not ")
            is_unclear = self._is_negative(_WORD.findall(self.text[other.start : other.end].lower()))
            if other.kind == "exclusion":
                is_unclear = belongs or not (self.lexicon.may_be_name(thing) or self._may_be_noun(thing))
            between = self.text[other.end : one.start].strip().lower() if other.end <= one.start else None
            if between in ("or", "nor") and other.kind in ("exclusion", "unread"):
                return True  # "not from 2019 or 2020"
            follows = between in ("", "of", "on")
            precedes = one.end <= other.start and not before and not self.text[one.end : other.start].strip()
            if is_unclear and (follows or precedes):
                return True
        return False

    def _around(self, one: Span[Any]) -> tuple[list[str], list[str]]:
        """Return the words before and after a span in its clause; what was not translated is a word too."""
        places = zip(self.rest, self.text, strict=True)  # one character for each: the lower case of "İ" has two
        text = "".join("," if mark == BREAK != typed else mark.lower()[:1] for mark, typed in places)
        before, after = _END.split(text[: one.start])[-1], _END.split(text[one.end :])[0]
        return [word for word in _WORD.findall(before) if word not in word_list("determiners")], _WORD.findall(after)

    def _may_be_noun(self, word: str) -> bool:
        if self.lexicon.is_known(word) or JOINER in word or QUOTE in word:
            return True
        return self.lexicon.is_content(word) and known_words().get(word, 0) > 0
