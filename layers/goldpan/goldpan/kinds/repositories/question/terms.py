"""Split what nothing else read of a question into terms and platforms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from goldpan.kinds.repositories.question.reading import RepositorySpan, Term, TermClass
from goldpan.kinds.repositories.question.wording import wording
from goldpan.kinds.repositories.vocabulary import MAX_PHRASE_WORDS, Platform, platform_of, vocabulary
from goldpan.question.question_text import JOINER, QUOTE, TOKEN, QuestionText, plain
from goldpan.question.spans import blanked
from goldpan.text import phrase, words

_CONTRACTION = re.compile(r"\w+(?:n't|'(?:m|re|ve|ll|d))", re.IGNORECASE)
_WRITTEN_IN = re.compile(
    r"(?:\b(?:written|coded|implemented|programmed|developed|built|made)\s+(?:(?:entirely|purely|only|completely)\s+)?in|\bpure)\s+$",
    re.IGNORECASE,
)
_LINKED = re.compile(r"(?<!\S)(?P<name>[^\s,/]+)(?:\s*,\s*(?:or\s+|and\s+)?|\s*/\s*|\s+(?:or|and)\s+)$", re.IGNORECASE)
_SUFFIX = re.compile(r"-(?:based|powered|friendly|native|only|written|compatible|ready|flavou?red)$", re.IGNORECASE)
_VERSION = re.compile(r"(?<=[a-z+#])[\d.]+$", re.IGNORECASE)
"""Of a language, as in "C++17"."""
MIN_STEM = 3
_AFTER_IN = re.compile(r"\b(?:in|using)\s$", re.IGNORECASE)
_IN = frozenset({"in", "using", "pure", "written", "language"})
_LANGUAGE_BEFORE = _IN | {"for", "with", "from", "via"}
_NO_OBJECT = frozenset({"to", "through", "back", "with", "from", "on", "into", "away"})


@dataclass(frozen=True)
class _Word:
    """A word of the text, the token that it is part of, and whether a phrase may go on from the word before."""

    word: str
    token: re.Match[str]
    continues: bool
    only: bool
    """Whether it is the only word of its token."""


def find_terms(text: str, source: QuestionText) -> list[RepositorySpan]:
    """Split a text into terms, the longest known phrase first; `source` has the words that were taken out."""
    for match in wording().patterns["request"].finditer(text):
        if not (match[0].lower() == "go to" and _AFTER_IN.search(text[: match.start()])):
            text = blanked(text, match.start(), match.end())
    reader = _TermReader(list(_words(text)), source)
    found: list[RepositorySpan] = []
    start = 0
    while start < len(reader.words):
        one, length = reader.read(start)
        found += [one] if one is not None else []
        start += length
    return found


def _words(text: str) -> Iterator[_Word]:
    end = 0
    for token in TOKEN.finditer(text):
        if JOINER in token[0] or token[0].startswith(QUOTE):
            yield _Word(token[0], token, continues=False, only=True)
            end = token.end()
            continue
        split = [] if _CONTRACTION.fullmatch(token[0]) else words(token[0])
        adjacent = text[end : token.start()] in (" ", "-", "/") and end > 0
        for position, word in enumerate(split):
            yield _Word(word, token, continues=adjacent or position > 0, only=len(split) == 1)
        end = token.end()


@dataclass(frozen=True)
class _TermReader:
    words: Sequence[_Word]
    source: QuestionText

    def read(self, start: int) -> tuple[RepositorySpan | None, int]:
        """Return what begins at a word, None if it only asks, and the number of words that it takes."""
        first = self.words[start]
        if JOINER in first.word or first.word.startswith(QUOTE):
            quoted = first.word.startswith(QUOTE)
            name = self.source.typed(first.token.start(), first.token.end()) if quoted else plain(first.word)
            split = tuple(words(name))
            return (_term([first], split, "subject", name) if split else None), 1
        for length in range(min(MAX_PHRASE_WORDS, len(self.words) - start), 1, -1):
            several = self.words[start : start + length]
            known = self._phrase(several) if all(word.continues for word in several[1:]) else None
            if known is not None:
                return known, length
        length = sum(word.token is first.token for word in self.words[start : start + 8])
        apart = "/" in first.token[0] and any(platform_of(piece) for piece in first.token[0].split("/"))  # "C#/.NET"
        if length > 1 and not apart and (start == 0 or self.words[start - 1].token is not first.token):
            return self._compound(self.words[start : start + length]), length
        return self._single(start), 1

    def _phrase(self, several: Sequence[_Word]) -> RepositorySpan | None:
        names = tuple(word.word for word in several)
        if platform := vocabulary().platforms_by_name.get(names):
            return self._platform(several, platform)
        if names in wording().phrases["context"]:
            return _term(several, names, "context")
        if names in wording().phrases["preference"]:
            return _term(several, names, "preference")
        key = phrase(" ".join(names))
        return _term(several, names, "subject") if len(key) == len(names) and key in vocabulary().synonyms else None

    def _compound(self, several: Sequence[_Word]) -> RepositorySpan | None:
        """Read a hyphenated word: one term, or the platform of "Rust-based"."""
        token = several[0].token[0]
        stem = _VERSION.sub("", _SUFFIX.sub("", token))
        if stem != token and (platform := platform_of(stem)):
            return self._platform(several, platform)
        names = tuple(word.word for word in several)
        if token.lower() in wording().preference:
            return _term(several, names, "preference")
        if all(word in wording().request for word in names) or token.lower() in wording().form:
            return None
        plain_words = token[0].isdigit() or all(wording().is_plain(word) for word in names)
        return _term(several, names, "context" if plain_words else "subject")

    def _single(self, start: int) -> RepositorySpan | None:
        one = self.words[start]
        platform = vocabulary().platforms_by_name.get((one.word,))
        if platform is not None and self._is_platform(start):
            return self._platform([one], platform)
        stem = _VERSION.sub("", one.token[0])
        versioned = platform_of(stem) if MIN_STEM <= len(stem) < len(one.token[0]) else None  # "Python3", but not "R2"
        if versioned is not None:
            return self._platform([one], versioned)
        if one.token[0].lower().endswith(".js"):
            return _term([one], (one.word,), "subject", one.token[0])
        if one.word in wording().request or (len(one.word) == 1 and one.word.isascii() and not one.word.isdecimal()):
            return None
        return _term([one], (one.word,), _class_of(one.word))

    def _is_platform(self, start: int) -> bool:
        """Report whether a word that is also an ordinary one ("go", "c", "react to") names the platform here."""
        word, typed = self.words[start].word, self.words[start].token[0]
        before = self.words[start - 1].word if start > 0 else ""
        after = self.words[start + 1].word if start + 1 < len(self.words) else ""
        if word in ("go", "c", "r"):
            if before in _IN or (before in _LANGUAGE_BEFORE and typed[0].isupper() and after != "to"):
                return True  # whatever follows: "in Go with generics"
            if after in _NO_OBJECT or before in wording().verb_before:
                return typed[0].isupper() and start > 0 and after not in _NO_OBJECT
            usual = before in _LANGUAGE_BEFORE or after in wording().form or not before or not after or after == "code"
            return typed[0].isupper() or (usual and (word == "go" or bool(before) or bool(after)))
        if word == "node" and typed != "Node":
            return before not in wording().node_before and after not in wording().node_after
        if word == "shell":
            return before in _LANGUAGE_BEFORE
        return not (word == "react" and after == "to" and typed.islower())

    def _platform(self, several: Sequence[_Word], platform: Platform) -> RepositorySpan:
        """Make a constraint of a platform with languages, and a term of any other."""
        start, end, token = several[0].token.start(), several[-1].token.end(), several[0].token[0]
        whole = all(word.only for word in several)
        raw = " ".join(dict.fromkeys(word.token[0] for word in several)) if whole else " ".join(w.word for w in several)
        term = Term(words=tuple(words(platform.name if len(several) > 1 and "-" in token else raw)), part="platform")
        if not platform.compatible_languages:
            return RepositorySpan(start, end, "term", raw, term=term)
        strict = platform.language_filter and _is_written_in(self.source.text[:start])
        fields = {"languages": platform.search_languages} if strict else {"platforms": (platform.name,)}
        return RepositorySpan(start, end, "constraint", platform.displayed, fields, term)


def _class_of(word: str) -> TermClass:
    tables = wording()
    if word in tables.preference:
        return "preference"
    if word in tables.form:
        return "form"
    generic = phrase(word) in vocabulary().generic
    return "context" if word in tables.context or word.isdecimal() or generic else "subject"


def _is_written_in(before: str) -> bool:
    """Report whether a text ends in "written in", also with other languages in between: "written in C or"."""
    while linked := _LINKED.search(before):
        if platform_of(linked["name"]) is None:
            break
        before = before[: linked.start("name")]
    return _WRITTEN_IN.search(before) is not None


def _term(
    several: Sequence[_Word], names: tuple[str, ...], part: TermClass, value: str | None = None
) -> RepositorySpan:
    start, end = several[0].token.start(), several[-1].token.end()
    return RepositorySpan(start, end, "term", value or " ".join(names), term=Term(words=names, part=part))
