"""The text of a question with its spelling corrected; what was typed stays known."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterator, Mapping
from dataclasses import dataclass, field

from goldpan.question.grammar import grammar
from goldpan.question.question_text import QuestionText
from goldpan.question.spans import part_id
from goldpan.question.spelling import (
    MAYBE_MISSPELLED,
    KnownWords,
    american,
    british_spellings,
    corrections,
    edits_between,
)

MIN_CUE = 5
"""Letters of a word that may be a misspelled cue."""


@dataclass(frozen=True)
class Corrected:
    """A text to read, and the corrected words by what was typed."""

    source: QuestionText
    words: Mapping[str, str] = field(default_factory=dict)

    def as_typed(self, text: str) -> str:
        """Return a text with the words as they were typed."""
        typed = {word: one for one, word in self.words.items()}
        return re.sub(r"[\w-]+", lambda match: typed.get(match[0].lower(), match[0]), text) if typed else text

    def mistakes(self, used: str) -> Iterator[tuple[str, str]]:
        """Yield the misspelled words that were used: a British spelling is none, though both are searched for."""
        for typed, word in self.words.items():
            if word in used and american(typed) != word:
                yield typed, word


def correct(
    source: QuestionText,
    known: Callable[[], KnownWords],
    ignored: Collection[str],
    is_sure: Callable[[str, str], bool] = lambda _typed, _word: True,
    never: Container[str] = frozenset(),
) -> Corrected:
    """Correct what nothing knows; `ignored` has the ids of corrections to leave out, `is_sure` may refuse one.

    The known words are read only if the text has a word that is not `never` misspelled.
    """
    if all(match[0].lower() in never for match in MAYBE_MISSPELLED.finditer(source.text)):
        return Corrected(source)
    likely = {typed: word for typed, word in corrections(source.text, known()).items() if is_sure(typed.lower(), word)}
    likely |= _misspelled_cues(source.text, known())
    likely |= british_spellings(source.text, known())
    words = {typed: word for typed, word in likely.items() if part_id("correction", word) not in ignored}
    if not words:
        return Corrected(source)
    either = "|".join(re.escape(typed) for typed in sorted(words, key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:{either})(?!\w)")
    return Corrected(source.substitute(pattern, lambda match: _cased(match[0], words[match[0]])), words)


def _misspelled_cues(text: str, known: KnownWords) -> dict[str, str]:
    """Return the cues that are misspelled by one edit, since "witout X" would search for X."""
    typed = {match[0] for match in MAYBE_MISSPELLED.finditer(text) if len(match[0]) >= MIN_CUE}
    unknown = [word for word in typed if word.lower() not in known]
    near = {
        word: next((cue for cue in grammar().cue_words if edits_between(word.lower(), cue, 1) == 1), "")
        for word in unknown
    }
    return {word: cue for word, cue in near.items() if cue}


def _cased(typed: str, word: str) -> str:
    return word.capitalize() if typed.istitle() else word
