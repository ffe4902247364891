"""Compute how well a repository fits the platforms of a question: its languages, React, iOS, self-hosting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from goldpan.kinds.repositories.concepts import OTHER_NAME_WEIGHT
from goldpan.kinds.repositories.repository_text import RepositoryText
from goldpan.kinds.repositories.vocabulary import Concept, Platform, vocabulary
from goldpan.text import Phrase

MENTION_ONLY_FIT = 0.6
"""The text names the platform, but the repository's language is not one of the platform's."""
LANGUAGE_ONLY_FIT = 0.4
"""The repository's language is compatible with the platform, but the text does not name it."""
LONGER_NAME_FIT = 0.3
"""The text names the platform only within a longer name of another one."""
UNSHOWN_PLATFORM_FACTOR, OTHER_PLATFORM_FACTOR = 0.5, 0.3
"""Nothing shows for which platform the repository is, or its language or its text shows another one."""


class PlatformFit:
    """Compares the texts of repositories with the platforms of one question."""

    def __init__(self, concepts: Sequence[Concept]) -> None:
        platforms = [(concept, concept.platform) for concept in concepts if concept.platform is not None]
        named = [platform for _, platform in platforms]
        self._alternatives = _alternatives(platforms)
        self._languages = frozenset(language for platform in named for language in platform.compatible_languages)
        self._other_names = _other_names(named, self._languages)

    def of(self, text: RepositoryText, evidence: list[str]) -> tuple[float, float]:
        """Compute the mean fit to the platforms, and the factor for those that do not fit in full."""
        fits = [max(_fit(*each, text, evidence) for each in group) for group in self._alternatives]
        least = OTHER_PLATFORM_FACTOR if self._shows_another(text) else UNSHOWN_PLATFORM_FACTOR
        return sum(fits) / len(fits) if fits else 0.0, math.prod(fit + (1 - fit) * least for fit in fits)

    def _shows_another(self, text: RepositoryText) -> bool:
        is_foreign = bool(self._languages) and text.language is not None and text.language not in self._languages
        return is_foreign or text.contains_any(self._other_names)


def is_language(concept: Concept) -> bool:
    """Report whether a concept is a platform with languages, which the fit covers; any other is a subject too."""
    return concept.platform is not None and bool(concept.platform.compatible_languages)


def credit(concept: Concept, found: Phrase, field: str) -> str:
    """Describe where a phrase was found, and which words of the question it stands for."""
    asked = " ".join(concept.words)
    if found == concept.phrase:
        return f"“{asked}” in the {field}"
    spelled = vocabulary().spelling.get(found, " ".join(found))
    return f"“{spelled}” (for “{asked}”) in the {field}"


def _alternatives(platforms: Sequence[tuple[Concept, Platform]]) -> list[list[tuple[Concept, Platform]]]:
    """Group the languages of a question, since a repository need be for one of them only."""
    languages = [each for each in platforms if each[1].language_filter]
    others = [[each] for each in platforms if not each[1].language_filter]
    return [languages, *others] if languages else others


def _other_names(named: Sequence[Platform], languages: AbstractSet[str]) -> frozenset[Phrase]:
    """List the names of platforms that share no compatible language with those of the question, or rival one."""
    families = {platform.family for platform in named if platform.family}
    return frozenset(
        name
        for other in vocabulary().platforms.values()
        if (other.family in families and other not in named)
        or (languages and other.compatible_languages and not other.compatible_languages & languages)
        for name in other.distinctive_names
    )


def _fit(concept: Concept, platform: Platform, text: RepositoryText, evidence: list[str]) -> float:
    """Compute how well the repository shows the platform: by its language, the platform's name, or another name."""
    if text.language in platform.languages:
        evidence.append(f"language {text.language}")
        return 1.0
    found = next(filter(text.fields_with, (concept.phrase, *sorted(platform.words))), None)
    if found is None:
        return LANGUAGE_ONLY_FIT if text.language in platform.compatible_languages else 0.0
    if not text.occurs_outside(found, platform.longer_names):
        return LONGER_NAME_FIT
    evidence.append(credit(concept, found, text.fields_with(found)[0]))
    if text.language and platform.compatible_languages and text.language not in platform.compatible_languages:
        return MENTION_ONLY_FIT
    return 1.0 if found == concept.phrase else OTHER_NAME_WEIGHT
