"""Split what nothing else read of a question into terms and platforms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from goldpan.kinds.repositories.question.lexicon import LEXICON
from goldpan.kinds.repositories.question.reading import RepositorySpan, Term, TermClass, cue
from goldpan.kinds.repositories.vocabulary import MAX_PHRASE_WORDS, Platform, platform_of, vocabulary
from goldpan.question.question_text import JOINER, QUOTE, TOKEN, QuestionText, plain
from goldpan.question.spans import blanked
from goldpan.text import phrase, words

MIN_STEM = 3
"""Letters of a language before its version: "Python3", but not "R2"."""
_IN = frozenset({"in", "using", "pure", "written", "language"})
_LANGUAGE_BEFORE = _IN | {"for", "with", "from", "via"}
_NO_OBJECT = frozenset({"to", "through", "back", "with", "from", "on", "into", "away"})


@dataclass(frozen=True)
class _Word:
    """A word of the text, the token that it is part of, and whether a phrase may go on from the word before."""

    word: str
    token: re.Match[str]
    continues: bool
    is_whole: bool
    """Whether it is the only word of its token."""


def find_terms(text: str, source: QuestionText) -> list[RepositorySpan]:
    """Split a text into terms, the longest known phrase first; `source` has the words that were taken out."""
    for match in LEXICON.patterns["request"].finditer(text):
        if not (match[0].lower() == "go to" and cue("terms", "after_in").search(text[: match.start()])):
            text = blanked(text, *match.span())
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
        is_name = JOINER in token[0] or token[0].startswith(QUOTE)
        is_contraction = cue("terms", "contraction").fullmatch(token[0])
        split = [token[0]] if is_name else [] if is_contraction else words(token[0])
        adjacent = text[end : token.start()] in (" ", "-", "/") and end > 0 and not is_name
        for position, word in enumerate(split):
            yield _Word(word, token, adjacent or position > 0, len(split) == 1)
        end = token.end()


@dataclass(frozen=True)
class _TermReader:
    words: Sequence[_Word]
    source: QuestionText

    def read(self, start: int) -> tuple[RepositorySpan | None, int]:
        """Return what begins at a word, None if it only asks, and the number of words that it takes."""
        first = self.words[start]
        if JOINER in first.word or first.word.startswith(QUOTE):
            name = self.source.typed(*first.token.span()) if first.word.startswith(QUOTE) else plain(first.word)
            return (_term([first], tuple(words(name)), "subject", name) if words(name) else None), 1
        for length in range(min(MAX_PHRASE_WORDS, len(self.words) - start), 1, -1):
            several = self.words[start : start + length]
            if all(word.continues for word in several[1:]) and (known := self._phrase(several)):
                return known, length
        several = [word for word in self.words[start:] if word.token is first.token]
        begins = start == 0 or self.words[start - 1].token is not first.token
        apart = "/" in first.token[0] and any(map(platform_of, first.token[0].split("/")))  # "C#/.NET"
        if len(several) > 1 and begins and not apart:
            return self._compound(several), len(several)
        return self._single(start), 1

    def _phrase(self, several: Sequence[_Word]) -> RepositorySpan | None:
        names = tuple(word.word for word in several)
        if platform := vocabulary().platforms_by_name.get(names):
            return self._platform(several, platform)
        for part in ("context", "preference"):
            if names in LEXICON.phrases[part]:
                return _term(several, names, part)
        key = phrase(" ".join(names))
        return _term(several, names, "subject") if len(key) == len(names) and key in vocabulary().synonyms else None

    def _compound(self, several: Sequence[_Word]) -> RepositorySpan | None:
        """Read a hyphenated word: one term, or the platform of "Rust-based"."""
        token = several[0].token[0]
        stem = cue("terms", "suffix").sub("", token)
        if stem != token and (platform := platform_of(stem)):
            return self._platform(several, platform)
        names = tuple(word.word for word in several)
        if token.lower() in LEXICON.words["preference"]:
            return _term(several, names, "preference")
        if all(word in LEXICON.asking for word in names) or token.lower() in LEXICON.words["form"]:
            return None
        is_plain = token[0].isdigit() or all(LEXICON.is_vague(word) for word in names)
        return _term(several, names, "context" if is_plain else "subject")

    def _single(self, start: int) -> RepositorySpan | None:
        one = self.words[start]
        platform = platform_of(one.word)
        if platform is not None and self._is_platform(start):
            return self._platform([one], platform)
        stem = cue("terms", "version").sub("", one.token[0])
        if MIN_STEM <= len(stem) < len(one.token[0]) and (platform := platform_of(stem)):
            return self._platform([one], platform)
        if one.token[0].lower().endswith(".js"):
            return _term([one], (one.word,), "subject", one.token[0])
        if one.word in LEXICON.asking or (len(one.word) == 1 and one.word.isascii() and not one.word.isdecimal()):
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
            if after in _NO_OBJECT or before in LEXICON.words["verb_before"]:
                return typed[0].isupper() and start > 0 and after not in _NO_OBJECT
            usual = before in _LANGUAGE_BEFORE or after in LEXICON.words["form"] or after in ("", "code") or not before
            return typed[0].isupper() or (usual and (word == "go" or bool(before) or bool(after)))
        if word == "node" and typed != "Node":
            return before not in LEXICON.words["node_before"] and after not in LEXICON.words["node_after"]
        if word == "shell":
            return before in _LANGUAGE_BEFORE
        return not (word == "react" and after == "to" and typed.islower())

    def _platform(self, several: Sequence[_Word], platform: Platform) -> RepositorySpan:
        """Make a constraint of a platform with languages, and a term of any other."""
        start, end, token = several[0].token.start(), several[-1].token.end(), several[0].token[0]
        raw = " ".join(word.token[0] if all(w.is_whole for w in several) else word.word for word in several)
        term = Term(words=tuple(words(platform.name if len(several) > 1 and "-" in token else raw)), part="platform")
        if not platform.compatible_languages:
            return RepositorySpan(start, end, "term", raw, term=term)
        strict = platform.language_filter and _is_written_in(self.source.text[:start])
        fields = {"languages": platform.search_languages} if strict else {"platforms": (platform.name,)}
        return RepositorySpan(start, end, "constraint", platform.displayed, fields, term)


def _class_of(word: str) -> TermClass:
    if word in LEXICON.words["preference"]:
        return "preference"
    if word in LEXICON.words["form"]:
        return "form"
    is_plain = word in LEXICON.words["context"] or word.isdecimal() or phrase(word) in vocabulary().generic
    return "context" if is_plain else "subject"


def _is_written_in(before: str) -> bool:
    """Report whether a text ends in "written in", also with other languages in between: "written in C or"."""
    while (linked := cue("terms", "linked").search(before)) and platform_of(linked["name"]):
        before = before[: linked.start("name")]
    return cue("terms", "written_in").search(before) is not None


def _term(
    several: Sequence[_Word], names: tuple[str, ...], part: TermClass, value: str | None = None
) -> RepositorySpan:
    start, end = several[0].token.start(), several[-1].token.end()
    return RepositorySpan(start, end, "term", value or " ".join(names), term=Term(words=names, part=part))
