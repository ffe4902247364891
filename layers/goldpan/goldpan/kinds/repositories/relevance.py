"""Compute how well a repository's own text fits a question, by rules alone.

    relevance = 0.5 x words + 0.5 x closeness
    words = 0.88 x coverage ^ 1.3 x brevity x factors + 0.12 x platform fit

- coverage: the weighted share of the question's subjects and generic words that the text has, as typed or as a synonym;
- brevity: below 1 for a long text, because it mentions much that the repository is not about;
- factors: below 1 for a repository that is for another platform, or that is not software to use;
- closeness: the cosine of the question's vector and the text's, from 0, halved for a related platform; without an
  encoder the words count alone;
- platform fit: 1 if the repository is for the platform of the question, 0 if nothing shows it.

Stars play no part. The formula and its constants were chosen on public questions; docs/benchmarks.md has the figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from goldpan.infra.encoder.port import Encoder
from goldpan.kinds.repositories.categories import best_fits, fitting_categories
from goldpan.kinds.repositories.likeness import is_rival
from goldpan.kinds.repositories.models import Repository, SearchParams
from goldpan.kinds.repositories.question.vocabulary import (
    CONTEXT_WEIGHT,
    OTHER_NAME_WEIGHT,
    Concept,
    Platform,
    WeightedConcept,
    own_expansions,
    vocabulary,
    weighted_concept,
)
from goldpan.kinds.repositories.repository_text import OWNER, RepositoryText, meaning_text, text_of
from goldpan.text import Phrase, phrase

WORDS_SHARE = 0.5
"""The share of the words in the relevance; the rest is the closeness in meaning."""
MIN_SHARE, MAX_CLOSE_WORDS = 0.1, 2
"""What a pair of words must add to the closeness to be a reason, and how many reasons of this sort are given."""
MIN_SUBJECT_SHARE = 0.25
"""The least part of its weight that a subject keeps, however little it tells of the meaning of the question."""
OWNER_ONLY_FACTOR = 0.5
"""A phrase that only the owner's name contains."""
REPETITION_BONUS, MAX_REPETITIONS = 0.1, 2
"""For each further field with the same phrase: name, description, topics, README."""
COVERAGE_EXPONENT = 1.3
"""Above 1, so that a missing subject costs more than its share."""

PLATFORM_BONUS = 0.12
MENTION_ONLY_FIT = 0.6
"""The text names the platform, but the repository's language is not one of the platform's."""
LANGUAGE_ONLY_FIT = 0.4
"""The repository's language is compatible with the platform, but the text does not name it."""
LONGER_NAME_FIT = 0.3
"""The text names the platform only within a longer name of another one."""
FOREIGN_PLATFORM_FACTOR = 0.2
"""The language, or a platform that the text names, is not compatible with the question's platform."""
UNSTATED_PLATFORM_FACTOR = 0.6
"""Nothing shows for which platform the repository is."""
RELATED_PLATFORM_FACTOR = 0.5
"""The text names another platform of the same family, such as Vue instead of React."""
NON_SOFTWARE_FACTOR = 0.75
"""A link list, a lesson or an example, unless the question asks for one."""
USUAL_LENGTH, LENGTH_PENALTY = 10, 0.06
"""Terms of a usual text, and the penalty for each further such length."""


ABOVE_SHARE = 0.7
"""What is certain to meet every constraint stands above the others if it has this share of the best one's relevance."""
CATEGORY_GAIN = 0.7
"""The share of what is missing to 1 that a repository gains which is filed under just what the question asks for."""


@dataclass(frozen=True)
class Match:
    """A relevance between 0 and 1, and the words that it rests on, each with the field that has it."""

    relevance: float
    evidence: tuple[str, ...]
    closeness: float = 0.0
    """The similarity in meaning, 0 to 1."""


