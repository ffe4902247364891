"""The words of the texts that are searched, and the known word nearest to one that nothing knows.

The distance is that of optimal string alignment: insertions, deletions, substitutions and exchanged neighbours count
one each. One is allowed for words of four to six letters, two for longer ones. `known_words.txt` of goldpan-data has a
word and the number of repositories that use it in a line; 0 for a mere name, and for plain English that none uses.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType

from goldpan_data import read_text

MIN_CHARS, TWO_EDITS_FROM = 4, 7
MIN_FREQUENCY = 3
"""A word that the texts have less often is known as a name at most, since texts have misspellings too."""
MIN_CORRECTION_FREQUENCY, MIN_SHORT_CORRECTION_FREQUENCY = 6, 15
"""A rarer word is no correction: texts have too few of it to tell that it was meant."""
FARTHER, LIKELIER = 50, 6
_ENDINGS = (
    ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("d", ""), ("ing", ""), ("ing", "e"), ("er", ""),
    ("er", "e"), ("ers", ""), ("ers", "e"), ("ly", ""), ("able", ""), ("able", "e"), ("less", ""), ("ness", ""),
    ("ization", "ize"), ("isation", "ize"), ("ise", "ize"), ("ised", "ize"), ("ising", "ize"), ("our", "or"),
    ("ful", ""), ("ment", ""), ("al", ""), ("ity", "e"), ("ity", ""), ("ish", ""), ("ize", "izer"),
)  # fmt: skip
_PREFIXES = ("un", "re", "pre", "non", "multi", "auto", "sub", "over", "self", "super", "micro", "inter", "anti", "de")


@cache
def known_words() -> Mapping[str, int]:
    """Return the words and their counts, none without goldpan-data; the first call reads the file."""
    found = read_text("known_words.txt").split()
    return MappingProxyType(dict(zip(found[::2], map(int, found[1::2]), strict=True)))


@dataclass(frozen=True, eq=False)
class KnownWords:
    """Lower-case words with their frequencies in the texts that are searched, and those of tables."""

    frequencies: Mapping[str, int]
    names: Collection[str] = ()
    """Names that are never corrected."""
    built_in: Collection[str] = ()
    """The words of the tables."""
    targets: Collection[str] = ()
    """Those of the tables that a typo may mean."""

    @cached_property
    def _candidates(self) -> list[str]:
        """The words that may be corrections."""
        common = (word for word, frequency in self.frequencies.items() if frequency >= _needed(word))
        return list(dict.fromkeys((*common, *self.targets)))

    def __contains__(self, word: str) -> bool:
        """Report whether a lower-case word is known, also as a form of a known word or name, or a compound of two."""
        if self._has(word) or word in self.names:
            return True
        stems = forms(word)[1:]
        stems += [stem[:-1] for stem in stems if len(stem) >= MIN_CHARS and stem[-1] == stem[-2]]
        stems += [word[len(prefix) :] for prefix in _PREFIXES if word.startswith(prefix)]
        longer = (stem for stem in stems if len(stem) >= MIN_CHARS - 1)
        return any(self._has(stem) or stem in self.names for stem in longer) or self.is_compound(word)

    def is_compound(self, word: str, least: int = MIN_CHARS) -> bool:
        """Report whether two known words of a minimum length make a lower-case word."""
        cuts = range(least, len(word) - least + 1)
        return any(self._has(word[:cut]) and self._has(word[cut:]) for cut in cuts)

    def frequency(self, word: str) -> int:
        """Return how often the texts have a word; a built-in word counts as known."""
        return max(self.frequencies.get(word, 0), MIN_FREQUENCY if word in self.built_in else 0)

    def nearest(self, word: str) -> str | None:
        """Return the known word that was most likely meant, within the allowed distance; None if there is none.

        A word at distance two must be 50 times as frequent as one at distance one. The same letters in another order
        and the same consonants make a word likelier. It begins with the first or the second letter.
        """
        allowed = 1 if len(word) < TWO_EDITS_FROM else 2
        near = {one: edits for one, edits in words_near(word, self._candidates, allowed).items() if one[0] in word[:2]}
        return max(near, key=lambda one: self._likelihood(word, one, near[one]), default=None)

    def _likelihood(self, word: str, candidate: str, edits: int) -> float:
        frequency = max(self.frequency(candidate), MIN_SHORT_CORRECTION_FREQUENCY)
        score = frequency / (FARTHER if edits > 1 else 1)
        score *= LIKELIER if sorted(word) == sorted(candidate) else 1
        return score * (LIKELIER if consonants(word) == consonants(candidate) else 1)

    def _has(self, word: str) -> bool:
        return self.frequencies.get(word, 0) >= MIN_FREQUENCY or word in self.built_in


def forms(word: str) -> list[str]:
    """Return a lower-case word, and those that it is formed from by an ending."""
    return [word, *(word[: -len(ending)] + instead for ending, instead in _ENDINGS if word.endswith(ending))]


def words_near(word: str, candidates: Iterable[str], most: int) -> dict[str, int]:
    """Return the candidates within a number of edits, each with its distance."""
    from rapidfuzz import distance, process  # noqa: PLC0415 - 40 ms, and most questions have no misspelled word

    scorer = distance.OSA.distance
    found = process.extract(word, candidates, scorer=scorer, score_cutoff=most, limit=None)  # type: ignore[arg-type]
    return {near: int(edits) for near, edits, _ in found}


def american(word: str) -> str:
    """Return the American form of a British spelling, in lower case; any other word as it is."""
    plain = re.sub(r"(?<=[a-z]{2})our(?=s?\b|al\b|s?ing\b|ed\b|ful\b|less\b)", "or", word.lower())
    plain = re.sub(r"(?<=[nt]a)logue(?=s?\b)", "log", re.sub(r"(?<=l)ys(?=e[dsr]?\b|ers\b|ing\b)", "yz", plain))
    return re.sub(r"(?<=[a-z]{3})is(?=ations?\b|e[dsr]?\b|ers\b|ing\b)", "iz", plain)


def _needed(word: str) -> int:
    return MIN_CORRECTION_FREQUENCY if len(word) >= TWO_EDITS_FROM else MIN_SHORT_CORRECTION_FREQUENCY


def consonants(word: str) -> str:
    """Return the consonants of a word, a double one once."""
    return re.sub(r"[aeiouy]|(.)(?=\1)", "", word)
