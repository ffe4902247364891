"""Translate a question into search parameters without a language model.

The star range and the year follow from words such as "popular" or "since 2021", in every mode. The other words become
keywords, to which the vocabulary adds synonyms.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, pairwise, zip_longest

from goldpan.contracts import Mode, StageError, Usage
from goldpan.kinds.repositories.models import SearchParams, StarRange
from goldpan.kinds.repositories.question.vocabulary import Concept, vocabulary
from goldpan.text import words

MAX_KEYWORD = 60
"""Characters of a keyword or topic."""
POPULAR_MIN = 1000
MATURE_MIN = 5000
EMERGING_MIN, EMERGING_MAX = 10, 1000
LIGHTWEIGHT_MIN, LIGHTWEIGHT_MAX = 10, 500
EXPANSIONS: dict[Mode, tuple[int, int]] = {"focused": (0, 0), "balanced": (2, 3), "exploratory": (5, 8)}
"""The minimum and maximum number of expanded keywords by mode; the vocabulary may know fewer than the minimum."""

_MATURE = frozenset({"mature", "stable", "established", "battle tested", "production ready"})
_POPULAR = frozenset({"popular", "mainstream", "famous", "widely used", "well known"})
_EMERGING = frozenset({"new", "newer", "recent", "fresh", "emerging", "upcoming"})
_LIGHTWEIGHT = frozenset({"small", "lightweight", "minimal", "tiny", "minimalist"})
_STAR_RANGES = (
    (_MATURE, StarRange(min=MATURE_MIN)),
    (_POPULAR, StarRange(min=POPULAR_MIN)),
    (_EMERGING, StarRange(min=EMERGING_MIN, max=EMERGING_MAX)),
    (_LIGHTWEIGHT, StarRange(min=LIGHTWEIGHT_MIN, max=LIGHTWEIGHT_MAX)),
)
"""The first group with a word in the question decides."""
_YEAR = re.compile(r"\b(?:since|after|newer than|created in|from)\s+((?:19|20)\d\d)\b", re.IGNORECASE)


@dataclass(frozen=True)
class TranslationNotes:
    """The usage of the language model, and the warnings and errors for the answer."""

    usage: Usage
    warnings: tuple[str, ...] = ()
    errors: tuple[StageError, ...] = ()


def translate_by_rules(question: str, mode: Mode) -> SearchParams:
    """Translate a question: platforms, subjects and forms become keywords, synonyms become expanded keywords."""
    concepts = vocabulary().concepts(without_intent(question))
    keywords = tuple(" ".join(concept.words) for concept in concepts)
    platforms = [concept.platform for concept in concepts if concept.platform is not None]
    subjects = [concept for concept in concepts if concept.part == "subject"]
    return SearchParams(
        keywords=keywords,
        expanded_keywords=_synonyms(subjects, keywords, EXPANSIONS[mode][1]),
        language=next((platform.language_filter for platform in platforms if platform.language_filter), None),
        star_range=star_range(question),
        created_after=created_after(question),
        topics=_topics([platform.name for platform in platforms], subjects),
    )


def star_range(question: str) -> StarRange | None:
    """Return the star range that a word or a pair of words asks for, or None."""
    asked = words(question)
    expressions = {*asked, *(" ".join(pair) for pair in pairwise(asked))}
    return next((stars for group, stars in _STAR_RANGES if group & expressions), None)


def created_after(question: str) -> date | None:
    """Return January 1 of the year in "since 2021" or a similar expression, or None."""
    year = _YEAR.search(question)
    return date(int(year.group(1)), 1, 1) if year else None


def without_intent(question: str) -> str:
    """Return the question without the words that set the star range or the year, unless no other word remains."""
    without_year = " ".join(words(_YEAR.sub(" ", question)))
    text = without_year
    for expression in sorted(_POPULAR | _MATURE | _EMERGING | _LIGHTWEIGHT, key=len, reverse=True):
        text = re.sub(rf"(?<!\S){re.escape(expression)}(?!\S)", " ", text)
    return text if text.strip() else without_year


def _synonyms(subjects: Sequence[Concept], keywords: tuple[str, ...], limit: int) -> tuple[str, ...]:
    """Return the nearest synonym of each subject, then the second nearest of each, and so on."""
    by_subject = ([synonym for synonym, _ in vocabulary().nearest(subject.phrase)] for subject in subjects)
    in_turn = (synonym for synonym in chain.from_iterable(zip_longest(*by_subject)) if synonym)
    return tuple(dict.fromkeys(synonym for synonym in in_turn if synonym not in keywords))[:limit]


def _topics(platforms: Sequence[str], subjects: Sequence[Concept]) -> tuple[str, ...]:
    """Return the first platform and the first subject as GitHub topics; none if there is no subject."""
    if not subjects:
        return ()
    names = [*platforms[:1], " ".join(subjects[0].words)]
    return tuple(name.replace(" ", "-") for name in names if name.replace(" ", "").isalnum())