class Matcher:
    """Compares many repositories with one question."""

    def __init__(self, params: SearchParams, encoder: Encoder | None = None) -> None:
        concepts = tuple(concept for keyword in params.keywords for concept in vocabulary().concepts(keyword))
        context = tuple(concept for words in params.context for concept in vocabulary().concepts(words))
        self._likes = params.likes
        self._comparison = encoder.compare(params.meaning) if encoder and params.meaning else None
        self._platforms = tuple((concept, concept.platform) for concept in concepts if concept.platform is not None)
        self._alternatives = _alternatives(self._platforms)
        subjects = [concept for concept in concepts if concept.part == "subject"]
        expanded = [phrase(keyword) for keyword in params.expanded_keywords]
        own = own_expansions(subjects, params.expanded_keywords, encoder)
        covered = [concept for concept in concepts if not subjects or not _is_language(concept)]
        self._concepts = tuple(weighted_concept(concept, expanded, own, encoder) for concept in covered)
        typed = {phrase(keyword): phrase(word) for keyword, word in params.typed.items()}
        self._concepts = tuple(
            replace(one, phrases=((typed[one.concept.phrase], 1.0), *one.phrases))
            if one.concept.phrase in typed
            else one
            for one in self._concepts
        )
        self._concepts = _by_share(self._concepts, encoder.shares(params.meaning) if encoder and params.meaning else {})
        light = (weighted_concept(concept, (), {}, encoder) for concept in context)
        self._concepts += tuple(replace(concept, weight=CONTEXT_WEIGHT) for concept in light)
        asked = {concept.phrase for concept in concepts} | {(term,) for c in concepts for term in c.phrase}
        self._non_software = [group for group in vocabulary().non_software if not group & asked]
        named = [platform for _, platform in self._platforms]
        self._foreign_names = frozenset(name for other in _foreign(named) for name in other.distinctive_names)
        self._related_names = {phrase(other.name) for other in _related(named)}
        self._filed = best_fits(fitting_categories(params))

    def match(self, repositories: Sequence[Repository]) -> list[Match]:
        """Compute the relevance of each repository, with its evidence.

        A text without any closeness, such as one in a script that the encoder does not know, has its words alone. What
        says that it is an alternative to what the question names is twice as near to 1.
        """
        matched = self._matched(repositories)
        if not self._likes:
            return matched
        return [self._as_rival(match, one) for match, one in zip(matched, repositories, strict=True)]

    def _as_rival(self, match: Match, repository: Repository) -> Match:
        like = next((like for like in self._likes if is_rival(repository, like)), None)
        if like is None:
            return match
        said = f"“{like}”, of which it says to be like or an alternative"
        return replace(match, relevance=round((1 + match.relevance) / 2, 4), evidence=(said, *match.evidence))

    def _matched(self, repositories: Sequence[Repository]) -> list[Match]:
        texts = [text_of(repository) for repository in repositories]
        found = [self._match(text) for text in texts]
        if self._comparison is None:
            return found
        closeness = self._comparison.closeness([meaning_text(repository) for repository in repositories])
        near = [
            Match(round(WORDS_SHARE * match.relevance + (1 - WORDS_SHARE) * close, 4), match.evidence, round(close, 4))
            for match, text, near in zip(found, texts, closeness, strict=True)
            for close in [near * self._related_factor(text) * self._kind_factor(text) if near else match.relevance]
        ]
        return [self._as_filed(*each) for each in zip(near, repositories, texts, strict=True)]

    def _as_filed(self, match: Match, repository: Repository, text: RepositoryText) -> Match:
        """Raise the relevance of a repository of a category that fits the question, as far as its platform fits."""
        filed = self._filed.get(repository.full_name.lower())
        if filed is None:
            return match
        fit, name = filed
        gain = CATEGORY_GAIN * fit * self._platform_fit(text, [])[1]
        said = f"filed under “{name}”"
        return replace(
            match, relevance=round(match.relevance + gain * (1 - match.relevance), 4), evidence=(*match.evidence, said)
        )

    def closest_words(self, repository: Repository) -> list[str]:
        """Describe the words of a repository that are closest in meaning to other words of the question."""
        if self._comparison is None:
            return []
        text = text_of(repository)
        pairs = [pair for pair in self._comparison.pairs(meaning_text(repository)) if pair.share >= MIN_SHARE]
        return [
            f"“{pair.document}” in the {fields[0]}, close in meaning to “{pair.question}”"
            for pair in pairs
            if phrase(pair.document) != phrase(pair.question) and (fields := text.fields_with(phrase(pair.document)))
        ][:MAX_CLOSE_WORDS]

    def _match(self, text: RepositoryText) -> Match:
        evidence: list[str] = []
        words = self._words(text, evidence)
        return Match(round(min(1.0, words), 4), tuple(dict.fromkeys(evidence)))

    def _words(self, text: RepositoryText, evidence: list[str]) -> float:
        """Compute the part of the relevance that rests on words that the text has."""
        coverage = self._coverage(text, evidence)
        fit, factor = self._platform_fit(text, evidence)
        factor *= self._kind_factor(text)
        brevity = 1 / (1 + LENGTH_PENALTY * max(0.0, text.length / USUAL_LENGTH - 1))
        relevance: float = (1 - PLATFORM_BONUS) * coverage**COVERAGE_EXPONENT * factor * brevity
        if coverage > 0:
            relevance += PLATFORM_BONUS * fit
        return relevance

    def _coverage(self, text: RepositoryText, evidence: list[str]) -> float:
        """Compute the weighted share of the concepts that the text has; repetitions may raise it above 1."""
        total = sum(concept.weight for concept in self._concepts)
        found = sum(concept.weight * _strength(concept, text, evidence) for concept in self._concepts)
        return found / total if total else 0.0

    def _platform_fit(self, text: RepositoryText, evidence: list[str]) -> tuple[float, float]:
        """Compute the mean fit to the question's platforms, and the factor for those that do not fit in full."""
        mean_fit, factor = 0.0, 1.0
        for alternatives in self._alternatives:
            fits = [(_fit(concept, platform, text, evidence), platform) for concept, platform in alternatives]
            fit, platform = max(fits, key=lambda pair: pair[0])
            factor *= fit + (1 - fit) * self._misfit_factor(platform, text)
            mean_fit += fit / len(self._alternatives)
        return mean_fit, factor * self._related_factor(text)

    def _kind_factor(self, text: RepositoryText) -> float:
        """Return the factor for a link list, a lesson or an example that the question does not ask for."""
        return NON_SOFTWARE_FACTOR if any(text.describes_itself_as(group) for group in self._non_software) else 1.0

    def _related_factor(self, text: RepositoryText) -> float:
        """Return the factor for a repository that names another platform of the family, and not the one asked for."""
        if not text.contains_any(self._related_names):
            return 1.0
        fits = [
            max(_fit(concept, platform, text, []) for concept, platform in alternatives)
            for alternatives in self._alternatives
        ]
        return RELATED_PLATFORM_FACTOR if sum(fits) < len(fits) else 1.0

    def _misfit_factor(self, platform: Platform, text: RepositoryText) -> float:
        """Return the factor for a repository that does not show the platform: lower if it shows a foreign one."""
        if not platform.compatible_languages:
            return UNSTATED_PLATFORM_FACTOR
        foreign_language = text.language is not None and text.language not in platform.compatible_languages
        foreign = foreign_language or text.contains_any(self._foreign_names)
        return FOREIGN_PLATFORM_FACTOR if foreign else UNSTATED_PLATFORM_FACTOR


