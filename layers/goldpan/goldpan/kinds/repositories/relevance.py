"""How well a repository's own words fit the question, by rules alone.

    relevance = reach x the platform factors x brevity, plus a little for each platform that fits

- reach: the weighted share of the question's subjects and forms that the text holds, as asked or by a synonym;
- a platform factor: 1 where the repository is for the platform, low where it is for another one;
- brevity: a long text mentions much that it is not about.

Fame plays no part. The constants were chosen on public questions; docs/benchmarks.md has the figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from goldpan.kinds.repositories.models import Repository, SearchParams
from goldpan.kinds.repositories.question.vocabulary import Concept, Platform, vocabulary
from goldpan.kinds.repositories.repository_text import OWNER, RepositoryText
from goldpan.text import Phrase, phrase

SUBJECT, FORM = 1.0, 0.15
"""What a concept weighs in the reach."""
EXPANDED = 0.3
"""What a word counts that the translator added, where the vocabulary knows no nearer synonym."""
OTHER_NAME = 0.9
"""What another name of a platform counts."""
PART_OF_ANOTHER = 0.3
"""How well a repository fits a platform that its text names only within the name of another."""
PARTIAL = 0.3
"""What one word of a longer phrase counts when it stands alone."""
OTHER_LANGUAGE, UNSHOWN_PLATFORM, RIVAL_PLATFORM = 0.2, 0.6, 0.5
REACH_POWER = 1.3
"""Above 1, so that a missing subject costs more than its share."""
SPOKEN_OF, AT_HOME = 0.6, 0.4
"""How well a repository fits a platform that its text names while its language goes with others, and the reverse."""
OTHER_THING = 0.75
"""What is left for a list, a course or an example where software was asked for."""
PLATFORM_SHARE = 0.12
USUAL_LENGTH, LENGTH_COST = 10, 0.06
AGAIN = 0.1
"""What a second and a third place add that say the same: name, description, topics, README."""
OWNER_ONLY = 0.5
"""What a word counts that only the owner's name holds."""


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
    phrases: tuple[tuple[Phrase, float], ...]


class Matcher:
    """The question in a form that many repositories can be held against."""

    def __init__(self, params: SearchParams) -> None:
        concepts = tuple(concept for keyword in params.keywords for concept in vocabulary().concepts(keyword))
        self._platforms = tuple(c for c in concepts if c.platform is not None)
        expanded = [phrase(word) for word in params.expanded_keywords]
        has_subject = any(concept.part == "subject" for concept in concepts)
        wanted = [concept for concept in concepts if concept.platform is None or not has_subject]
        self._wanted = tuple(_wanted(concept, expanded) for concept in wanted)
        asked = {concept.phrase for concept in concepts} | {(term,) for c in concepts for term in c.phrase}
        self._other_things = [group for group in vocabulary().other_things if not group & asked]
        named = [concept.platform for concept in self._platforms if concept.platform]
        self._strangers = frozenset(name for stranger in _strangers(named) for name in stranger.names)
        self._kin = {phrase(rival.name) for rival in _kin(named)}

    def match(self, repository: Repository) -> Match:
        """Hold one repository against the question."""
        wording = RepositoryText(repository)
        evidence: list[str] = []
        total = sum(wanted.weight for wanted in self._wanted)
        reach = sum(w.weight * _strength(w, wording, evidence) for w in self._wanted) / total if total else 0.0
        factor, fits = 1.0, 0.0
        for concept in self._platforms:
            fit = _platform_fit(concept, wording, evidence)
            factor *= fit + (1 - fit) * self._least(concept, wording)
            fits += fit / len(self._platforms)
        if fits < 1 and wording.holds_any(self._kin):
            factor *= RIVAL_PLATFORM
        if any(wording.is_said_to_be(group) for group in self._other_things):
            factor *= OTHER_THING
        brevity = 1 / (1 + LENGTH_COST * max(0.0, wording.length / USUAL_LENGTH - 1))
        own = (1 - PLATFORM_SHARE) * reach**REACH_POWER * factor * brevity
        return Match(round(min(1.0, own + PLATFORM_SHARE * fits * (reach > 0)), 4), tuple(dict.fromkeys(evidence)))

    def _least(self, concept: Concept, wording: RepositoryText) -> float:
        """Tell what is left for a repository that does not show the platform: little where it shows another."""
        platform = concept.platform
        if platform is None or not platform.home:
            return UNSHOWN_PLATFORM
        elsewhere = wording.language is not None and wording.language not in platform.home
        return OTHER_LANGUAGE if elsewhere or wording.holds_any(self._strangers) else UNSHOWN_PLATFORM


def _strangers(named: Sequence[Platform]) -> list[Platform]:
    """List the platforms whose languages none of the named ones goes with."""
    homes = frozenset(language for platform in named for language in platform.home)
    return [p for p in vocabulary().platforms.values() if homes and p.home and not p.home & homes and p.names]


def _kin(named: Sequence[Platform]) -> list[Platform]:
    """List the other platforms of the families of the named ones."""
    families = {platform.family for platform in named if platform.family}
    return [p for p in vocabulary().platforms.values() if p.family in families and p not in named]


def _wanted(concept: Concept, expanded: Iterable[Phrase]) -> _Wanted:
    phrases: dict[Phrase, float] = {}
    if concept.platform is not None:
        phrases |= dict.fromkeys(concept.platform.words, OTHER_NAME)
    if concept.part == "subject":
        phrases |= dict.fromkeys(expanded, EXPANDED)
        phrases |= vocabulary().synonyms.get(concept.phrase, {})
    if len(concept.phrase) > 1:
        for term in concept.phrase:
            if (term,) not in vocabulary().forms and len(term) > 1:
                phrases[(term,)] = max(PARTIAL, phrases.get((term,), 0.0))
    phrases[concept.phrase] = 1.0
    ordered = tuple(sorted(phrases.items(), key=lambda item: (-item[1], item[0])))
    return _Wanted(concept, FORM if concept.part == "form" else SUBJECT, ordered)


def _strength(wanted: _Wanted, wording: RepositoryText, evidence: list[str]) -> float:
    """Find the strongest phrase that stands for the concept; 0 where there is none."""
    for candidate, strength in wanted.phrases:
        places = wording.places(candidate)
        if places:
            evidence.append(_evidence(wanted.concept, candidate, places[0]))
            again = sum(place != OWNER for place in places) - 1
            return strength * (OWNER_ONLY if places == [OWNER] else 1 + AGAIN * min(2, max(0, again)))
    return 0.0


def _platform_fit(concept: Concept, wording: RepositoryText, evidence: list[str]) -> float:
    """Tell how well the repository shows the platform: by its language, its name, or another of its names."""
    platform = concept.platform
    if platform is None:
        return 0.0
    if wording.language in platform.languages:
        evidence.append(f"language {wording.language}")
        return 1.0
    found = next(filter(wording.places, (concept.phrase, *sorted(platform.words))), None)
    if found is None:
        return AT_HOME if wording.language in platform.home else 0.0
    if not wording.stands_alone(found, platform.not_when):
        return PART_OF_ANOTHER
    evidence.append(_evidence(concept, found, wording.places(found)[0]))
    if wording.language and platform.home and wording.language not in platform.home:
        return SPOKEN_OF
    return 1.0 if found == concept.phrase else OTHER_NAME


def _evidence(concept: Concept, found: Phrase, place: str) -> str:
    asked = " ".join(concept.words)
    if found == concept.phrase:
        return f"“{asked}” in the {place}"
    spelled = vocabulary().spelling.get(found, " ".join(found))
    return f"“{spelled}” (for “{asked}”) in the {place}"
