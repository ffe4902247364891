"""Scores papers by the words of a query that they have: BM25F, with a bonus for words that stand side by side.

    frequency = 3 x title + 2 x abstract + 1 x summary, each count divided by the relative length of its field
    score = sum over the words of rarity x frequency / (frequency + 4)
            + 0.3 x the same for neighbours in the query that are neighbours in the paper

BM25F is Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", CIKM 2004. A word that the
query repeats counts as often. In a query of few words a paper that lacks some of them loses the more.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from goldpan.kinds.papers.sources.library.expressions import Term, completions
from goldpan.kinds.papers.sources.library.folding import stem, tokens

FIELD_WEIGHTS = {"title": 3.0, "abstract": 2.0, "summary": 1.0}
LENGTH_SHARES = {"title": 0.5, "abstract": 0.75, "summary": 0.75}
"""How far the length of a field, relative to the mean of the library, divides its counts."""
SATURATION, NEIGHBOURS_SHARE = 4.0, 0.3
FEW_WORDS = 3


class QueryWords(dict[str, str | None]):
    """The term of a query that a word is a form of, None if of none; filled as words are looked up."""

    def __init__(self, terms: Iterable[Term]) -> None:
        super().__init__()
        terms = list(terms)
        self._stems = {term.text: term.text for term in terms if not term.is_prefix}
        self._prefixes = tuple(term.text for term in terms if term.is_prefix)
        for prefix in self._prefixes:
            self._stems.update({stem(word): prefix for word in completions(prefix)})

    def __missing__(self, word: str) -> str | None:
        found = self._stems.get(stem(word))
        if found is None and word.startswith(self._prefixes):
            found = next(prefix for prefix in self._prefixes if word.startswith(prefix))
        self[word] = found
        return found


class Ranking:
    """The weights of a query's words in one library."""

    def __init__(
        self,
        terms: Sequence[Term | None],
        papers: int,
        document_frequency: Mapping[Term, int],
        mean_lengths: Mapping[str, float],
    ) -> None:
        asked = Counter(term for term in terms if term)
        self.words = QueryWords(asked)
        rarity = {
            term.text: math.log1p((papers - found + 0.5) / (found + 0.5))
            for term, found in ((term, min(document_frequency[term], papers)) for term in asked)
        }
        self._weights = {term.text: count * rarity[term.text] for term, count in asked.items()}
        self._pairs = {
            (one.text, other.text): NEIGHBOURS_SHARE * min(rarity[one.text], rarity[other.text])
            for one, other in pairwise(terms)
            if one and other
        }
        self._mean_lengths = mean_lengths
        self.best = sum(self._weights.values()) + sum(self._pairs.values())
        """What no paper reaches: each word of the query, and each pair, endlessly often."""

    def score(self, texts: Mapping[str, str]) -> float:
        """Return the score of a paper from the texts of its fields, 0 if it has no word of the query."""
        words: dict[str, float] = {}
        pairs: dict[tuple[str, str], float] = {}
        for name, text in texts.items():
            if text:
                self._count(name, text, words, pairs)
        found = sum(self._weights[term] * count / (count + SATURATION) for term, count in words.items())
        found += sum(self._pairs[pair] * count / (count + SATURATION) for pair, count in pairs.items())
        asked = len(self._weights)
        return found * (len(words) / asked) ** 2 if 0 < asked <= FEW_WORDS else found

    def _count(self, name: str, text: str, words: dict[str, float], pairs: dict[tuple[str, str], float]) -> None:
        """Add the weighted counts of one field."""
        found = tokens(text)
        places = [(place, term) for place, word in enumerate(found) if (term := self.words[word]) is not None]
        if not places:
            return
        share, weight = LENGTH_SHARES[name], FIELD_WEIGHTS[name]
        factor = weight / (1 - share + share * len(found) / (self._mean_lengths.get(name) or 1.0))
        for _, term in places:
            words[term] = words.get(term, 0.0) + factor
        for (place, one), (next_place, other) in pairwise(places):
            if next_place == place + 1 and (one, other) in self._pairs:
                pairs[one, other] = pairs.get((one, other), 0.0) + weight
