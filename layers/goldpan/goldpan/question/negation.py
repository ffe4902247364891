"""What a question refuses: the cues of cues.toml, and how far each reaches.

A cue reaches to the next thing, or to the one before it, and on through a list. What it refuses is excluded where it
names something; a manner ("without fiddling"), a quality ("not too slow") and a clause are shown as unread. Any other
limit in the reach of a negative word is doubtful, and doubt never limits: it is unread.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from goldpan.known_words import known_words
from goldpan.question.grammar import cues, pattern, word_list
from goldpan.question.lexicon import Named
from goldpan.question.question_text import BREAK, QUOTE, TOKEN, Span, token_at, without
from goldpan.question.things import ThingReader, past_words

MAX_OPTION = 3
"""Letters of an option of a command, such as "-rf", which excludes nothing."""
NAMES_NOTHING = "“{}” is not used: it names nothing to exclude."
DOUBTFUL = "“{}” is not used: it may be meant as an exclusion."
_reach = partial(pattern, "reach")
_LEFT_OUT = "   "
"""What a translation leaves of a word that says nothing, such as an article, and of the spaces around it."""
Spans = list[Span[Any]]
"""A refusal adds no term, so it is a span of any kind."""


class Negations(ThingReader):
    """Finds what a question refuses, with the words of a kind."""

    def find(self, text: str) -> Spans:
        """Find what is excluded, and the clauses that refuse without a thing; the surest cues come first."""
        found = Spans()
        following = ("refuses_next", "doubtful_next", "refuses_names")
        readers: list[tuple[re.Pattern[str], Callable[[str, re.Match[str]], Spans]]] = [
            (_reach("prefix"), self._joined),
            (_reach("suffix"), self._joined),
            (cues("refuses_previous"), self._previous),
            *((cues(name), partial(self._following, name=name)) for name in following),
            (cues("may_refuse"), self._weak),
        ]
        for cue, read in readers:
            place = 0
            while match := cue.search(text, place):
                place = match.end()
                spans = [] if self._refuses_nothing(text, match) else read(text, match)
                found += spans
                text = without(text, spans)
        return found

    def _refuses_nothing(self, text: str, cue: re.Match[str]) -> bool:
        """Report whether a cue asks ("why not use X?"), is of a name, or is refused itself: "can't live without X"."""
        before = text[: cue.start()]
        purpose = _reach("purpose").search(before) if _reach("verb").match(cue[0]) else None  # "a tool to get rid of X"
        if purpose and self.lexicon.is_content(purpose["subject"].lower()):
            return True
        typed = self.source.text
        asks = _reach("no_refusal").search(typed[: cue.start()]) or _reach("is_there").search(typed[: cue.end()])
        return bool(_reach("negated").search(before) or asks)

    def _joined(self, _text: str, match: re.Match[str]) -> Spans:
        """Read "-X", "non-X", "X-less" and "X-free": a name or something known; "-X" is typed to exclude anything."""
        name = match["name"]
        known = self.lexicon.named_at(name, 0)
        is_typed = not name.islower() and " " not in match[0]  # "A free editor" has no name
        compounds = self.lexicon.words.get("free_of", ())
        is_name = is_typed and not _reach("adjective").search(name)  # "non-Java", unlike "non-Euclidean"
        is_name = is_name and bool(compounds or not name.istitle())  # "non-Hodgkin" is a term of science
        if match.groupdict().get("how") == "-":
            is_name = len(name) > MAX_OPTION or name.lower() in known_words()  # "rm -rf" has an option
        if compounds:  # "boost-free", unlike "lock-free"
            is_name = is_name or (match[0].endswith("-free") and name.lower() not in compounds)
        if not is_name and (known is None or known.end != len(name)):
            return []
        typed = self.source.typed(*match.span("name")) if name[0] == QUOTE else name
        return _excluded(*match.span(), [self.named(typed)])

    def _previous(self, text: str, cue: re.Match[str]) -> Spans:
        """Read the things before "is not an option", to the beginning of their clause; "X is too small" is doubtful."""
        before = text[: cue.start()]
        lists = ":" in cue[0]  # "..., excluded: X", "my boss vetoed X", "legal banned X"
        is_active = not before.strip() if lists else self.begins_name(text, cue.end())
        is_active = is_active or _reach("active").search(before) is not None
        if is_active and (refused := self._following(text, cue, name="may_refuse")):
            return refused
        before = _reach("copula").sub("", before.rstrip(" ,(?:;-\u2013\u2014"))
        begin = max(before.rfind(mark) for mark in f",.;:?!({BREAK}") + 1
        for start in (token.start() for token in TOKEN.finditer(before, begin)):
            things, end = self.read(before, start)
            if things and self._is_form(before[end:].split()):
                doubtful = "too " in cue[0].lower()
                return [self._unread(start, cue.end())] if doubtful else _excluded(start, cue.end(), things)
        return []

    def _is_form(self, following: list[str]) -> bool:
        """Report whether words say what sort of thing is refused: "Unity projects", "MDPI journals"."""
        forms = self.lexicon.words.get("form", frozenset[str]())
        said = {word.lower() for word in following}
        is_plain = all(word in forms or self.lexicon.is_vague(word) for word in said)
        return is_plain and said.isdisjoint(word_list("ends_thing"))

    def _weak(self, text: str, cue: re.Match[str]) -> Spans:
        """Read "no X" and "not X", which also stand in sentences that refuse nothing."""
        before, start = text[: cue.start()], self.past_between(text, cue.end())
        if degree := _reach("degree").match(text, cue.end()):
            return [self._unread(cue.start(), degree.end())]
        following = token_at(text, cue.end()).lower()
        is_relative = _reach("relative").search(before)  # "that does not phone home"
        states = not is_relative and _reach("sentence").search(_reach("clause_begin").split(before)[-1])
        if states or following in word_list("harmless_next"):
            return []
        if is_relative or _reach("of_clause").search(before):  # "must not phone home", "I'm not a Java developer"
            return self._clause(text, cue, "mark" if is_relative else "clause_end")
        if following in ("using", "involving", "including"):
            return self._following(text, cue, name="refuses_names") or self._clause(text, cue)
        return self._following(text, cue, name="refuses_names" if _reach("doing").match(text, start) else "may_refuse")

    def _following(self, text: str, cue: re.Match[str], *, name: str) -> Spans:
        """Read the things after a cue; the name of its list says what they must be for it to refuse them."""
        start, begin = self.past_between(text, cue.end()), cue.start()
        begin = said.end() if (said := _reach("quantified").match(text, begin)) else begin
        is_name = self.begins_name(text, start)
        is_first = not text[:begin].strip()
        opening = _reach("opening_list" if _reach("leaves_out").match(cue[0]) else "opening")
        is_own = opening.match(text, start) if is_first else _reach("own_clause").search(text[:begin])
        if name == "refuses_names" and is_own:  # "..., skip X", "skip X. a library for ..."
            name = "refuses_next"
        if name == "refuses_names" and not is_name:
            return []
        is_weak = name in ("refuses_names", "may_refuse")
        things, end = self.read(text, start, weak=is_weak)
        if name == "refuses_next" and not things:
            end = past_words(text, start - 1, "manner")
            return [self._unread(cue.start(), end)] if end >= start else self._clause(text, cue)
        word = token_at(text, start).lower()
        is_word = is_name or word in known_words() or (things and self.source.is_replaced(start, start + 1))
        is_before_noun = cue[0].lower().startswith("no ") or cue[0].endswith(_LEFT_OUT) or start > cue.end()
        may_be_verb = self.is_foreign and name == "may_refuse" and not (is_word or is_before_noun)  # after "nicht"
        if things and (name == "doubtful_next" or may_be_verb):
            return [self._unread(begin, end, DOUBTFUL)]
        return _excluded(begin, end, things)

    def _clause(self, text: str, cue: re.Match[str], end: str = "clause_end") -> Spans:
        said = _reach(end).split(text[cue.end() :], maxsplit=1)[0]
        return [self._unread(cue.start(), cue.end() + len(said))]

    def _unread(self, start: int, end: int, note: str = NAMES_NOTHING) -> Span[Any]:
        clause = self.source.typed(start, end)
        return Span(start, end, "unread", clause, note=note.format(clause))


def in_doubt(one: Span[Any]) -> Span[Any]:
    """Leave an exclusion unread, and anything else as it is."""
    return one.unread(DOUBTFUL.format(one.value)) if one.kind == "exclusion" else one


def _excluded(start: int, end: int, things: Iterable[Named]) -> Spans:
    spans = (Span[Any](start, end, "exclusion", f"not {thing.label}", thing.fields) for thing in things)
    return [one if one.fields else in_doubt(one) for one in spans]


def is_refusal(one: Span[Any]) -> bool:
    """Report whether a span is something refused, excluded or left unread."""
    return one.kind == "exclusion" or one.note in (NAMES_NOTHING.format(one.value), DOUBTFUL.format(one.value))


def without_subject(one: Span[Any], text: str) -> Span[Any] | None:
    """Leave out what may be all that is asked for: "no regret learning", unlike "anything but Jira".

    Of "X is too slow" that is the name; the complaint stays unread.
    """
    terms = one.fields.get("excluded_terms", ())
    if isinstance(terms, tuple) and any(" " in str(term) for term in terms):
        return None
    complaint = cues("refuses_previous").search(text, one.start, one.end) if one.kind == "unread" else None
    return replace(one, start=complaint.start(), value=complaint[0].strip()) if complaint else one
