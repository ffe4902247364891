"""What a question refuses: the cues of cues.toml, and how far each reaches.

A cue reaches to the next thing, or to the one before it, and on through a list. What it refuses is excluded where it
names something; a manner ("without fiddling"), a quality ("not too slow") and a clause are shown as unread. Any other
limit in the reach of a negative word is doubtful, and doubt never limits: it is unread.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from goldpan.question.grammar import doubt_words, grammar
from goldpan.question.known_words import known_words
from goldpan.question.question_text import JOINER, QUOTE, TOKEN, QuestionText
from goldpan.question.spans import BREAK, Span, without
from goldpan.question.things import Lexicon, Named, ThingReader

REACH = 4
"""Words between a negative word and a limit that make the limit doubtful."""
NEAR = 3
"""Words before a limit among which one that turns from it makes it doubtful."""
NAMES_NOTHING = "“{}” is not used: it names nothing to exclude."
DOUBTFUL = "“{}” is not used: it may be meant as an exclusion."
_CLAUSE = re.compile(rf"(?:(?!\s+(?:in|for|with|but|using|and|that|which)\s)[^,.;:?!{BREAK}])*")
_DEGREE = re.compile(r"(?:too|very|so|that|overly)\s+(?:much\s+|many\s+)?[\w-]+", re.IGNORECASE)
_PREFIX = re.compile(
    rf"(?<![\w-])(?P<how>(?<!\S)-|(?:non|not)-|(?<!\S)!)(?P<name>{QUOTE}+|[A-Za-z][\w.+#{JOINER}-]*)", re.IGNORECASE
)
_FREE = re.compile(rf"(?<![\w-])(?P<name>(?!(?:for|and|or|is)\s)[\w.+#{JOINER}]+)[\s-]free(?![\w-])", re.IGNORECASE)
_WITHOUT = re.compile(r"without|w/o|sans", re.IGNORECASE)
_FROM = re.compile(r"\s+from\b", re.IGNORECASE)
_OF = re.compile(r"\bof\s+$", re.IGNORECASE)
_OWN_CLAUSE = re.compile(r"[,.;:(!?\u00a6]\s*(?:please\s+|but\s+)?$|\b(?:please|but)\s+$", re.IGNORECASE)
_AUXILIARY = re.compile(r"no|not|non|never|nothing|isn't|aren't|zero", re.IGNORECASE)
_IS_NOT = re.compile(r"(?:not|n't)\s*$", re.IGNORECASE)
_TOO = re.compile(r"\btoo\b", re.IGNORECASE)
_WHY = re.compile(r"\bwhy\b[^,.;:?!]*$", re.IGNORECASE)
_EXCEPT = re.compile(r"without|w/o|sans|other than|except|lacking|minus", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|never|none|nothing|no|cannot|can't|won't|don't|doesn't|\w+n't)(?:\s+(?!and|or|but)[\w']+){0,2}\s+$", re.IGNORECASE)
_THERE = re.compile(r"\b(?:is|are|was)\s+there\s+$", re.IGNORECASE)
_PERSON = re.compile(r"\b(?:i'm|i\s+am|we're|we\s+are)\s+$", re.IGNORECASE)
_USING = re.compile(r"(?:using|involving|including)\b", re.IGNORECASE)
_DOING = re.compile(r"\S{4,}ing\b|\S{3,}ed\b")
_MODAL = re.compile(r"\b(?:do|does|did|must|should|can|could|will|would|may|might|to)\s+$", re.IGNORECASE)
_LEFT_OUT = "   "
"""What a translation leaves of a word that says nothing, such as an article, and of the spaces around it."""
_END = re.compile(r"[,.;:?!()]")
_WORD = re.compile(rf"[^\W\d](?:[\w+#.'{JOINER}-]*[\w+#])?|{QUOTE}+|{BREAK}")
_SKIPPED = "\x00"
"""Stands in the place of a cue that refuses nothing."""
Spans = list[Span[Any]]
"""A refusal adds no term, so it is a span of any kind."""


@dataclass(frozen=True)
class Negations:
    """Finds what a question refuses, with the words of a kind."""

    lexicon: Lexicon
    source: QuestionText
    is_foreign: bool = False

    @property
    def _things(self) -> ThingReader:
        return ThingReader(self.lexicon, self.is_foreign)

    def find(self, text: str) -> Spans:
        """Find what is excluded, and the clauses that refuse without a thing; the surest cues come first."""
        cues, found = grammar(), Spans()
        for cue, read in (
            (_PREFIX, self._joined),
            (_FREE, self._joined),
            (cues.refuses_previous, self._previous),
            (cues.refuses_previous_name, self._previous_name),
            (cues.refuses_next, self._next),
            (cues.doubtful_next, self._doubtful),
            (cues.refuses_names, self._names),
            (cues.may_refuse, self._weak),
        ):
            while match := cue.search(text):
                spans = [] if self._refuses_nothing(text, match) else read(text, match)
                found += spans
                text = without(text, spans)
                if text[match.start() : match.end()] == match[0]:
                    text = text[: match.start()] + _SKIPPED * len(match[0]) + text[match.end() :]
            text = self._restored(text, found)
        return found

    def _refuses_nothing(self, text: str, cue: re.Match[str]) -> bool:
        """Report whether a cue is in a question for reasons ("why not use X?"), or in a name ("Doctors Without Borders")."""
        following = TOKEN.match(text, cue.end())
        is_name = cue.start() > 0 and cue[0].strip().istitle() and following is not None and following[0][0].isupper()
        before = self.source.text[: cue.start()]
        is_double = _EXCEPT.match(cue[0]) and _NEGATED.search(before)  # "can't live without X"
        return bool(is_name or is_double or _WHY.search(before) or _THERE.search(before))

    def _restored(self, text: str, found: Spans) -> str:
        """Let the next pattern read the cues that this one left."""
        typed = without(self.source.text, found)
        return "".join(own if left == _SKIPPED else left for left, own in zip(text, typed, strict=True))

    def _joined(self, _text: str, match: re.Match[str]) -> Spans:
        """Read "-X", "non-X", "!X" and "X-free": a name or something known; "-X" is typed to exclude anything."""
        name = match["name"]
        known = self.lexicon.named_at(name, 0)
        whole = known is not None and known.end == len(name)
        minus = match.groupdict().get("how") in ("-", "!")
        if not (minus or whole or self.lexicon.may_be_name(name)):
            return []
        typed = self.source.typed(match.start("name"), match.end("name")) if name[0] == QUOTE else name
        return [_excluded(match.start(), match.end(), self._things.named(typed))]

    def _next(self, text: str, cue: re.Match[str]) -> Spans:
        if degree := _DEGREE.match(text, cue.end()):
            return [self._unread(cue.start(), degree.end())]
        start = self._things.past_between(text, cue.end())
        things, end = self._things.read(text, start, manner=_WITHOUT.match(cue[0]) is not None)
        if _FROM.match(text, end) and cue[0].lower().startswith("exclu"):  # "exclude files from backup"
            return []
        doing = _IS_NOT.search(cue[0]) and _DOING.match(text, start) and not self._things.begins_name(text, start)
        if things and not doing:  # "that is not covered" refuses nothing
            return [_excluded(cue.start(), end, one) for one in things]
        clause = _CLAUSE.match(text, cue.end())
        return [self._unread(cue.start(), self._things.past_manner(text, start) or (clause or cue).end())]

    def _previous(self, text: str, cue: re.Match[str], *, named: bool = False) -> Spans:
        """Read the things before "is not an option", back to the beginning of their clause."""
        before = text[: cue.start()].rstrip(" ,(?:")
        begin = max(before.rfind(mark) for mark in f",.;:?!({BREAK}{_SKIPPED}") + 1
        tokens = [token.start() for token in TOKEN.finditer(before, begin)]
        names = [start for start in tokens if self._things.begins_name(before, start)]
        others = [start for start in tokens if before[:start].strip() and not self._things.begins_form(before, start)]
        for start in (*names, *(() if named else others)):
            things, end = self._things.read(before, start)
            if things and end == len(before):
                doubtful = named and _TOO.search(cue[0])
                return [
                    self._unread(start, cue.end()) if doubtful else _excluded(start, cue.end(), one) for one in things
                ]
        return [self._unread(names[-1], cue.end())] if names and not named else []

    def _previous_name(self, text: str, cue: re.Match[str]) -> Spans:
        """Read "X sucks", where X is a name or known; "X is too small" may say why something else is sought."""
        return self._previous(text, cue, named=True)

    def _doubtful(self, text: str, cue: re.Match[str]) -> Spans:
        _, end = self._things.read(text, cue.end())
        return [self._unread(cue.start(), end, DOUBTFUL)] if end > cue.end() else []

    def _names(self, text: str, cue: re.Match[str]) -> Spans:
        """Read "never X" and "avoid X", where X is a name or known, or the cue begins a clause: "..., skip X"."""
        if _OWN_CLAUSE.search(text[: cue.start()]) and not _AUXILIARY.fullmatch(cue[0].strip()):
            return self._next(text, cue)
        start = self._things.past_between(text, cue.end())
        if grammar().harmless_next.match(text, cue.end()) or not self._things.begins_name(text, start):
            return []
        things, end = self._things.read(text, start, weak=True)
        return [_excluded(cue.start(), end, one) for one in things]

    def _weak(self, text: str, cue: re.Match[str]) -> Spans:
        """Read "no X" and "not X", which also stand in sentences that refuse nothing."""
        if degree := _DEGREE.match(text, cue.end()):
            return [self._unread(cue.start(), degree.end())]
        start = self._things.past_between(text, cue.end())
        doing = cue[0].strip().lower() != "no" and _DOING.match(text, start) is not None
        if doing or _USING.match(text, cue.end()):
            return self._names(text, cue)
        if _MODAL.search(text[: cue.start()]):  # "must not phone home"
            return self._names(text, cue) or self._clause(text, cue)
        if grammar().harmless_next.match(text, cue.end()) or self.lexicon.is_statement(text[: cue.start()]):
            return []
        if _PERSON.search(text[: cue.start()]):  # "I'm not a Java developer"
            return self._clause(text, cue)
        if _OF.search(text[: cue.start()]):  # "the effect of no treatment"
            return []
        things, end = self._things.read(text, start, weak=True)
        article = cue[0].endswith(_LEFT_OUT)  # "nicht von hinton", unlike the verb of "nicht ausstehen"
        if things and self.is_foreign and not article and not self._is_understood(text, start):
            return [self._unread(cue.start(), end, DOUBTFUL)]
        return [_excluded(cue.start(), end, one) for one in things]

    def _is_understood(self, text: str, start: int) -> bool:
        """Report whether a word of another language was translated, or is a name."""
        token = TOKEN.match(text, start)
        translated = any(one.start <= start < one.end for one in self.source.replaced)
        known = token is not None and token[0].lower() in known_words()
        return translated or known or self._things.begins_name(text, start)

    def _clause(self, text: str, cue: re.Match[str]) -> Spans:
        if grammar().harmless_next.match(text, cue.end()) or self.lexicon.is_statement(text[: cue.start()]):
            return []
        clause = _CLAUSE.match(text, cue.end())
        return [self._unread(cue.start(), clause.end())] if clause and clause[0].strip() else []

    def _unread(self, start: int, end: int, note: str = NAMES_NOTHING) -> Span[Any]:
        clause = self.source.typed(start, end)
        return Span(start, end, "unread", clause, note=note.format(clause))


def _excluded(start: int, end: int, thing: Named) -> Span[Any]:
    return Span(start, end, "exclusion", f"not {thing.label}", thing.fields)


def without_doubt(spans: Sequence[Span[Any]], rest: str, source: QuestionText, lexicon: Lexicon) -> Spans:
    """Leave a limit unread that a negative word is near to which nothing else has read; `rest` has those words.

    So is what is asked for and refused at once.
    """
    for one in spans:
        is_cue_alone = one.note == NAMES_NOTHING.format(one.value) and " " not in source.text[one.start : one.end].strip()
        if one.kind == "unread" and (is_cue_alone or one.note == DOUBTFUL.format(one.value)):
            rest = rest[: one.start] + source.text[one.start : one.end] + rest[one.end :]
    asked = {one.value.casefold() for one in spans if one.kind in ("term", "constraint")}
    refused = {one.value.removeprefix("not ").casefold() for one in spans if one.kind == "exclusion"}
    both = asked & refused
    return [
        one.unread(DOUBTFUL.format(source.typed(one.start, one.end)))
        if one.fields and (_is_doubtful(one, rest, source, lexicon) or one.value.removeprefix("not ").casefold() in both)
        else one
        for one in spans
    ]


def may_be_subject(one: Span[Any]) -> bool:
    """Report whether what is refused may be all that is asked for: "no regret learning", unlike "anything but Jira"."""
    terms = one.fields.get("excluded_terms", ())
    return one.kind == "exclusion" and isinstance(terms, tuple) and any(" " in str(term) for term in terms)


def _is_doubtful(one: Span[Any], rest: str, source: QuestionText, lexicon: Lexicon) -> bool:
    """Report whether something near a limit may refuse it: a negative word, or a sentence that turns from it."""
    if one.kind != "constraint":
        return False
    clause = re.split(r"[,.;:?!]|\bbut\b", rest[: one.start])[-1]
    after = re.split(r"[,.;:?!]|\b(?:but|with|for|in|and|that)\b", rest[one.end :])[0]
    if any(map(_is_negative, _words(clause)[-REACH:])) or any(map(_is_negative, _words(after)[:REACH])):
        return True
    return not _is_attributive(one, rest, source, lexicon)


def _is_attributive(one: Span[Any], rest: str, source: QuestionText, lexicon: Lexicon) -> bool:
    """Report whether what a limit names stands where it surely describes the subject: "in Rust", "Rust library", "MIT".

    In "screw Java", "Java is evil", "Rust over Java" it does not, whatever the words around it mean.
    """
    if lexicon.named_at(source.text, one.start) is None:
        return True
    before, after = _around(one, rest, source)
    last, following = (before or [""])[-1], (after or [""])[0]
    if last in doubt_words("attributive"):
        return True
    is_followed = _may_be_noun(following, lexicon)
    if doubt_words("turned").intersection([*before[-NEAR:], following]):
        return False
    if not is_followed and (last in doubt_words("away") or (after and following not in doubt_words("links"))):
        return False
    return is_followed or last in string.ascii_lowercase or (last != BREAK and not lexicon.is_content(last)) or _may_be_noun(last, lexicon)


def _around(one: Span[Any], rest: str, source: QuestionText) -> tuple[list[str], list[str]]:
    """Return the words before and after a span in its clause; what was not translated is a word too."""
    text = "".join("," if mark == BREAK != typed else mark for mark, typed in zip(rest, source.text, strict=True))
    before, after = _END.split(text[: one.start])[-1], _END.split(text[one.end :])[0]
    return [word for word in _WORD.findall(before.lower()) if word not in doubt_words("determiners")], _WORD.findall(
        after.lower()
    )


def _may_be_noun(word: str, lexicon: Lexicon) -> bool:
    if lexicon.is_known(word) or JOINER in word or QUOTE in word:
        return True
    return lexicon.is_content(word) and (lexicon.is_form(word) or known_words().get(word, 0) > 0)


def _words(clause: str) -> list[str]:
    """Return the words of a clause without those that make nothing doubtful, such as "I don't know"."""
    return re.findall(r"[\w']+", grammar().clear_of_doubt.sub(" ", clause).lower())


def _is_negative(word: str) -> bool:
    return word in grammar().negative_words or word.endswith("n't")
