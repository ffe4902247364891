"""What questions for repositories name: platforms, licences, known words (wording.toml)."""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path

from goldpan.kinds.repositories.licenses import with_affero
from goldpan.kinds.repositories.products import product_words
from goldpan.kinds.repositories.question.licenses import licenses_at
from goldpan.kinds.repositories.vocabulary import MAX_PHRASE_WORDS, is_known, platform_of, vocabulary
from goldpan.question.known_words import known_words
from goldpan.question.lexicon import Lexicon, Named
from goldpan.question.spelling import TWO_EDITS_FROM, KnownWords
from goldpan.question.things import phrase_ends
from goldpan.text import words

MIN_KNOWN_FREQUENCY = 10
"""A Latin word that the searched texts have so often is technical, whatever the language of the question."""


class RepositoryLexicon(Lexicon):
    """The words of the tables, and those that the searched texts use, which are read when they are needed."""

    @cached_property
    def never_misspelled(self) -> frozenset[str]:
        """The single words of these tables and of the vocabulary."""
        terms = vocabulary()
        spelled = {word for text in terms.spelling.values() for word in words(text)}
        named = {word for name in (*terms.platforms_by_name, *self.phrases["names"]) for word in name}
        return frozenset(word for word in self.asking | self.vague | spelled | named if "'" not in word)

    def named_at(self, text: str, start: int) -> Named | None:
        """Return the licence or the platform that the text names at a place."""
        if named := licenses_at(text, start):
            end, label, ids = named
            return Named(end, label, {"excluded_licenses": with_affero(ids)})
        for end in phrase_ends(text, start, MAX_PHRASE_WORDS):
            if platform := platform_of(text[start:end]):
                fields: dict[str, object] = {"excluded_terms": (text[start:end],)}
                if platform.language_filter:
                    fields = {"excluded_languages": (platform.language_filter,)}
                return Named(end, platform.displayed, fields)
        return None

    def is_known(self, word: str) -> bool:
        """Report whether a lower-case word is one of the vocabulary."""
        return is_known(word)

    def stays(self, token: str) -> bool:
        """Report whether a Latin word is kept as typed in a question in another language."""
        word = token.lower()
        if "-" in token or "." in token:
            return True
        return known_words().get(word, 0) >= MIN_KNOWN_FREQUENCY or repository_words().is_compound(word, 3)


LEXICON = RepositoryLexicon(Path(__file__).with_name("wording.toml"))


@cache
def repository_words() -> KnownWords:
    """Return the words of all repositories; the first call reads the file, which takes some milliseconds."""
    counts = known_words()
    return words_of(dict(counts), frozenset(word for word, count in counts.items() if not count))


def words_of(frequencies: dict[str, int], names: frozenset[str] = frozenset()) -> KnownWords:
    """Add the words of the vocabulary and the wording; nearly every short word is near to a short word of a request."""
    own = LEXICON.never_misspelled
    targets = frozenset(word for word in own if word not in LEXICON.asking or len(word) >= TWO_EDITS_FROM)
    return KnownWords(frequencies, names, built_in=own, targets=targets | product_words())
