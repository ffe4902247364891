"""The text of papers as terms, weighted: how strongly each paper has a word or phrase, and how rare that is.

    frequency = 3 x title + abstract + 0.5 x venue, each count divided by the relative length of its field
    strength = frequency / (frequency + 1.5), below 1
    rarity = ln(1 + (N - n + 0.5) / (n + 0.5))

That is BM25F (Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", CIKM 2004).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from statistics import fmean
from typing import Literal

from goldpan.kinds.papers.letters import WORDS
from goldpan.kinds.papers.models import Paper
from goldpan.text import STOP_WORDS, Phrase, places_of, terms, word_terms, words

FieldName = Literal["title", "abstract", "snippet", "venue"]
MEANING_WORDS = 150
"""Words that a meaning is taken from: an abstract says first what it is about."""
STOP_TERMS = frozenset(term for word in STOP_WORDS | WORDS["prose"] for term in terms(word))
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
    marked = ((name, zip(*marked_terms(text), strict=True)) for name, text in given if text)
    return tuple(FieldText(name, *(tuple(found) or ((), ()))) for name, found in marked)


def meaning_text(paper: Paper) -> str:
    """Return the text whose meaning is compared: the title and the first words of the abstract or snippet."""
    body = (paper.abstract or paper.snippet or "").split()[:MEANING_WORDS]
    return " ".join([paper.title, *body])


FIELD_WEIGHTS: Mapping[FieldName, float] = {"title": 3.0, "abstract": 1.0, "snippet": 1.0, "venue": 0.5}
LENGTH_SHARE = 0.75
"""How far the length of a field, relative to the mean of the given papers, divides its counts."""
SATURATION = 1.5


class PaperIndex:
    """The words of some papers, for one or more questions."""

    def __init__(self, papers: Iterable[Paper]) -> None:
        self.texts: list[tuple[FieldText, ...]] = [text_of(paper) for paper in papers]
        lengths: dict[FieldName, list[int]] = defaultdict(list)
        for field in (field for text in self.texts for field in text):
            lengths[field.name].append(field.counts.total())
        self._means = {name: fmean(found) or 1.0 for name, found in lengths.items()}
        self._postings: dict[str, dict[int, float]] = defaultdict(dict)
        for place, text in enumerate(self.texts):
            for field in text:
                factor = self._factor(field)
                for term, count in field.counts.items():
                    posting = self._postings[term]
                    posting[place] = posting.get(place, 0.0) + factor * count

    def __len__(self) -> int:
        return len(self.texts)

    def strengths(self, phrase: Phrase) -> dict[int, float]:
        """Return how strongly each paper has a word or phrase, above 0 and below 1, by the place of the paper."""
        found = self._postings.get(phrase[0], {}) if len(phrase) == 1 else {}
        if len(phrase) > 1:
            wanted, postings = f" {' '.join(phrase)} ", [self._postings.get(term, {}) for term in phrase]
            for place in set(postings[0]).intersection(*postings[1:]):
                counted = (self._factor(field) * field.joined.count(wanted) for field in self.texts[place])
                if frequency := sum(counted):
                    found[place] = frequency
        return {place: frequency / (frequency + SATURATION) for place, frequency in found.items()}

    def rarity(self, frequency: int) -> float:
        """Return how distinctive a word with this document frequency is; see the module."""
        return math.log1p((len(self.texts) - frequency + 0.5) / (frequency + 0.5))

    def _factor(self, field: FieldText) -> float:
        relative = field.counts.total() / self._means[field.name]
        return FIELD_WEIGHTS[field.name] / (1 - LENGTH_SHARE + LENGTH_SHARE * relative)
