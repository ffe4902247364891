"""Translates a question without a language model: stop words, phrases, languages, intents."""

from __future__ import annotations

from itertools import chain, zip_longest

from goldpan.contracts import Mode
from goldpan.kinds.repositories.models import SearchParams
from goldpan.kinds.repositories.question.intent import created_after, star_range, without_intent
from goldpan.kinds.repositories.question.vocabulary import Concept, vocabulary

EXPANSIONS: dict[Mode, tuple[int, int]] = {"focused": (0, 0), "balanced": (2, 3), "exploratory": (5, 8)}
"""The fewest and the most expanded keywords of a mode; without a model the vocabulary may know fewer."""


def translate_by_rules(question: str, mode: Mode) -> SearchParams:
    """Cut a question into keywords, and let the vocabulary add its nearest synonyms."""
    concepts = vocabulary().concepts(without_intent(question))
    keywords = tuple(" ".join(concept.words) for concept in concepts)
    platforms = [concept.platform for concept in concepts if concept.platform is not None]
    subjects = [concept for concept in concepts if concept.part == "subject"]
    return SearchParams(
        keywords=keywords,
        expanded_keywords=_expanded(subjects, keywords, EXPANSIONS[mode][1]),
        language=next((platform.filter for platform in platforms if platform.filter), None),
        star_range=star_range(question),
        created_after=created_after(question),
        topics=_topics(platforms_of=[platform.name for platform in platforms], subjects=subjects),
    )


def _expanded(subjects: list[Concept], keywords: tuple[str, ...], most: int) -> tuple[str, ...]:
    """Take the nearest synonyms of each subject in turn."""
    near = ([spelled for spelled, _ in vocabulary().nearest(subject.phrase)] for subject in subjects)
    in_turn = (word for word in chain.from_iterable(zip_longest(*near)) if word and word not in keywords)
    return tuple(dict.fromkeys(in_turn))[:most]


def _topics(platforms_of: list[str], subjects: list[Concept]) -> tuple[str, ...]:
    """Name the topics that such a repository would carry at GitHub; none where there is no subject."""
    found = [*platforms_of[:1], *(" ".join(subject.words) for subject in subjects[:1])]
    plain = [topic.replace(" ", "-") for topic in found if topic.replace(" ", "").isalnum()]
    return tuple(plain) if subjects else ()
