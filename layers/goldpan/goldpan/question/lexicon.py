"""The words of a question as a kind reads them: its wording.toml, and what its texts name."""

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from goldpan.known_words import known_words
from goldpan.question.grammar import any_of, tables
from goldpan.question.question_text import BREAK, JOINER, QUOTE, QuestionText
from goldpan.text import words

_NAME = re.compile(rf"[A-Z0-9{JOINER}{QUOTE}]|\w[.-]\w|@|\w/\w")


class Named(NamedTuple):
    """What a text names at a place: where it ends, how it is shown, and the constraints that exclude it."""

    end: int
    label: str
    fields: Mapping[str, object]


class Lexicon:
    """The tables of a wording.toml, read at their first use, and what a kind knows in addition.

    `[asking]` lists the words that ask or hold the sentence together, `[vague]` those that say little alone, `[words]`
    those of single rules; `[phrases]` lists phrases, separated by commas.
    """

    def __init__(self, file: Path, is_known: Callable[[str], bool]) -> None:
        self._file = file
        self.is_known = is_known

    @cached_property
    def words(self) -> Mapping[str, frozenset[str]]:
        """The lists of single words, in lower case; the lists of `[asking]` and of `[vague]` together have its name."""
        listed = tables(self._file)
        lists: dict[str, str] = listed["asking"] | listed["vague"] | listed["words"]
        lists |= {name: " ".join(listed[name].values()) for name in ("asking", "vague")}
        return {name: frozenset(text.split()) for name, text in lists.items()}

    @cached_property
    def phrases(self) -> Mapping[str, frozenset[tuple[str, ...]]]:
        """The lists of phrases, each as words that `goldpan.text.words` splits."""
        listed = tables(self._file)["phrases"].items()
        return {name: frozenset(tuple(words(one)) for one in text.split(",")) for name, text in listed}

    @cached_property
    def patterns(self) -> Mapping[str, re.Pattern[str]]:
        """The patterns that find the phrases of each list."""
        return {name: any_of(text.split(",")) for name, text in tables(self._file)["phrases"].items()}

    def in_full(self, source: QuestionText) -> QuestionText:
        """Write out the abbreviations of the kind; one listed in capitals counts in capitals among other words."""
        listed = {} if source.text.isupper() else tables(self._file).get("abbreviations", {})
        return source.substitute(any_of(listed), lambda one: listed.get(one[0].lower()) or listed.get(one[0]) or one[0])

    @property
    def never_misspelled(self) -> frozenset[str]:
        """The words that are read as they are; a text that has others may be corrected."""
        return self.words["asking"] | self.words["vague"]

    def is_surely_misspelled(self, typed: str, word: str) -> bool:
        """Report whether a lower-case word that nothing knows is a misspelling of a known one."""
        return typed != word

    def named_at(self, text: str, start: int) -> Named | None:
        """Return what the text names at a place, such as a language, a licence or a venue."""
        raise NotImplementedError

    def stays(self, token: str) -> bool:
        """Report whether a Latin word is kept as typed in a question in another language."""
        return known_words().get(token.lower(), 0) > 0

    def without_requests(self, text: str) -> str:
        """Blank the phrases that only ask; every other character keeps its place."""
        return self.patterns["request"].sub(lambda match: BREAK.ljust(len(match[0])), text)

    def is_content(self, word: str) -> bool:
        """Report whether a lower-case word says something: it neither asks nor holds the sentence together."""
        return word not in self.words["asking"]

    def is_vague(self, word: str) -> bool:
        """Report whether a lower-case word says nothing of the subject, or little alone."""
        return word in self.words["asking"] or word in self.words["vague"]

    def is_technical(self, word: str) -> bool:
        """Report whether a lower-case word tells nothing of the language of a question."""
        return word in self.words["vague"] or self.is_known(word)

    def may_be_name(self, token: str) -> bool:
        """Report whether a word looks like a name: it has a capital, a digit, a dot or a hyphen, or is protected."""
        return _NAME.search(token) is not None
