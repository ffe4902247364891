"""Compute how well a repository fits the platforms of a question: its languages, React, iOS, self-hosting."""

from collections.abc import Sequence
from operator import itemgetter

from goldpan.kinds.repositories.repository_text import RepositoryText
from goldpan.kinds.repositories.vocabulary import Concept, Platform, vocabulary
from goldpan.text import Phrase

MENTION_ONLY_FIT = 0.6
"""The text names the platform, but the repository's language is not one of the platform's."""
LANGUAGE_ONLY_FIT = 0.4
"""The repository's language is compatible with the platform, but the text does not name it."""
FOREIGN_PLATFORM_FACTOR = 0.2
"""The language is not compatible with the question's platform."""
UNSTATED_PLATFORM_FACTOR = 0.6
"""Nothing shows for which platform the repository is."""


class PlatformFit:
    """Compares the texts of repositories with the platforms of one question."""

    def __init__(self, concepts: Sequence[Concept]) -> None:
        platforms = [(concept, concept.platform) for concept in concepts if concept.platform is not None]
        languages = [each for each in platforms if each[1].language_filter]  # it need be for one of them only
        others = [[each] for each in platforms if not each[1].language_filter]
        self._alternatives = [languages, *others] if languages else others

    def of(self, text: RepositoryText, evidence: list[str]) -> tuple[float, float]:
        """Compute the mean fit to the platforms, and the factor for those that do not fit in full."""
        best = [
            max(((_fit(*each, text, evidence), each[1]) for each in group), key=itemgetter(0))
            for group in self._alternatives
        ]
        factor = 1.0
        for fit, platform in best:
            languages = platform.compatible_languages
            is_foreign = languages and text.language not in (None, *languages)
            misfit = FOREIGN_PLATFORM_FACTOR if is_foreign else UNSTATED_PLATFORM_FACTOR
            factor *= fit + (1 - fit) * misfit
        return sum(fit for fit, _ in best) / (len(best) or 1), factor


def credit(concept: Concept, found: Phrase, field: str) -> str:
    """Describe where a phrase was found, and which words of the question it stands for."""
    asked = " ".join(concept.words)
    if found == concept.phrase:
        return f"“{asked}” in the {field}"
    spelled = vocabulary().spelling.get(found, " ".join(found))
    return f"“{spelled}” (for “{asked}”) in the {field}"


def _fit(concept: Concept, platform: Platform, text: RepositoryText, evidence: list[str]) -> float:
    """Compute how well the repository shows the platform: by its language, or by one of the platform's names."""
    if text.language in platform.languages:
        evidence.append(f"language {text.language}")
        return 1.0
    found = next(filter(text.fields_with, (concept.phrase, *sorted(platform.words))), None)
    if found is None:
        return LANGUAGE_ONLY_FIT if text.language in platform.compatible_languages else 0.0
    evidence.append(credit(concept, found, text.fields_with(found)[0]))
    if text.language and platform.compatible_languages and text.language not in platform.compatible_languages:
        return MENTION_ONLY_FIT
    return 1.0
