"""Split what nothing else read of a question into terms and platforms."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from goldpan.kinds.repositories.question.lexicon import LEXICON, RepositorySpan, Term, TermClass, cue
from goldpan.kinds.repositories.vocabulary import MAX_PHRASE_WORDS, Platform, platform_of, vocabulary
from goldpan.question.question_text import JOINER, QUOTE, TOKEN, QuestionText, plain
from goldpan.text import phrase, words

MIN_STEM = 3
"""Letters of a language before its version: "Python3", but not "R2"."""
_IN = frozenset({"in", "using", "pure", "written", "language"})
_LANGUAGE_BEFORE = _IN | {"for", "with", "from", "via", "or"}
_ENDS, _NO_OBJECT = ("", "code", "only"), ("to", "through", "back", "with", "from", "on", "into", "away")


class _Word(NamedTuple):
    """A word of the text, the token that it is part of, and whether a phrase may go on from the word before."""

    word: str
    token: re.Match[str]
    continues: bool


def find_terms(text: str, source: QuestionText) -> list[RepositorySpan]:
    """Split a text into terms, the longest known phrase first; `source` has the words that were taken out."""
    reader = _TermReader(list(_words(LEXICON.without_requests(text))), source)
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
        yield from (_Word(word, token, adjacent or position > 0) for position, word in enumerate(split))
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
            return (_term([first], "subject", name, words(name)) if words(name) else None), 1
        for length in range(min(MAX_PHRASE_WORDS, len(self.words) - start), 1, -1):
            several = self.words[start : start + length]
            if all(word.continues for word in several[1:]) and (known := self._phrase(several)):
                return known, length
        several = [word for word in self.words[start:] if word.token is first.token]
        begins = start == 0 or self.words[start - 1].token is not first.token
        apart = "/" in first.token[0] and any(map(platform_of, first.token[0].split("/")))  # "C#/.NET"
        several = several if begins and not apart else several[:1]
        return self._word(several, start), len(several)

    def _phrase(self, several: Sequence[_Word]) -> RepositorySpan | None:
        names = tuple(word.word for word in several)
        if platform := vocabulary().platforms_by_name.get(names):
            return self._platform(several, platform)
        if names in LEXICON.phrases["context"] or names in LEXICON.phrases["preference"]:
            return _term(several, "context" if names in LEXICON.phrases["context"] else "preference")
        key = phrase(" ".join(names))
        return _term(several, "subject") if len(key) == len(names) and key in vocabulary().synonyms else None

    def _word(self, several: Sequence[_Word], start: int) -> RepositorySpan | None:
        """Read a word, or a hyphenated one: one term, or the platform of "Rust-based" and "Python3"."""
        token = several[0].token[0]
        word = several[0].word if len(several) == 1 else token.lower()
        stem = cue("terms", "suffix").sub("", token)
        if stem != token and (len(stem) >= MIN_STEM or "-" in token) and (platform := platform_of(stem)):
            return self._platform(several, platform)
        if len(several) == 1 and (platform := platform_of(word, ambiguous=True)) and self._is_platform(start):
            return self._platform(several, platform)
        if len(several) == 1 and token.lower().endswith(".js"):
            return _term(several, "subject", token)
        asks = all(one.word in LEXICON.words["asking"] for one in several) or re.fullmatch("[a-z]", word)
        return None if asks else _term(several, _class_of(word, [one.word for one in several]))

    def _is_platform(self, start: int) -> bool:
        """Report whether a word that is also an ordinary one ("go", "c", "react to") names the platform here."""
        word, token = self.words[start].word, self.words[start].token
        before = self.words[start - 1].word if start and self.words[start].continues else ""
        after = "".join(one.word for one in self.words[start + 1 : start + 2] if one.continues)
        is_name, is_in = token[0][0].isupper(), before in _IN or (before in _LANGUAGE_BEFORE and token[0][0].isupper())
        if word in ("go", "c", "r"):
            if after in _NO_OBJECT:  # "in Go with generics", unlike "go to"
                return before in _IN or (is_in and after != "to")
            usual = before in _LANGUAGE_BEFORE or after in _ENDS or after in LEXICON.words["form"] or not before
            is_verb = before in LEXICON.words["verb_before"] or not (word == "go" or before or after)
            return is_name or is_in or (usual and not is_verb)
        if word == "node" and not is_name:
            return before not in LEXICON.words["node_before"] and after not in LEXICON.words["node_after"]
        if word == "shell" or (word,) in vocabulary().ambiguous:
            return cue("terms", "in_language").search(self.source.text[: token.end()]) is not None
        return (word, after, is_name) != ("react", "to", False)

    def _platform(self, several: Sequence[_Word], platform: Platform) -> RepositorySpan:
        """Make a constraint of a platform with languages, and a term of any other."""
        is_compound = len(several) > 1 and "-" in several[0].token[0]
        one = _term(several, "platform", None, words(platform.name) if is_compound else None)
        if not platform.compatible_languages:
            typed = " ".join(word.token[0] for word in several)
            return replace(one, value=typed) if typed.lower() == one.value else one
        before = self.source.text[: one.start]
        while (linked := cue("terms", "linked").search(before)) and platform_of(linked["name"], ambiguous=True):
            before = before[: linked.start("name")]  # other languages in between: "written in C or Rust"
        strict = platform.language_filter and cue("terms", "written_in").search(before)
        fields = {"languages": platform.search_languages} if strict else {"platforms": (platform.name,)}
        return replace(one, kind="constraint", value=platform.displayed, fields=fields)


def _class_of(word: str, parts: Sequence[str]) -> TermClass:
    if word in LEXICON.words["preference"]:
        return "preference"
    if word in LEXICON.words["form"]:
        return "form"
    plain = (part.isdecimal() or LEXICON.is_vague(part) or phrase(part) in vocabulary().generic for part in parts)
    return "context" if all(plain) else "subject"


def _term(
    several: Sequence[_Word], part: TermClass, value: str | None = None, names: Sequence[str] | None = None
) -> RepositorySpan:
    start, end, names = several[0].token.start(), several[-1].token.end(), names or [one.word for one in several]
    return RepositorySpan(start, end, "term", value or " ".join(names), term=Term(words=tuple(names), part=part))
