"""Compute how likely a repository is apt for a question, by rules alone.

    relevance = 1 / (1 + exp(3.7 - 4.2 x text ^ 3 - 3.8 x category))
    text = 0.4 x words + 0.6 x closeness
    words = 0.88 x coverage ^ 1.3 x brevity x factors + 0.12 x platform fit

- category: how sure it is that the question means a category that the repository is of, 0 to 1 (`CategoryShares`);
- coverage: the weighted share of the question's subjects and generic words that the text has, as typed or as a synonym;
- brevity: below 1 for a long text, because it mentions much that the repository is not about;
- factors: below 1 for a repository that is for another platform, or that is not software to use;
- closeness: the cosine of the question's vector and the text's, from 0; without an encoder the words count alone;
- platform fit: 1 if the repository is for the platform of the question, 0 if nothing shows it.

The relevance is a probability: `tests/benchmarks/calibration.py` fits the constants of the first line to the graded
results of the even public questions, and measures them on the odd ones. Popularity plays no part.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from itertools import groupby
from operator import itemgetter
from typing import cast

from goldpan.engine.stage_values import Match
from goldpan.infra.encoder.port import Encoder
from goldpan.kinds.repositories.categories import LISTED, CategoryShares
from goldpan.kinds.repositories.concepts import CONTEXT_WEIGHT, WeightedConcept, is_close, weigh, weighted_keywords
from goldpan.kinds.repositories.models import Repository, SearchParams
from goldpan.kinds.repositories.repository_text import RepositoryText, meaning_text, text_of
from goldpan.kinds.repositories.vocabulary import Concept, Platform, vocabulary
from goldpan.text import Phrase, phrase, words

WORDS_SHARE = 0.4
"""The share of the words in the fit of a text; the rest is the closeness in meaning."""
MIN_SHARE, MAX_CLOSE_WORDS = 0.1, 2
"""What a pair of words must add to the closeness to be a reason, and how many reasons of this sort are given."""
COVERAGE_EXPONENT = 1.3
"""Above 1, so that a missing subject costs more than its share."""

PLATFORM_BONUS = 0.12
NON_SOFTWARE_FACTOR = 0.75
"""A link list, a lesson or an example, unless the question asks for one."""
USUAL_LENGTH, LENGTH_PENALTY = 10, 0.06
"""Terms of a usual text, and the penalty for each further such length."""

ABOVE_SHARE = 0.5
"""What is certain to meet every constraint stands above the others if it has this share of the best one's relevance."""
LEAST, OF_TEXT, OF_CATEGORY = -3.7, 4.2, 3.8
"""The intercept and the coefficients of the logistic function."""
TEXT_EXPONENT = 3
"""Texts that fit half tell next to nothing: most share words only."""
LISTED_SHARE = 0.05
"""From which share a category is given as a reason."""

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


