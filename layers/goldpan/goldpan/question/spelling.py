"""Correct words that nothing knows to the nearest known word.

The distance is Damerau-Levenshtein's (optimal string alignment): insertions, deletions, substitutions and exchanged
neighbours count one each. One is allowed for words of four to six letters, two for longer ones.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

MIN_CHARS, NAME_CHARS, TWO_EDITS_FROM = 4, 6, 7
MIN_FREQUENCY = 3
"""A word that the texts have less often is known as a name at most, since texts have misspellings too."""
MIN_CORRECTION_FREQUENCY, MIN_SHORT_CORRECTION_FREQUENCY = 6, 15
"""A rarer word is no correction: texts have too few of it to tell that it was meant."""
FARTHER, LIKELIER = 50, 6
COMMONER_ONE, COMMONER_TWO = 10, 30
"""How many times as frequent as the typed word a correction at distance one or two must be."""
_ENDINGS = (
    ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("d", ""), ("ing", ""), ("ing", "e"), ("er", ""),
    ("er", "e"), ("ers", ""), ("ers", "e"), ("ly", ""), ("able", ""), ("able", "e"), ("less", ""), ("ness", ""),
    ("ization", "ize"), ("isation", "ize"), ("ise", "ize"), ("ised", "ize"), ("ising", "ize"), ("our", "or"),
    ("ful", ""), ("ment", ""), ("al", ""), ("ity", "e"), ("ity", ""), ("ish", ""),
)  # fmt: skip
_PREFIXES = ("un", "re", "pre", "non", "multi", "auto", "sub", "over", "self", "super", "micro", "inter", "anti", "de")


class KnownWords:
    """Words with their frequencies in the texts that are searched, and names that are never corrected."""

    def __init__(
        self,
        frequencies: Mapping[str, int],
        names: frozenset[str] = frozenset(),
        *,
        built_in: frozenset[str] = frozenset(),
        targets: frozenset[str] = frozenset(),
    ) -> None:
        """Take lower-case words with their frequencies, those of the tables, and which of these a typo may mean."""
        self._frequencies = frequencies
        self._names = names
        self._built_in, self._targets = built_in, targets
        self._masked: dict[tuple[str, int], list[tuple[str, int, int]]] = {}

    @cached_property
    def _buckets(self) -> dict[tuple[str, int], list[str]]:
        """The words that may be corrections, by first letter and length."""
        common = (word for word, frequency in self._frequencies.items() if frequency >= _needed(word))
        buckets: dict[tuple[str, int], list[str]] = defaultdict(list)
        for word in dict.fromkeys((*common, *self._targets)):
            if word.isalpha() and len(word) >= MIN_CHARS - 1:
                buckets[word[0], len(word)].append(word)
        return buckets

    def __contains__(self, word: str) -> bool:
        """Report whether a lower-case word is known, also as a form of a known word or a compound of two."""
        if self._has(word) or word in self._names:
            return True
        stems = [word[: -len(ending)] + instead for ending, instead in _ENDINGS if word.endswith(ending)]
        stems += [stem[:-1] for stem in stems if len(stem) > MIN_CHARS and stem[-1] == stem[-2]]
        stems += [word + "r", word + "d", word[:-1] + "ing"] if word.endswith(("ize", "ise", "ate", "fy")) else []
        stems += [word[len(prefix) :] for prefix in _PREFIXES if word.startswith(prefix)]
        if any(len(stem) >= MIN_CHARS - 1 and self._has(stem) for stem in stems):
            return True
        return any(
            self._has(word[:cut]) and self._has(word[cut:]) for cut in range(MIN_CHARS, len(word) - MIN_CHARS + 1)
        )

    def frequency(self, word: str) -> int:
        """Return how often the texts have a word; a built-in word counts as known."""
        return max(self._frequencies.get(word, 0), MIN_FREQUENCY if word in self._built_in else 0)

    def nearest(self, word: str) -> str | None:
        """Return the known word that was most likely meant, within the allowed distance; None if there is none.

        A word at distance two must be 50 times as frequent as one at distance one. The same letters in another order
        and the same consonants make a word likelier.
        """
        allowed = 1 if len(word) < TWO_EDITS_FROM else 2
        mask, typed = _mask(word), self._frequencies.get(word, 0)
        best, meant = 0.0, None
        for candidate, letters, frequency in self._candidates(word, allowed):
            if (mask ^ letters).bit_count() > 2 * allowed or frequency * LIKELIER**2 <= best:
                continue
            edits = distance(word, candidate, allowed)
            if edits > allowed or frequency < (COMMONER_ONE if edits == 1 else COMMONER_TWO) * typed:
                continue
            score = frequency / (FARTHER if edits > 1 else 1)
            score *= LIKELIER if sorted(word) == sorted(candidate) else 1
            score *= LIKELIER if consonants(word) == consonants(candidate) else 1
            if score > best:
                best, meant = score, candidate
        return meant

    def _has(self, word: str) -> bool:
        return self._frequencies.get(word, 0) >= MIN_FREQUENCY or word in self._built_in

    def _candidates(self, word: str, allowed: int) -> Iterator[tuple[str, int, int]]:
        """Yield words of a similar length with the same first letter, or, for one edit, the second letter as first."""
        for length in range(len(word) - allowed, len(word) + allowed + 1):
            yield from self._bucket(word[0], length)
        if word[1] != word[0]:
            for length in range(len(word) - 1, len(word) + 1):
                yield from self._bucket(word[1], length)

    def _bucket(self, first: str, length: int) -> list[tuple[str, int, int]]:
        key = (first, length)
        if key not in self._masked:
            self._masked[key] = [
                (word, _mask(word), max(self.frequency(word), MIN_SHORT_CORRECTION_FREQUENCY))
                for word in self._buckets.get(key, ())
            ]
        return self._masked[key]


def corrections(text: str, known: KnownWords, pattern: re.Pattern[str]) -> dict[str, str]:
    """Return the corrected form of each unknown word that the pattern finds in a text, by the word as typed."""
    found = {}
    for match in pattern.finditer(text):
        typed, word = match[0], match[0].lower()
        if typed in found or word in known or not (typed.islower() or typed.istitle()):
            continue
        corrected = known.nearest(word)
        if corrected is None:
            continue
        named = typed.istitle() and match.start() > 0  # a capital within the question: rather a name
        exchanged = sorted(word) == sorted(corrected)
        if named and ((len(word) < NAME_CHARS and not exchanged) or distance(word, corrected, 1) > 1):
            continue
        found[typed] = corrected
    return found


def american(word: str) -> str:
    """Return the American form of a British spelling, in lower case; any other word as it is."""
    plain = re.sub(r"our(?=s?\b|al\b|s?ing\b|ed\b|ful\b|less\b)", "or", word.lower())
    plain = re.sub(r"(?<=[nt]a)logue(?=s?\b)", "log", re.sub(r"(?<=l)ys(?=e[dsr]?\b|ers\b|ing\b)", "yz", plain))
    return re.sub(r"(?<=[a-z]{3})is(?=ations?\b|e[dsr]?\b|ers\b|ing\b)", "iz", plain)


def british_spellings(text: str, known: KnownWords, pattern: re.Pattern[str]) -> dict[str, str]:
    """Return the American form of each word that the pattern finds, where the texts have it more often."""
    typed = (match[0] for match in pattern.finditer(text))
    forms = ((word, american(word)) for word in typed)
    return {word: form for word, form in forms if known.frequency(form) > known.frequency(word.lower())}


def distance(one: str, other: str, limit: int) -> int:
    """Count the edits between two words, up to `limit` + 1."""
    if abs(len(one) - len(other)) > limit:
        return limit + 1
    before, previous = [0] * (len(other) + 1), list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        current = [i]
        for j, wanted in enumerate(other, 1):
            edits = min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                edits = min(edits, before[j - 2] + 1)
            current.append(edits)
        if min(current) > limit:
            return limit + 1
        before, previous = previous, current
    return previous[-1]


def _needed(word: str) -> int:
    return MIN_CORRECTION_FREQUENCY if len(word) >= TWO_EDITS_FROM else MIN_SHORT_CORRECTION_FREQUENCY


def consonants(word: str) -> str:
    """Return the consonants of a word, a double one once."""
    return re.sub(r"[aeiouy]|(.)(?=\1)", "", word)


def _mask(word: str) -> int:
    mask = 0
    for letter in word:
        mask |= 1 << (ord(letter) & 63)
    return mask
