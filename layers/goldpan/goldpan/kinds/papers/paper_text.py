"""The text of a paper as terms: its title, its abstract or snippet, and its venue."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from goldpan.kinds.papers.models import Paper
from goldpan.text import STOP_WORDS, places_of, terms, word_terms, words

FieldName = Literal["title", "abstract", "snippet", "venue"]
MEANING_WORDS = 150
"""Words that a meaning is taken from: an abstract says first what it is about."""

# fmt: off
PROSE_WORDS = frozenset((
    "about", "above", "after", "against", "all", "also", "although", "among", "article", "articles", "because", "been",
    "before", "being", "below", "both", "but", "by", "concerned", "concerning", "describe", "described", "describes",
    "describing", "did", "discuss", "discussed", "discusses", "during", "each", "either", "etc", "every", "few", "had",
    "he", "her", "here", "his", "however", "if", "interested", "may", "might", "more", "most", "much", "must", "no",
    "nor", "not", "now", "obtain", "obtained", "off", "only", "other", "out", "over", "own", "paper", "papers", "per",
    "present", "presented", "presents", "propose", "proposed", "rather", "same", "shall", "she", "should", "since",
    "such", "than", "then", "therefore", "those", "through", "thus", "too", "toward", "towards", "under", "until", "up",
    "upon", "us", "very", "was", "were", "whether", "while", "whom", "whose", "why", "within", "without", "yet",
))
# fmt: on
"""Function words and what papers say of themselves, in addition to `goldpan.text.STOP_WORDS`."""
STOP_TERMS = frozenset(term for word in STOP_WORDS | PROSE_WORDS for term in terms(word))


GAP = "-"
"""Takes the place of a stop word, so that no phrase reaches over one that it does not have; no term is like it."""


@dataclass(frozen=True)
class FieldText:
    """A field of a paper: its terms with gaps, and the word of each, as the paper writes it."""

    name: FieldName
    terms: tuple[str, ...]
    words: tuple[str, ...]

    @cached_property
    def joined(self) -> str:
        """The terms in a form in which the occurrences of a phrase can be counted."""
        return f" {' '.join(self.terms)} "

    @cached_property
    def counts(self) -> Counter[str]:
        """How often the field has each term."""
        found = Counter(self.terms)
        del found[GAP]
        return found

    def surface(self, phrase: tuple[str, ...]) -> str | None:
        """Return the words that stand for a phrase, or None if the field does not have it."""
        if f" {' '.join(phrase)} " not in self.joined:
            return None
        found = places_of(phrase, self.terms)
        return " ".join(dict.fromkeys(self.words[found[0] : found[0] + len(phrase)])) if found else None


def marked_terms(text: str | None) -> list[tuple[str, str]]:
    """List the terms of a text, each with its word; a stop word is a gap."""
    return [(term, word) for word in words(text) for term in _marked(word)]


@lru_cache(maxsize=4096)
def _marked(word: str) -> tuple[str, ...]:
    return tuple(GAP if term in STOP_TERMS else term for term in word_terms(word))


def content_terms(text: str | None) -> list[tuple[str, str]]:
    """List the terms of a text that are no stop words, each with its word."""
    return [(term, word) for term, word in marked_terms(text) if term != GAP]


def text_of(paper: Paper) -> tuple[FieldText, ...]:
    """Return the fields that a paper has; a snippet counts where there is no abstract."""
    body: tuple[FieldName, str | None] = ("abstract", paper.abstract) if paper.abstract else ("snippet", paper.snippet)
    given: tuple[tuple[FieldName, str | None], ...] = (("title", paper.title), body, ("venue", paper.venue))
    return tuple(_field(name, text) for name, text in given if text)


def meaning_text(paper: Paper) -> str:
    """Return the text whose meaning is compared: the title and the first words of the abstract or snippet."""
    body = (paper.abstract or paper.snippet or "").split()[:MEANING_WORDS]
    return " ".join([paper.title, *body])


def _field(name: FieldName, text: str) -> FieldText:
    found = marked_terms(text)
    return FieldText(name, tuple(term for term, _ in found), tuple(word for _, word in found))
