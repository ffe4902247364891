"""What a question refuses: the cues of cues.toml, and how far each reaches.

A cue reaches to the next thing, or to the one before it, and on through a list. What it refuses is excluded where it
names something; a manner ("without fiddling"), a quality ("not too slow") and a clause are shown as unread. Any other
limit in the reach of a negative word is doubtful, and doubt never limits: it is unread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from goldpan.question.grammar import grammar
from goldpan.question.known_words import known_words
from goldpan.question.lexicon import Lexicon, Named
from goldpan.question.question_text import JOINER, QUOTE, TOKEN, QuestionText
from goldpan.question.spans import BREAK, Span, without
from goldpan.question.things import ThingReader

MAX_OPTION = 3
"""Letters of an option of a command, such as "-rf", which excludes nothing."""
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
_EXCEPT = re.compile(
    r"without|w/o|sans|other than|anything|except|lacking|minus|exclud|avoid|skip|omit|ignor|leav|forget|hate|dislike",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|none|nothing|no|cannot|\w+n't)(?:\s+(?!and|or|but)[\w']+){0,2}\s+$", re.IGNORECASE
)
_THERE = re.compile(r"\b(?:is|are|was)\s+there\s+$", re.IGNORECASE)
_PERSON = re.compile(r"\b(?:i'm|i\s+am|we're|we\s+are)\s+$", re.IGNORECASE)
_USING = re.compile(r"(?:using|involving|including)\b", re.IGNORECASE)
_DOING = re.compile(r"\S{4,}ing\b|\S{3,}ed\b")
_MODAL = re.compile(r"\b(?:do|does|did|must|should|can|could|will|would|may|might|to)\s+$", re.IGNORECASE)
_LEFT_OUT = "   "
"""What a translation leaves of a word that says nothing, such as an article, and of the spaces around it."""
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
        """Report whether a cue asks for a reason ("why not use X?"), is of a name, or is refused itself."""
        following = TOKEN.match(text, cue.end())
        is_name = cue[0].strip().istitle() and following is not None and following[0].istitle()
        is_name = is_name and (cue.start() > 0 or not self._things.lexicon.named_at(text, cue.end()))
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
        is_word = minus and (len(name) > MAX_OPTION or name.lower() in known_words())  # "rm -rf" has an option
        if not (is_word or whole or (self.lexicon.may_be_name(name) and not minus)):
            return []
        typed = self.source.typed(match.start("name"), match.end("name")) if name[0] == QUOTE else name
        return [_excluded(match.start(), match.end(), self._things.named(typed))]

    def _next(self, text: str, cue: re.Match[str]) -> Spans:
        if degree := _DEGREE.match(text, cue.end()):
            return [self._unread(cue.start(), degree.end())]
        start = self._things.past_between(text, cue.end())
        things, end = self._things.read(text, start, manner=_WITHOUT.match(cue[0]) is not None)
        is_all = not self.source.text[: cue.start()].strip() and not re.search(r"[,.;:!]", text[end:])
        if cue[0].lower().startswith("exclu") and (is_all or _FROM.match(text, end)):  # "exclude files from backup"
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
        start, before = self._things.past_between(text, cue.end()), text[: cue.start()]
        doing = cue[0].strip().lower() != "no" and _DOING.match(text, start) is not None
        found: Spans = []
        if degree := _DEGREE.match(text, cue.end()):
            found = [self._unread(cue.start(), degree.end())]
        elif doing or _USING.match(text, cue.end()):
            found = self._names(text, cue)
        elif _MODAL.search(before):  # "must not phone home"
            found = self._names(text, cue) or self._clause(text, cue)
        elif _PERSON.search(before):  # "I'm not a Java developer"
            found = self._clause(text, cue)
        elif not (self._is_harmless(text, cue) or _OF.search(before)):  # "the effect of no treatment"
            things, end = self._things.read(text, start, weak=True)
            article = cue[0].endswith(_LEFT_OUT)  # "nicht von hinton", unlike the verb of "nicht ausstehen"
            if things and self.is_foreign and not article and not self._is_understood(text, start):
                return [self._unread(cue.start(), end, DOUBTFUL)]
            found = [_excluded(cue.start(), end, one) for one in things]
        return found

    def _is_harmless(self, text: str, cue: re.Match[str]) -> bool:
        states = self.lexicon.is_statement(text[: cue.start()])
        return states or grammar().harmless_next.match(text, cue.end()) is not None

    def _is_understood(self, text: str, start: int) -> bool:
        """Report whether a word of another language was translated, or is a name."""
        token = TOKEN.match(text, start)
        translated = any(one.start <= start < one.end for one in self.source.replaced)
        known = token is not None and token[0].lower() in known_words()
        return translated or known or self._things.begins_name(text, start)

    def _clause(self, text: str, cue: re.Match[str]) -> Spans:
        if self._is_harmless(text, cue):
            return []
        clause = _CLAUSE.match(text, cue.end())
        return [self._unread(cue.start(), clause.end())] if clause and clause[0].strip() else []

    def _unread(self, start: int, end: int, note: str = NAMES_NOTHING) -> Span[Any]:
        clause = self.source.typed(start, end)
        return Span(start, end, "unread", clause, note=note.format(clause))


def _excluded(start: int, end: int, thing: Named) -> Span[Any]:
    return Span(start, end, "exclusion", f"not {thing.label}", thing.fields)


def may_be_subject(one: Span[Any]) -> bool:
    """Report whether what is refused may be all that is asked for: "no regret learning", unlike "anything but Jira"."""
    terms = one.fields.get("excluded_terms", ())
    return one.kind == "exclusion" and isinstance(terms, tuple) and any(" " in str(term) for term in terms)
