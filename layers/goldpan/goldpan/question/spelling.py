"""Correct words that nothing knows to the nearest known word; what was typed stays known.

The distance is that of optimal string alignment: insertions, deletions, substitutions and exchanged neighbours count
one each. One is allowed for words of four to six letters, two for longer ones. `known_words.txt` of goldpan-data has a
word and the number of repositories that use it in a line; 0 for a mere name, and for plain English that none uses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import MappingProxyType

from goldpan_data import read_text

from goldpan.engine.interpretation import part_id
from goldpan.question.grammar import word_list
from goldpan.question.question_text import QuestionText

MIN_CHARS, TWO_EDITS_FROM = 4, 7
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
    ("ful", ""), ("ment", ""), ("al", ""), ("ity", "e"), ("ity", ""), ("ish", ""), ("ize", "izer"),
)  # fmt: skip
_PREFIXES = ("un", "re", "pre", "non", "multi", "auto", "sub", "over", "self", "super", "micro", "inter", "anti", "de")

MAYBE_MISSPELLED = re.compile(
    r"(?<![\w.@#/+'-])[A-Za-z]{4,24}(?![\w@#/+]|[.-]\w|'t\b)|(?<=-)[a-z]{4,24}(?![\w.@#/+])|(?<!\w)[a-z]{4,24}(?=-[a-z])"
)
"""Words that may be misspelled: no acronyms, no parts of names and addresses."""
MIN_CUE, NAME_CHARS = 5, 6
"""Letters of a word that may be a misspelled cue, and of a word with a capital that may be another misspelled word."""


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
        listed = dict.fromkeys((*common, *self.targets))
        return [word for word in listed if word.isalpha() and len(word) >= MIN_CHARS - 1]

    def __contains__(self, word: str) -> bool:
        """Report whether a lower-case word is known, also as a form of a known word or a compound of two."""
        if self._has(word) or word in self.names:
            return True
        stems = [word[: -len(ending)] + instead for ending, instead in _ENDINGS if word.endswith(ending)]
        stems += [stem[:-1] for stem in stems if len(stem) > MIN_CHARS and stem[-1] == stem[-2]]
        stems += [word[len(prefix) :] for prefix in _PREFIXES if word.startswith(prefix)]
        if any(len(stem) >= MIN_CHARS - 1 and self._has(stem) for stem in stems):
            return True
        return self.is_compound(word)

    def is_compound(self, word: str, least: int = MIN_CHARS) -> bool:
        """Report whether two known words, of so many letters at the least, make a lower-case word."""
        cuts = range(least, len(word) - least + 1)
        return any(self._has(word[:cut]) and self._has(word[cut:]) for cut in cuts)

    def frequency(self, word: str) -> int:
        """Return how often the texts have a word; a built-in word counts as known."""
        return max(self.frequencies.get(word, 0), MIN_FREQUENCY if word in self.built_in else 0)

    def nearest(self, word: str) -> str | None:
        """Return the known word that was most likely meant, within the allowed distance; None if there is none.

        A word at distance two must be 50 times as frequent as one at distance one. The same letters in another order
        and the same consonants make a word likelier. It has the same first letter, or begins with the second one if
        one letter at most is missing.
        """
        allowed = 1 if len(word) < TWO_EDITS_FROM else 2
        near = words_near(word, self._candidates, allowed).items()
        alike = ((one, edits) for one, edits in near if one[0] in word[: 2 if len(one) + 1 >= len(word) else 1])
        scores = {one: self._likelihood(word, one, edits) for one, edits in alike}
        meant = max(scores, key=lambda one: scores[one], default=None)
        return meant if meant and scores[meant] else None

    def _likelihood(self, word: str, candidate: str, edits: int) -> float:
        frequency = max(self.frequency(candidate), MIN_SHORT_CORRECTION_FREQUENCY)
        if frequency < (COMMONER_ONE if edits == 1 else COMMONER_TWO) * self.frequencies.get(word, 0):
            return 0.0
        score = frequency / (FARTHER if edits > 1 else 1)
        score *= LIKELIER if sorted(word) == sorted(candidate) else 1
        return score * (LIKELIER if consonants(word) == consonants(candidate) else 1)

    def _has(self, word: str) -> bool:
        return self.frequencies.get(word, 0) >= MIN_FREQUENCY or word in self.built_in


def words_near(word: str, candidates: Iterable[str], most: int) -> dict[str, int]:
    """Return the candidates at a distance of at most so many edits, each with its distance."""
    from rapidfuzz import distance, process  # noqa: PLC0415 - 40 ms, and most questions have no misspelled word

    scorer = distance.OSA.distance
    found = process.extract(word, candidates, scorer=scorer, score_cutoff=most, limit=None)  # type: ignore[arg-type]
    return {near: int(edits) for near, edits, _ in found}


def american(word: str) -> str:
    """Return the American form of a British spelling, in lower case; any other word as it is."""
    plain = re.sub(r"our(?=s?\b|al\b|s?ing\b|ed\b|ful\b|less\b)", "or", word.lower())
    plain = re.sub(r"(?<=[nt]a)logue(?=s?\b)", "log", re.sub(r"(?<=l)ys(?=e[dsr]?\b|ers\b|ing\b)", "yz", plain))
    return re.sub(r"(?<=[a-z]{3})is(?=ations?\b|e[dsr]?\b|ers\b|ing\b)", "iz", plain)


def _needed(word: str) -> int:
    return MIN_CORRECTION_FREQUENCY if len(word) >= TWO_EDITS_FROM else MIN_SHORT_CORRECTION_FREQUENCY


def consonants(word: str) -> str:
    """Return the consonants of a word, a double one once."""
    return re.sub(r"[aeiouy]|(.)(?=\1)", "", word)


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
    typed = [match for match in MAYBE_MISSPELLED.finditer(source.text) if match[0].lower() not in never]
    found = {match[0]: _correction(match, known(), is_sure) for match in typed}
    words = {one: word for one, word in found.items() if word and part_id("correction", word) not in ignored}
    places = ((*match.span(), words.get(match[0], "")) for match in typed)
    cased = ((start, end, word.capitalize() if source.text[start].isupper() else word) for start, end, word in places)
    return Corrected(source.replace(one for one in cased if one[2]), words)


def _correction(match: re.Match[str], known: KnownWords, is_sure: Callable[[str, str], bool]) -> str | None:
    """Return the American spelling of a word, a cue such as "without", or the known word that was meant."""
    typed, word = match[0], match[0].lower()
    if known.frequency(american(word)) > known.frequency(word):
        return american(word)
    if word in known:
        return None
    if len(word) >= MIN_CUE and (cue := next(iter(words_near(word, word_list("cue_words"), 1)), None)):
        return cue
    meant = known.nearest(word) if typed.islower() or typed.istitle() else None
    is_name = typed.istitle() and match.start() > 0  # a capital within the question: short, or far from a word
    if meant and is_name and sorted(word) != sorted(meant):
        meant = meant if len(word) >= NAME_CHARS and words_near(word, (meant,), 1) else None
    return meant if meant and is_sure(word, meant) else None
