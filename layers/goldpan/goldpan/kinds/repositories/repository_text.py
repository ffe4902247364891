"""The words of one repository, by the place where they stand."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from goldpan.kinds.repositories.models import Repository
from goldpan.text import Phrase, first_terms, name_terms, terms

README_CHARS, README_TERMS = 2000, 80
"""How far a README is read: its beginning says what the repository is."""
UNTOLD_LENGTH = 16
"""The length that stands for a text that nobody knows, so that saying nothing is no merit."""
MAX_PHRASE = 4
OWNER = "owner"


class RepositoryText:
    """A repository's words: its name, description, topics, the beginning of its README, and its owner."""

    def __init__(self, repository: Repository) -> None:
        owner, _, name = repository.full_name.partition("/")
        self._terms = {
            "name": name_terms(name),
            "description": terms(repository.description),
            "topics": [term for topic in repository.topics for term in terms(topic)],
            "readme": first_terms((repository.readme or "")[:README_CHARS], README_TERMS),
            OWNER: terms(owner),
        }
        self._phrases = {place: _phrases(found) for place, found in self._terms.items()}
        self._anywhere = frozenset[Phrase]().union(*self._phrases.values())
        self.language = repository.language

    @property
    def length(self) -> int:
        """Count the different terms of the name and of the description, or of what stands in for it."""
        told = self._terms["description"] or self._terms["readme"]
        return len({*told, *self._terms["name"]}) if told else UNTOLD_LENGTH

    def places(self, wanted: Phrase) -> list[str]:
        """List the places that hold a phrase, the most telling first."""
        if wanted not in self._anywhere:
            return []
        return [place for place, held in self._phrases.items() if wanted in held]

    def holds_any(self, phrases: AbstractSet[Phrase]) -> bool:
        """Tell whether any place holds any of the phrases."""
        return not self._anywhere.isdisjoint(phrases)

    def is_said_to_be(self, things: frozenset[Phrase]) -> bool:
        """Tell whether the name or the description calls the repository one of these things."""
        return any(thing in self._phrases["name"] or thing in self._phrases["description"] for thing in things)

    def stands_alone(self, name: Phrase, longer: Iterable[Phrase]) -> bool:
        """Tell whether a name occurs outside the longer names that begin with it ("React" in "React Native")."""
        within = sum(self._occurrences(other) for other in longer)
        return not within or self._occurrences(name) > within

    def _occurrences(self, wanted: Phrase) -> int:
        """Count a phrase in all places but the topics, which name everything near."""
        n = len(wanted)
        spoken = (self._terms[place] for place in ("name", "description", "readme"))
        return sum(tuple(found[i : i + n]) == wanted for found in spoken for i in range(len(found) - n + 1))


def _phrases(found: list[str]) -> frozenset[Phrase]:
    return frozenset(tuple(found[i : i + n]) for n in range(1, MAX_PHRASE + 1) for i in range(len(found) - n + 1))
