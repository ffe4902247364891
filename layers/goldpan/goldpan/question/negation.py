"""What a question refuses: the cues of cues.toml, and how far each reaches.

A cue reaches to the next thing, or to the one before it, and on through a list. What it refuses is excluded where it
names something; a manner ("without fiddling"), a quality ("not too slow") and a clause are shown as unread. Any other
limit in the reach of a negative word is doubtful, and doubt never limits: it is unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

from goldpan.question.grammar import grammar
from goldpan.question.question_text import JOINER, QUOTE, TOKEN, QuestionText, plain
from goldpan.question.spans import BREAK, Span, blanked

MAX_THING_WORDS, MAX_THINGS = 4, 8
REACH = 3
"""Words between a negative word and a limit that make the limit doubtful."""
NAMES_NOTHING = "“{}” is not used: it names nothing to exclude."
DOUBTFUL = "“{}” is not used: it may be meant as an exclusion."
_LINK = re.compile(
    r"\s*(?:/|,\s*(?:(?:or|and|nor)\b)?|\b(?:or|nor|and|and/or)\b)\s*(?:(?:no|not|any)\s+)?", re.IGNORECASE
)
_CLAUSE = re.compile(rf"(?:(?!\s+(?:in|for|with|but|using|and|that|which)\s)[^,.;:?!{BREAK}])*")
_CLAUSE_END = re.compile(rf"\s*(?:$|[,.;:?!){BREAK}])")
_DEGREE = re.compile(r"(?:too|very|so|that|overly)\s+(?:much\s+|many\s+)?[\w-]+", re.IGNORECASE)
_PREFIX = re.compile(
    rf"(?<![\w-])(?P<how>(?<!\S)-|(?:non|not)-|(?<!\S)!)(?P<name>{QUOTE}+|[A-Za-z][\w.+#{JOINER}-]*)", re.IGNORECASE
)
_FREE = re.compile(rf"(?<![\w-])(?P<name>[\w.+#{JOINER}]+)[\s-]free(?![\w-])", re.IGNORECASE)
_BASED = re.compile(r"-(?:based|powered|written|like|style|flavou?red|only)$", re.IGNORECASE)
_WHY = re.compile(r"\bwhy\s+$", re.IGNORECASE)
_GERUND = re.compile(r"[a-z]+ing(?!\w)")
Term = TypeVar("Term")


@dataclass(frozen=True)
class Named:
    """What a text names at a place: where it ends, how it is shown, and the constraints that exclude it."""

    end: int
    label: str
    fields: Mapping[str, object] | None
    """None if nothing can exclude it, such as a year."""


class Lexicon(Protocol):
    """What a kind knows of the words of a question."""

    def named_at(self, text: str, start: int) -> Named | None:
        """Return what the text names at a place, such as a language, a licence or a venue."""

    def is_content(self, word: str) -> bool:
        """Report whether a lower-case word says something: it neither asks nor holds the sentence together."""

    def is_vague(self, word: str) -> bool:
        """Report whether a lower-case word says little alone."""

    def is_known(self, word: str) -> bool:
        """Report whether a lower-case word is one of the vocabulary."""

    def may_be_name(self, token: str) -> bool:
        """Report whether a word looks like a name."""

    def is_statement(self, clause: str) -> bool:
        """Report whether the words before "not" are a sentence about the world, which refuses nothing."""


@dataclass(frozen=True)
class Negations:
    """Finds what a question refuses, with the words of a kind."""

    lexicon: Lexicon
    source: QuestionText

    def find(self, text: str) -> list[Span[Term]]:
        """Find what is excluded, and the clauses that refuse without a thing."""
        found: list[Span[Term]] = []

        def take(new: Iterator[Span[Term]] | list[Span[Term]]) -> None:
            nonlocal text
            for one in (listed := list(new)):
                found.append(one)
            for one in listed:
                text = blanked(text, one.start, one.end)

        for pattern in (_PREFIX, _FREE):
            for match in pattern.finditer(text):
                take(self._joined(text, match))
        cues = grammar()
        while match := cues.refuses_next.search(text):
            if _WHY.search(text[: match.start()]):  # "why not use X?"
                text = text[: match.start()] + "\x00" * (match.end() - match.start()) + text[match.end() :]
                continue
            take(spans := self._next(text, match))
            if not spans:
                text = text[: match.start()] + "\x00" * (match.end() - match.start()) + text[match.end() :]
        for match in [*cues.refuses_previous.finditer(text)]:
            take(self._previous(text, match))
        for match in cues.doubtful_next.finditer(text):
            _, end = self._things(text, match.end(), weak=False)
            take([self._unread(match.start(), end)] if end > match.end() else [])
        for match in [*cues.may_refuse.finditer(text)]:
            if text[match.start() : match.end()] == match[0]:
                take(self._weak(text, match))
        return found

    def _joined(self, text: str, match: re.Match[str]) -> list[Span[Term]]:
        """Read "-X", "non-X", "!X" and "X-free": a name or something known; "-X" is typed to exclude anything."""
        start, name = match.start("name"), match["name"]
        typed_minus = match.re is _PREFIX and match["how"] == "-"
        named = self.lexicon.named_at(name, 0)
        whole = named is not None and named.end == len(name)
        if not (typed_minus or whole or self.lexicon.may_be_name(name)) or name.lower() in ("for", "and", "or"):
            return []
        label, fields = self._thing(name, named if whole else None)
        return [] if fields is None else [self._excluded(match.start(), match.end(), label, fields)]

    def _next(self, text: str, cue: re.Match[str]) -> list[Span[Term]]:
        if degree := _DEGREE.match(text, cue.end()):
            return [self._unread(cue.start(), degree.end())]
        things, end = self._things(text, self._past_between(text, cue.end()), weak=False)
        if things:
            return [self._limit(cue.start(), end, label, fields) for label, fields in things]
        clause = _CLAUSE.match(text, cue.end())
        end = self._past_manner(text, self._past_between(text, cue.end())) or (clause.end() if clause else cue.end())
        return [self._unread(cue.start(), max(end, cue.end()))]

    def _previous(self, text: str, cue: re.Match[str]) -> list[Span[Term]]:
        """Read the things before "is not an option", back to the beginning of their clause."""
        before = text[: cue.start()].rstrip(" ,(?")
        begin = max(before.rfind(mark) for mark in f",.;:?!({BREAK}\x00") + 1
        for token in TOKEN.finditer(before, begin):
            things, end = self._things(before, token.start(), weak=False)
            if things and end == len(before):
                return [self._limit(token.start(), cue.end(), label, fields) for label, fields in things]
        return []

    def _weak(self, text: str, cue: re.Match[str]) -> list[Span[Term]]:
        """Read "no X" and "not X", which also stand in sentences that refuse nothing."""
        start = self._past_between(text, cue.end())
        if degree := _DEGREE.match(text, cue.end()):
            return [self._unread(cue.start(), degree.end())]
        if grammar().harmless_next.match(text, cue.end()) or self.lexicon.is_statement(text[: cue.start()]):
            return []
        things, end = self._things(text, start, weak=True)
        using = re.match(r"(?:using|involving|including)\b", text[cue.end() :], re.IGNORECASE)
        said = text[start:end].split()
        doing = cue[0].strip().lower() != "no" and len(said) > 0 and re.search(r"(?:ing|ed|en)$", said[0]) is not None
        known = self.lexicon.named_at(text, start) is not None or self.lexicon.may_be_name(text[start:end])
        if (using or doing) and not known:
            return []
        return [self._limit(cue.start(), end, label, fields) for label, fields in things]

    def _things(
        self, text: str, start: int, *, weak: bool
    ) -> tuple[list[tuple[str, Mapping[str, object] | None]], int]:
        """Read the refused things from a place on: "jQuery or React", "ads and tracking"."""
        things: list[tuple[str, Mapping[str, object] | None]] = []
        end = start
        while len(things) < MAX_THINGS:
            begin = start if not things else self._past_between(text, start)
            read = self._thing_at(text, begin, weak=weak and not things)
            if read is None or (things and not self._goes_on(text, end, start, begin, read[0])):
                break
            end = read[0]
            things += read[1]
            link = _LINK.match(text, end)
            if link is None or not link[0].strip():
                break
            start = link.end()
        return things, end

    def _goes_on(self, text: str, before: int, linked: int, start: int, end: int) -> bool:
        """Report whether a further thing belongs to the list, rather than to what is asked for."""
        link, rest = text[before:linked].strip().lower(), text[end:]
        if link.lstrip(", ").startswith(("or", "nor", "/", "and/or")) or link.endswith(("no", "not", "any")):
            return True
        if link == ",":  # a list that "or" closes: "not kitty, alacritty or wezterm"
            return start == linked and re.match(r"(?:\s*,\s*[\w.+#-]+)*\s*,?\s+(?:or|nor)\s", rest) is not None
        known = self.lexicon.named_at(text, start) is not None or self.lexicon.may_be_name(text[start:end])
        return known or _CLAUSE_END.match(rest) is not None

    def _thing_at(
        self, text: str, start: int, *, weak: bool
    ) -> tuple[int, list[tuple[str, Mapping[str, object] | None]]] | None:
        """Read one thing: what the kind knows, a quoted text, or up to four words; None if there is none."""
        named = self.lexicon.named_at(text, start)
        if named is not None and (weak or not self._continues(text, named.end)):
            return self._past_trailing(text, named.end), [(named.label, named.fields)]
        tokens = self._content_from(text, start)
        while tokens and tokens[-1][0].lower() in grammar().trailing:
            tokens.pop()
        if not tokens or (len(tokens) > 1 and _GERUND.fullmatch(tokens[0][0])):
            return None
        said = [token[0].lower() for token in tokens]
        is_name = any(self.lexicon.may_be_name(token[0]) for token in tokens)
        if not is_name and all(self.lexicon.is_vague(word) or word in grammar().manner for word in said):
            return None
        if not is_name and (said[0] in grammar().manner or said[-1] in grammar().manner):
            return None
        if len(said) == 1 and not weak and _GERUND.fullmatch(said[0]) and not self.lexicon.is_known(said[0]):
            return None  # a manner: "without fiddling"
        end = self._past_trailing(text, tokens[-1].end())
        if weak and not is_name and not self._ends_clause(text, end):
            return None
        names = _pieces(text[start : tokens[-1].end()]) if len(tokens) == 1 else [text[start : tokens[-1].end()]]
        return end, [self._thing(name, None) for name in names]

    def _content_from(self, text: str, start: int) -> list[re.Match[str]]:
        """Return the words of a thing: nothing but one space stands between them."""
        tokens: list[re.Match[str]] = []
        while len(tokens) < MAX_THING_WORDS and (token := TOKEN.match(text, start)):
            word = token[0].lower()
            if word in grammar().ends_thing or not (
                self.lexicon.is_content(word) or self.lexicon.may_be_name(token[0])
            ):
                break
            tokens.append(token)
            start = token.end() + 1
            if text[token.end() : start] != " ":
                break
        return tokens

    def _thing(self, name: str, named: Named | None) -> tuple[str, Mapping[str, object] | None]:
        if named is not None:
            return named.label, named.fields
        bare = _BASED.sub("", name)
        known = self.lexicon.named_at(bare, 0)
        if known is not None and known.end == len(bare):
            return known.label, known.fields
        label = plain(bare)
        return label, {"excluded_terms": (label,)}

    def _continues(self, text: str, end: int) -> bool:
        """Report whether a name goes on: "React Native", "Docker daemon"."""
        following = TOKEN.match(text, end + 1) if text[end : end + 1] == " " else None
        if following is None:
            return False
        word = following[0].lower()
        goes_on = self.lexicon.is_content(word) and word not in grammar().ends_thing
        return goes_on and word not in grammar().trailing and not self.lexicon.is_vague(word)

    def _past_between(self, text: str, start: int) -> int:
        match = grammar().between.match(text, start)
        return match.end() if match else start

    def _past_manner(self, text: str, start: int) -> int:
        """Return the end of the words that say how something is done, 0 if there are none."""
        end = 0
        while (token := TOKEN.match(text, start)) and token[0].lower() in grammar().manner:
            end, start = token.end(), token.end() + 1
        return end

    def _past_trailing(self, text: str, end: int) -> int:
        while (token := TOKEN.match(text, end + 1)) and text[end] == " " and token[0].lower() in grammar().trailing:
            end = token.end()
        return end

    def _ends_clause(self, text: str, end: int) -> bool:
        token = TOKEN.match(text, end + 1) if text[end : end + 1] == " " else None
        return _CLAUSE_END.match(text, end) is not None or (
            token is not None and token[0].lower() in grammar().ends_thing
        )

    def _limit(self, start: int, end: int, label: str, fields: Mapping[str, object] | None) -> Span[Term]:
        return self._unread(start, end) if fields is None else self._excluded(start, end, label, fields)

    def _excluded(self, start: int, end: int, label: str, fields: Mapping[str, object]) -> Span[Term]:
        return Span(start, end, "exclusion", f"not {label}", fields)

    def _unread(self, start: int, end: int) -> Span[Term]:
        clause = self.source.typed(start, end)
        return Span(start, end, "unread", clause, note=NAMES_NOTHING.format(clause))


def without_doubt(spans: list[Span[Term]], rest: str, source: QuestionText) -> list[Span[Term]]:
    """Leave a limit unread that a negative word is near to which nothing else has read; `rest` has those words."""
    return [
        one.unread(DOUBTFUL.format(source.typed(one.start, one.end))) if one.fields and _is_doubtful(one, rest) else one
        for one in spans
    ]


def _is_doubtful(one: Span[Term], rest: str) -> bool:
    if one.kind != "constraint":
        return False
    before = re.split(rf"[,.;:?!{BREAK}]|\bbut\b", rest[: one.start])[-1]
    after = re.split(rf"[,.;:?!{BREAK}]|\b(?:but|with|for|in|and|that)\b", rest[one.end :])[0]
    return _has_negative(before, last=True) or _has_negative(after, last=False)


def _has_negative(clause: str, *, last: bool) -> bool:
    for match in grammar().harmless_next.finditer(clause):
        head = re.search(r"\b(?:not|no|never|n't)\s+$", clause[: match.start()])
        if head:
            clause = clause[: head.start()] + " " * (match.end() - head.start()) + clause[match.end() :]
    near = re.findall(r"[\w']+", clause.lower())
    near = near[-REACH:] if last else near[:REACH]
    return any(word in grammar().negative_words or word.endswith("n't") for word in near)


def _pieces(name: str) -> list[str]:
    """Split "Kitty/Alacritty/WezTerm", but neither "owner/name" nor "TCP/IP"."""
    pieces = name.split("/")
    listed = len(pieces) > 2 or all(piece[:1].isupper() and len(piece) > 2 for piece in pieces)
    return pieces if listed else [name]
