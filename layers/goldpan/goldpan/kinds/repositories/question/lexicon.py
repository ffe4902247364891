"""What questions for repositories name: platforms, licences, known words (wording.toml, cues.toml)."""

import re
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Literal

from goldpan.config import Frozen
from goldpan.kinds.repositories.licenses import licenses
from goldpan.kinds.repositories.vocabulary import MAX_PHRASE_WORDS, is_known, platform_of, products, vocabulary
from goldpan.known_words import TWO_EDITS_FROM, KnownWords, known_words
from goldpan.question.grammar import matches, pattern, patterns
from goldpan.question.lexicon import Lexicon, Named
from goldpan.question.preferences import is_accepted
from goldpan.question.question_text import Span, apart
from goldpan.question.things import phrase_ends
from goldpan.text import words

MIN_KNOWN_FREQUENCY = 10
"""A Latin word that the searched texts have so often is technical, whatever the language of the question."""
_CAPITALS = ("MIT", "ISC", "EPL")
"""Ambiguous names that are licences in capitals."""
_BEGIN = re.compile(r"(?<![\w-])\w")

_CUES = Path(__file__).with_name("cues.toml")
cue = partial(pattern, file=_CUES)
cues = partial(patterns, file=_CUES)
find_cues = partial(matches, file=_CUES)

TermClass = Literal["subject", "platform", "context", "form", "preference"]
"""What a term is; a preference changes the order only."""


class Term(Frozen):
    """A word or a known phrase to search for."""

    words: tuple[str, ...]
    part: TermClass
    typed: tuple[str, ...] | None = None
    """The words as typed where the spelling was corrected; both are to be searched for."""


RepositorySpan = Span[Term]


class RepositoryLexicon(Lexicon):
    """The words of the tables, and those that the searched texts use, which are read when they are needed."""

    @cached_property
    def never_misspelled(self) -> frozenset[str]:
        """The single words of these tables and of the vocabulary."""
        terms = vocabulary()
        spelled = {word for text in terms.spelling.values() for word in words(text)}
        named = {word for name in (*terms.platforms_by_name, *terms.ambiguous, *self.phrases["names"]) for word in name}
        return frozenset(word for word in super().never_misspelled | spelled | named if "'" not in word)

    def named_at(self, text: str, start: int) -> Named | None:
        """Return the licence or the platform that the text names at a place."""
        if named := _licenses_at(text, start):
            end, label, ids = named
            stronger = ("AGPL-3.0",) if "GPL-3.0" in ids and "AGPL-3.0" not in ids else ()
            return Named(end, label, {"excluded_licenses": (*ids, *stronger)})
        for end in phrase_ends(text, start, MAX_PHRASE_WORDS):
            if platform := platform_of(text[start:end]):
                fields: dict[str, object] = {"excluded_terms": (text[start:end],)}
                if platform.language_filter:
                    fields = {"excluded_languages": (platform.language_filter,)}
                return Named(end, platform.displayed, fields)
        return None

    def stays(self, token: str) -> bool:
        """Report whether a Latin word is kept as typed in a question in another language."""
        word = token.lower()
        is_known = known_words().get(word, 0) >= MIN_KNOWN_FREQUENCY
        return is_known or "-" in token or "." in token or repository_words().is_compound(word, 3)


LEXICON = RepositoryLexicon(Path(__file__).with_name("wording.toml"), is_known)


@cache
def repository_words() -> KnownWords:
    """Return the words of all repositories; the first call reads the file, which takes some milliseconds."""
    counts = known_words()
    return words_of(dict(counts), frozenset(word for word, count in counts.items() if not count))


def words_of(frequencies: dict[str, int], names: frozenset[str] = frozenset()) -> KnownWords:
    """Add the words of the vocabulary and the wording; nearly every short word is near to a short word of a request."""
    own = LEXICON.never_misspelled
    targets = frozenset(word for word in own if word not in LEXICON.words["asking"] or len(word) >= TWO_EDITS_FROM)
    targets |= {name[0] for name in products() if len(name) == 1}
    return KnownWords(frequencies, names, built_in=own, targets=targets)


def find_licenses(text: str) -> list[RepositorySpan]:
    """Find the licences that a question asks for."""
    starts = [match.start() for match in _BEGIN.finditer(text)]
    named = [(start, *one) for start in starts if (one := _licenses_at(text, start))]
    return apart(RepositorySpan(start, end, "constraint", label, {"licenses": ids}) for start, end, label, ids in named)


def _licenses_at(text: str, start: int) -> tuple[int, str, tuple[str, ...]] | None:
    """Return the end, the label and the identifiers of the licences named at a place: "under MIT or Apache-2.0"."""
    before = link = cue("licenses", "before").match(text, start)
    keys, end = list[str](), start
    while link and (named := _name_at(text, link.end())) and not (keys and is_accepted(text, named[1])):
        key, end = named
        keys.append(key)
        link = cue("licenses", "link").match(text, end)
    after = cue("licenses", "after").match(text, end)
    if not (before and keys and after):
        return None
    sure = before["under"] or before["kind"] or after["kind"] or keys[1:] or keys[0] not in licenses().ambiguous
    if not sure and not _is_license(text[before.end() : end], text[end:]):
        return None
    ids = tuple(dict.fromkeys(spdx for key in keys for spdx in licenses().ids[key]))
    return after.end(), " or ".join(map(licenses().label, dict.fromkeys(keys))), ids


def _name_at(text: str, start: int) -> tuple[str, int] | None:
    """Return the longest name of a licence at a place, as the tables have it, and its end."""
    several = cue("licenses", "words").match(text, start)
    ends = [start + word.end() for word in re.finditer(r"\w+", several[0])] if several else []
    for end in reversed(ends):
        if cue("licenses", "ends").match(text, end) and (key := licenses().key(text[start:end])):
            return key, end
    return None


def _is_license(named: str, after: str) -> bool:
    """Report whether an ambiguous name is a licence: in capitals, unlike German "mit", and no owner: "MIT Scheme"."""
    if not named.startswith(_CAPITALS):
        ends = re.match(r"\s*(?:$|[,.;:!?)])", after)  # "mit, at least 500 stars", unlike German "mit"
        return named.startswith("mit") and (named != "mit" or ends is not None)
    following = re.match(r"\s+([A-Z][\w.+#]*)", after)  # "MIT Go router" and "MIT JSON" have licences
    is_technical = following and following[1].isupper() and is_known(following[1].lower())
    return following is None or platform_of(following[1]) is not None or bool(is_technical)