class Matcher:
    """Compares many repositories with one question."""

    def __init__(self, params: SearchParams, encoder: Encoder | None = None) -> None:
        concepts, context = map(vocabulary().concepts_of, (params.keywords, params.context))
        self._likes = params.likes
        self._question = phrase(params.question)
        self._is_close = cache(partial(is_close, encoder=encoder)) if encoder else None  # candidates share most words
        self._comparison = encoder.compare(params.meaning) if encoder and params.meaning else None
        self._platforms = PlatformFit(concepts)
        self._keywords = weighted_keywords(concepts, params, encoder)
        beside = (replace(weigh(concept, encoder), weight=CONTEXT_WEIGHT) for concept in context)
        self._concepts = (*self._keywords, *beside)
        asked = {concept.phrase for concept in concepts} | {(term,) for c in concepts for term in c.phrase}
        self._non_software = [group for group in vocabulary().non_software if not group & asked]
        self._categories = CategoryShares(params)
        self._matches = dict[Repository, Match]()

    def match(self, repositories: Sequence[Repository]) -> list[Match]:
        """Compute the relevance of each repository, with its evidence.

        A text without any closeness, such as one in a script that the encoder does not know, has its words alone. What
        has the question as its name is surely of the category that is meant.
        """
        new = [repository for repository in repositories if repository not in self._matches]
        closeness = self._comparison.closeness([*map(meaning_text, new)]) if self._comparison else [None] * len(new)
        self._matches.update(zip(new, map(self._match, new, closeness, self._categories.of(new)), strict=True))
        return [self._matches[repository] for repository in repositories]

    def _match(self, repository: Repository, closeness: float | None, share: float) -> Match:
        text, evidence = text_of(repository), list[str]()
        total = sum(concept.weight for concept in self._concepts) or 1.0
        coverage = sum(concept.weight * _strength(concept, text, evidence) for concept in self._concepts) / total
        platform_fit, factor = self._platforms.of(text, evidence)
        kind_factor = NON_SOFTWARE_FACTOR if any(map(text.describes_itself_as, self._non_software)) else 1.0
        brevity = 1 / (1 + LENGTH_PENALTY * max(0.0, text.length / USUAL_LENGTH - 1))
        covered = (1 - PLATFORM_BONUS) * coverage**COVERAGE_EXPONENT * (factor * kind_factor) * brevity
        fit = round(covered + PLATFORM_BONUS * platform_fit * (coverage > 0), 4)
        if closeness:
            fit = WORDS_SHARE * fit + (1 - WORDS_SHARE) * (closeness * kind_factor)
        share *= factor
        category = self._categories.name(repository)
        if category and share >= LISTED_SHARE:
            evidence.append(f"{LISTED}{category}")
        if phrase(repository.full_name.partition("/")[2]) == self._question:  # a name is as clear as a category
            share = 1.0
        return Match(relevance=probability(fit, share), evidence=tuple(dict.fromkeys(evidence)))

    def compare_words(self, repository: Repository) -> tuple[list[str], list[str]]:
        """Describe the words that are closest in meaning to other words of the question, and list what is missing.

        Missing are the subjects of the question that the repository shows in no word, no meaning and no category.
        """
        if self._is_close is None or self._comparison is None:
            return [], []
        text, pairs = text_of(repository), self._comparison.pairs(meaning_text(repository))
        close = [pair for pair in pairs if self._is_close(pair.question, pair.document)]
        described = [
            f"“{pair.document}” in the {fields[0]}, close in meaning to “{pair.question}”"
            for pair in close
            if pair.share >= MIN_SHARE
            and phrase(pair.document) != phrase(pair.question)
            and (fields := text.fields_with(phrase(pair.document)))
        ]
        known = {*(pair.question for pair in close), *words(self._categories.name(repository))}

        def is_missing(one: WeightedConcept) -> bool:
            shown = text.contains_any({name for name, _ in one.phrases}) or not known.isdisjoint(one.concept.words)
            return one.concept.part == "subject" and not shown

        grouped = groupby(() if self._likes else self._keywords, is_missing)
        missing = [" ".join(word for one in group for word in one.concept.words) for lacks, group in grouped if lacks]
        return described[:MAX_CLOSE_WORDS], missing


matcher_of = cast("type[Matcher]", lru_cache(maxsize=4)(Matcher))
"""Returns the matcher of a question; the last ones are kept, since its strategies and stages compare much the same."""


def probability(text: float, category: float) -> float:
    """Return how likely it is apt, 0 without either, from the fit of its text and the share of its category, 0 to 1."""
    if not text and not category:
        return 0.0
    logit = LEAST + OF_TEXT * text**TEXT_EXPONENT + OF_CATEGORY * category
    return round(1 / (1 + math.exp(-logit)), 4)


def _strength(weighted: WeightedConcept, text: RepositoryText, evidence: list[str]) -> float:
    """Return the weight of the strongest phrase in the text that stands for the concept, or 0."""
    for candidate, weight in weighted.phrases:
        fields = text.fields_with(candidate)
        if fields:
            if candidate not in weighted.related:
                evidence.append(credit(weighted.concept, candidate, fields[0]))
            return weight
    return 0.0