def _is_language(concept: Concept) -> bool:
    """Report whether a concept is a platform with languages, which the fit covers; any other is a subject too."""
    return concept.platform is not None and bool(concept.platform.compatible_languages)


def _alternatives(platforms: Sequence[tuple[Concept, Platform]]) -> list[list[tuple[Concept, Platform]]]:
    """Group the languages of a question that share no compatible language: a repository can be for one of them only."""
    groups: list[list[tuple[Concept, Platform]]] = []
    for one in platforms:
        apart = next((group for group in groups if all(_exclude(one[1], other) for _, other in group)), None)
        if apart:
            apart.append(one)
        else:
            groups.append([one])
    return groups


def _exclude(one: Platform, other: Platform) -> bool:
    """Report whether two platforms are languages that no repository is compatible with both of."""
    languages = one.language_filter is not None and other.language_filter is not None
    return languages and not one.compatible_languages & other.compatible_languages


def _foreign(named: Sequence[Platform]) -> list[Platform]:
    """List the platforms that share no compatible language with the question's platforms."""
    languages = frozenset(language for platform in named for language in platform.compatible_languages)
    others = [other for other in vocabulary().platforms.values() if other.compatible_languages]
    return [other for other in others if languages and not other.compatible_languages & languages]


def _related(named: Sequence[Platform]) -> list[Platform]:
    """List the other platforms in the families of the question's platforms."""
    families = {platform.family for platform in named if platform.family}
    return [other for other in vocabulary().platforms.values() if other.family in families and other not in named]


def _by_share(concepts: tuple[WeightedConcept, ...], shares: Mapping[str, float]) -> tuple[WeightedConcept, ...]:
    """Weigh the subjects by how much they tell of the meaning of the question, the largest in full.

    A subject that the encoder does not know keeps its weight, since rare words are names.
    """
    known = {
        one.concept.phrase: sum(found)
        for one in concepts
        if one.concept.part == "subject" and (found := [shares[word] for word in one.concept.words if word in shares])
    }
    largest = max(known.values(), default=0.0)
    if largest <= 0:
        return concepts
    return tuple(
        replace(one, weight=one.weight * max(MIN_SUBJECT_SHARE, known[one.concept.phrase] / largest))
        if one.concept.phrase in known
        else one
        for one in concepts
    )


def _strength(weighted: WeightedConcept, text: RepositoryText, evidence: list[str]) -> float:
    """Return the weight of the strongest phrase in the text that stands for the concept, or 0."""
    for candidate, weight in weighted.phrases:
        fields = text.fields_with(candidate)
        if fields:
            if candidate not in weighted.related:
                evidence.append(_evidence(weighted.concept, candidate, fields[0]))
            if fields == [OWNER]:
                return weight * OWNER_ONLY_FACTOR
            repetitions = sum(field != OWNER for field in fields) - 1
            return weight * (1 + REPETITION_BONUS * min(MAX_REPETITIONS, repetitions))
    return 0.0


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
    evidence.append(_evidence(concept, found, text.fields_with(found)[0]))
    if text.language and platform.compatible_languages and text.language not in platform.compatible_languages:
        return MENTION_ONLY_FIT
    return 1.0 if found == concept.phrase else OTHER_NAME_WEIGHT


def _evidence(concept: Concept, found: Phrase, field: str) -> str:
    """Describe where a phrase was found, and which words of the question it stands for."""
    asked = " ".join(concept.words)
    if found == concept.phrase:
        return f"“{asked}” in the {field}"
    spelled = vocabulary().spelling.get(found, " ".join(found))
    return f"“{spelled}” (for “{asked}”) in the {field}"
