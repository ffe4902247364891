"""What questions for papers name: types, venues, known concepts; how the shared reader asks about it."""

from __future__ import annotations

import re

from goldpan.kinds.papers.question.types import type_at
from goldpan.kinds.papers.question.venues import venue_at
from goldpan.kinds.papers.question.wording import wording
from goldpan.kinds.papers.vocabulary import MAX_PHRASE_WORDS, vocabulary
from goldpan.question.known_words import known_words
from goldpan.question.question_text import QUOTE
from goldpan.question.spans import BREAK
from goldpan.question.things import Named, phrase_ends

_CLAUSE = re.compile(rf"[,;(.?!:{BREAK}]|\b(?:but|and|with)\b")
_SENTENCE = re.compile(
    r"\b(?:do|does|did|is|are|was|were|can|could|should|will|would|why|how|has|have|had)\b", re.IGNORECASE
)
"""What makes a sentence of the words before "not"."""
_BY = re.compile(r"\bby\s+$", re.IGNORECASE)


class PaperLexicon:
    """The words of the tables."""

    names_go_on = True

    def named_at(self, text: str, start: int) -> Named | None:
        """Return the type, the venue or the known concept that the text names at a place."""
        if named := type_at(text, start) or venue_at(text, start):
            return named
        if _BY.search(text[:start]) and (name := re.compile(r"(?:[A-Z][\w.'-]+\s?)+").match(text, start)):
            return Named(
                name.start() + len(name[0].rstrip()), name[0].strip(), {"excluded_authors": (name[0].strip(),)}
            )
        ends = phrase_ends(text, start, MAX_PHRASE_WORDS)
        end = next((end for end in ends if vocabulary().find(text[start:end])), 0)
        return Named(end, text[start:end], {"excluded_terms": (text[start:end],)}) if end else None

    def is_content(self, word: str) -> bool:
        """Report whether a lower-case word says something of the subject."""
        return wording().is_subject(word)

    def is_vague(self, word: str) -> bool:
        """Report whether a lower-case word says little of the subject alone."""
        return word in wording().vague

    def is_form(self, word: str) -> bool:
        """Report whether a lower-case word is a form of what is asked for."""
        del word
        return False

    def is_known(self, word: str) -> bool:
        """Report whether a lower-case word is one of the vocabulary."""
        return vocabulary().find(word) is not None

    def may_be_name(self, token: str) -> bool:
        """Report whether a word looks like a name."""
        return re.search(rf"[A-Z{QUOTE}]|\d", token) is not None

    def is_statement(self, clause: str) -> bool:
        """Report whether the words before "not" are a sentence about the world, which refuses nothing."""
        return _SENTENCE.search(_CLAUSE.split(clause)[-1]) is not None

    def is_technical(self, word: str) -> bool:
        """Report whether the vocabulary has a word, which then tells nothing of the language."""
        return word in vocabulary().words or word in wording().vague

    def stays(self, token: str) -> bool:
        """Report whether a Latin word is kept as typed in a question in another language."""
        return known_words().get(token.lower(), 0) > 0
