"""The terms of one repository, by the field in which they occur."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.question.vocabulary import MAX_PHRASE_WORDS
from goldpan.text import Phrase, first_terms, name_terms, terms

README_CHARS, README_TERMS = 2000, 80
"""How much of a README is read: its beginning says what the repository is."""
ASSUMED_LENGTH = 16
"""The length of an unknown text: longer than usual, so that a missing description is no advantage."""
OWNER = "owner"


class RepositoryText:
    """The terms of a repository's name, description, topics, beginning of the README, and owner."""

    def __init__(self, repository: Repository) -> None:
        owner, _, name = repository.full_name.partition("/")
        self._terms = {
            "name": name_terms(name),
            "description": terms(repository.description),
            "topics": [term for topic in repository.topics for term in terms(topic)],
            "readme": first_terms((repository.readme or "")[:README_CHARS], README_TERMS),
            OWNER: terms(owner),
        }
        self._phrases = {field: _phrases(found) for field, found in self._terms.items()}
        self._all_phrases = frozenset[Phrase]().union(*self._phrases.values())
        self.language = repository.language

    @property
    def length(self) -> int:
        """The number of different terms of the name and the description, or the README if there is no description."""
        text = self._terms["description"] or self._terms["readme"]
        return len({*text, *self._terms["name"]}) if text else ASSUMED_LENGTH

    def fields_with(self, phrase: Phrase) -> list[str]:
        """List the fields that contain a phrase, the most significant first."""
        if phrase not in self._all_phrases:
            return []
        return [field for field, phrases in self._phrases.items() if phrase in phrases]

    def contains_any(self, phrases: AbstractSet[Phrase]) -> bool:
        """Report whether any field contains any of the phrases."""
        return not self._all_phrases.isdisjoint(phrases)

    def describes_itself_as(self, phrases: AbstractSet[Phrase]) -> bool:
        """Report whether the name or the description contains any of the phrases."""
        return any(not self._phrases[field].isdisjoint(phrases) for field in ("name", "description"))

    def occurs_outside(self, name: Phrase, longer_names: Iterable[Phrase]) -> bool:
        """Report whether a name also occurs outside the longer names with it ("React" in "React Native")."""
        within = sum(self._count(longer) for longer in longer_names)
        return not within or self._count(name) > within

    def _count(self, phrase: Phrase) -> int:
        """Count a phrase in all fields but the topics, which also name related platforms."""
        n = len(phrase)
        prose = (self._terms[field] for field in ("name", "description", "readme"))
        return sum(tuple(found[i : i + n]) == phrase for found in prose for i in range(len(found) - n + 1))


def _phrases(found: list[str]) -> frozenset[Phrase]:
    return frozenset(tuple(found[i : i + n]) for n in range(1, MAX_PHRASE_WORDS + 1) for i in range(len(found) - n + 1))
