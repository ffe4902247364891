"""What questions for repositories name: platforms, licences, known words; how the shared reader asks about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from goldpan.kinds.repositories.licenses import with_affero
from goldpan.kinds.repositories.question.licenses import licenses_at
from goldpan.kinds.repositories.question.wording import is_technical, may_be_name, wording
from goldpan.kinds.repositories.vocabulary import MAX_PHRASE_WORDS, platform_of
from goldpan.question.spelling import KnownWords
from goldpan.question.things import Named, phrase_ends

MIN_KNOWN_FREQUENCY = 10
"""A Latin word that the searched texts have so often is technical, whatever the language of the question."""


@dataclass(frozen=True)
class RepositoryLexicon:
    """The words of the tables, and those that the searched texts use, which are read when they are needed."""

    known: Callable[[], KnownWords] | None = None
    names_go_on: bool = False

    def named_at(self, text: str, start: int) -> Named | None:
        """Return the licence or the platform that the text names at a place."""
        if licenses := licenses_at(text, start):
            return Named(licenses.end, licenses.label, {"excluded_licenses": with_affero(licenses.ids)})
        for end in phrase_ends(text, start, MAX_PHRASE_WORDS):
            if platform := platform_of(text[start:end]):
                fields: dict[str, object] = {"excluded_terms": (text[start:end],)}
                if platform.language_filter:
                    fields = {"excluded_languages": (platform.language_filter,)}
                return Named(end, platform.displayed, fields)
        return None

    def is_content(self, word: str) -> bool:
        """Report whether a lower-case word neither asks nor holds the sentence together."""
        return word not in wording().request

    def is_vague(self, word: str) -> bool:
        """Report whether a lower-case word says nothing of the subject."""
        return wording().is_plain(word)

    def is_form(self, word: str) -> bool:
        """Report whether a lower-case word is a form of what is asked for."""
        return word in wording().form

    def is_known(self, word: str) -> bool:
        """Report whether a lower-case word is one of the vocabulary."""
        return is_technical(word)

    def may_be_name(self, token: str) -> bool:
        """Report whether a word looks like a name."""
        return may_be_name(token)

    def is_statement(self, clause: str) -> bool:
        """Report False: a question for repositories states nothing of the world."""
        del clause
        return False

    def is_technical(self, word: str) -> bool:
        """Report whether the vocabulary has a word."""
        return is_technical(word) or word in wording().form or word in wording().context

    def stays(self, token: str) -> bool:
        """Report whether a Latin word is kept as typed in a question in another language."""
        if "-" in token or "." in token:
            return True
        word = token.lower()
        return self.known is not None and (
            self.known().frequency(word) >= MIN_KNOWN_FREQUENCY or self.known().is_compound(word, 3)
        )
