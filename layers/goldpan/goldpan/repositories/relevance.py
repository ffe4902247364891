"""How well a repository's own words fit the question, by rules alone.

    relevance = reach x the platform factors x brevity, plus a little for each platform that fits

- reach: the weighted share of the question's subjects and forms that the text holds, as asked or by a synonym;
- a platform factor: 1 where the repository is for the platform, low where it is for another one;
- brevity: a long text mentions much that it is not about.

Fame plays no part. The constants were chosen on public questions; docs/benchmarks.md has the figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from goldpan.repositories.contracts import Repository, SearchParams
from goldpan.repositories.vocabulary import Concept, Platform, vocabulary
from goldpan.text import Phrase, name_terms, phrase, terms

SUBJECT, FORM = 1.0, 0.15
"""What a concept weighs in the reach."""
EXPANDED = 0.3
"""What a word counts that the translator added, where the vocabulary knows no nearer synonym."""
PARTIAL = 0.3
"""What one word of a longer phrase counts when it stands alone."""
OTHER_LANGUAGE, UNSHOWN_PLATFORM, RIVAL_PLATFORM = 0.2, 0.45, 0.5
PLATFORM_SHARE = 0.12
USUAL_LENGTH, LENGTH_COST = 20, 0.08
README_TERMS = 80
LONGEST = 4


@dataclass(frozen=True)
class Match:
    """A relevance between 0 and 1, and the words that earned it with the place of each."""

    relevance: float
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class _Wanted:
    """A concept of the question with all the phrases that stand for it, and what each counts."""

    concept: Concept
    weight: float
    phrases: Mapping[Phrase, float]


class Matcher:
    """The question in a form that many repositories can be held against."""

    def __init__(self, params: SearchParams) -> None:
        concepts = tuple(concept for keyword in params.keywords for concept in vocabulary().concepts(keyword))
        self._platforms = tuple(c for c in concepts if c.platform is not None)
        expanded = [phrase(word) for word in params.expanded_keywords]
        wanted = [c for c in concepts if c.platform is None] or list(self._platforms)
        self._wanted = tuple(_wanted(concept, expanded) for concept in wanted)
        named = {c.platform.name for c in self._platforms if c.platform}
        families = {c.platform.family for c in self._platforms if c.platform and c.platform.family}
        self._rivals = [p for p in vocabulary().platforms.values() if p.family in families and p.name not in named]

    def match(self, repository: Repository) -> Match:
        """Hold one repository against the question."""
        text = _Text(repository)
        evidence: list[str] = []
        total = sum(wanted.weight for wanted in self._wanted)
        reach = sum(w.weight * text.strength(w, evidence) for w in self._wanted) / total if total else 0.0
        factor, fits = 1.0, 0.0
        for concept in self._platforms:
            fit = text.platform_fit(concept, evidence)
            least = OTHER_LANGUAGE if text.speaks_other(concept.platform) else UNSHOWN_PLATFORM
            factor *= least + (1 - least) * fit
            fits += fit / len(self._platforms)
        if any(text.holds_any(rival.words) for rival in self._rivals):
            factor *= RIVAL_PLATFORM
        brevity = 1 / (1 + LENGTH_COST * max(0.0, text.length / USUAL_LENGTH - 1))
        own = (1 - PLATFORM_SHARE) * reach * factor * brevity
        return Match(round(min(1.0, own + PLATFORM_SHARE * fits * (reach > 0)), 4), tuple(evidence))


def _wanted(concept: Concept, expanded: Iterable[Phrase]) -> _Wanted:
    phrases: dict[Phrase, float] = {}
    if concept.part == "subject":
        phrases |= dict.fromkeys(expanded, EXPANDED)
        phrases |= vocabulary().synonyms.get(concept.phrase, {})
    if len(concept.phrase) > 1:
        for term in concept.phrase:
            if (term,) not in vocabulary().forms and len(term) > 1:
                phrases[(term,)] = max(PARTIAL, phrases.get((term,), 0.0))
    phrases[concept.phrase] = 1.0
    return _Wanted(concept, FORM if concept.part == "form" else SUBJECT, phrases)


class _Text:
    """The words of one repository, by place."""

    def __init__(self, repository: Repository) -> None:
        readme = terms(repository.readme)[:README_TERMS] if repository.readme else []
        owner, _, name = repository.full_name.partition("/")
        places = {
            "name": name_terms(name),
            "description": terms(repository.description),
            "topics": [term for topic in repository.topics for term in terms(topic)],
            "readme": readme,
            "owner": terms(owner),
        }
        self.length = len(places["description"]) + len(places["name"]) + len(places["readme"])
        self._language = repository.language
        self._places = {place: _grams(found) for place, found in places.items()}

    def holds_any(self, phrases: Iterable[Phrase]) -> bool:
        return any(self._place(item) for item in phrases)

    def _place(self, wanted: Phrase) -> str | None:
        return next((place for place, grams in self._places.items() if wanted in grams), None)

    def strength(self, wanted: _Wanted, evidence: list[str]) -> float:
        """Find the strongest phrase that stands for the concept; 0 where there is none."""
        for candidate, strength in sorted(wanted.phrases.items(), key=lambda item: (-item[1], item[0])):
            place = self._place(candidate)
            if place is not None:
                evidence.append(_evidence(wanted.concept, candidate, place))
                return strength
        return 0.0

    def platform_fit(self, concept: Concept, evidence: list[str]) -> float:
        platform = concept.platform
        if platform is None:
            return 0.0
        if self._language in platform.languages:
            evidence.append(f"language {self._language}")
            return 1.0
        found = (
            concept.phrase if self._place(concept.phrase) else next(filter(self._place, sorted(platform.words)), None)
        )
        if found is None:
            return 0.0
        if self.holds_any(platform.not_when):
            return 0.3
        evidence.append(_evidence(concept, found, str(self._place(found))))
        return 1.0 if found == concept.phrase else 0.9

    def speaks_other(self, platform: Platform | None) -> bool:
        return bool(platform and platform.languages and self._language)


def _grams(found: list[str]) -> frozenset[Phrase]:
    return frozenset(tuple(found[i : i + n]) for n in range(1, LONGEST + 1) for i in range(len(found) - n + 1))


def _evidence(concept: Concept, found: Phrase, place: str) -> str:
    asked = " ".join(concept.words)
    if found == concept.phrase:
        return f"“{asked}” in the {place}"
    spelled = vocabulary().spelling.get(found, " ".join(found))
    return f"“{spelled}” (for “{asked}”) in the {place}"
