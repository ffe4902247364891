"""The text of one repository: its note, its terms by field, and what an encoder reads.

A note is what goldpan itself says of a well-known repository: one sentence, in its own words. Many owners describe a
project by its virtues ("the simple, secure framework developers trust"), in which no word of a question occurs; a note
says what it is and what it is for. `notes.txt` of goldpan-data has a name and a sentence a line.
"""

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from itertools import chain
from types import MappingProxyType

from goldpan_data import read_lines

from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.vocabulary import MAX_PHRASE_WORDS
from goldpan.text import Phrase, first_terms, name_terms, terms


@cache
def notes() -> Mapping[str, str]:
    """Return the notes by full name in lower case, none without goldpan-data; the first call reads the file."""
    return MappingProxyType(dict(line.split("\t") for line in read_lines("notes.txt")))


@cache
def present_names() -> Mapping[str, str]:
    """Return the present name of a repository by its former one, both in lower case, none without goldpan-data."""
    return MappingProxyType(dict(line.split("\t") for line in read_lines("former_names.txt")))


def any_note(repository: Repository) -> str | None:
    """Return the note of a repository: goldpan's own, else one that a language model wrote for a catalogue."""
    return notes().get(repository.full_name.lower()) or repository.note


def note_of(repository: Repository) -> str | None:
    """Return the note of a repository; None if it has none, or its description says the same."""
    note = any_note(repository)
    return None if note == repository.description else note


def shown_note(repository: Repository) -> str | None:
    """Return the note as an answer shows it: that of a language model says so."""
    note = any_note(repository)
    by_model = note and repository.note_by and note == repository.note
    return f"{note} (written by {repository.note_by})" if by_model else note


def best_description(repository: Repository) -> str:
    """Return what it is in words: its description, else a note, a curator's text or its README; empty if unknown."""
    return repository.description or note_of(repository) or repository.curator_text or repository.readme or ""


def labelled(description: str | None, note: str | None) -> str | None:
    """Return a description, else the note, which is called one, since it is not by the owner."""
    return f"(note) {note}" if note and description in {None, "", note} else description


README_CHARS, README_TERMS = 2000, 80
"""How much of a README is read: its beginning says what the repository is."""
ASSUMED_LENGTH = 16
"""The length of an unknown text: longer than usual, so that a missing description is no advantage."""
KEPT_TEXTS = 512
NAME_OR_DESCRIPTION = 0b11
"""The bits of the first two fields of a text."""
OWNER, CURATOR, NOTE = "owner", "curator's text", "note"
_URL = re.compile(r"\b(?:https?://|www\.)\S+", re.IGNORECASE)
_NAMED = r"[\w+#-]+(?:\s(?!(?:and|or|but|for|with|to|in|that|which|by|from|as|is|are|on|of|it|you)\b)[\w+#-]+)?"
_DENIED = re.compile(
    rf"\b(?:instead of|no need for|not|without|alternatives? to)\s(?:an?|any|the need for|traditional)\s{_NAMED}"
    rf"|\b(?:instead of|no need for)\s{_NAMED}"
    rf"|\bno\s{_NAMED}\s(?:is |are )?(?:required|needed|necessary)\b",
    re.IGNORECASE,
)
"""What a repository does without, or replaces."""


class RepositoryText:
    """The terms of a repository's name, description, topics, beginning of the README, note, and owner."""

    def __init__(self, repository: Repository) -> None:
        owner, _, name = repository.full_name.partition("/")
        description, note, topics = repository.description, any_note(repository), repository.topics
        readme, curator_text = ((text or "")[:README_CHARS] for text in (repository.readme, repository.curator_text))
        self.language, self._is_note = repository.language, bool(note) and description == note
        self._terms = {
            "name": name_terms(name),
            "description": terms(_own(description)),
            "topics": [term for topic in topics or () for term in terms(topic)],
            "readme": first_terms(_own(readme), README_TERMS),
            CURATOR: first_terms(_own(curator_text), README_TERMS),
            NOTE: [] if self._is_note else terms(_own(note)),
            OWNER: terms(owner),
        }
        self._fields = dict[Phrase, int]()
        """The fields of each phrase, a bit each: a set for each took twice the memory, for hundreds of texts."""
        for place, found in enumerate(self._terms.values()):
            runs = (zip(*(found[at:] for at in range(size)), strict=False) for size in range(1, MAX_PHRASE_WORDS + 1))
            fields = dict.fromkeys(chain.from_iterable(runs), 1 << place)
            self._fields |= fields | {each: fields[each] | self._fields[each] for each in fields.keys() & self._fields}

    @property
    def length(self) -> int:
        """The number of different terms of the name and the description, or the README if there is no description."""
        text = next(filter(None, (self._terms[field] for field in ("description", "readme", CURATOR, NOTE))), [])
        return len({*text, *self._terms["name"]}) if text else ASSUMED_LENGTH

    def fields_with(self, phrase: Phrase) -> list[str]:
        """List the fields that contain a phrase, the most significant first."""
        fields = self._fields.get(phrase, 0)
        found = [field for place, field in enumerate(self._terms) if fields >> place & 1] if fields else []
        return [NOTE if self._is_note and field == "description" else field for field in found]

    def contains_any(self, phrases: AbstractSet[Phrase]) -> bool:
        """Report whether any field contains any of the phrases."""
        return not self._fields.keys().isdisjoint(phrases)

    def describes_itself_as(self, phrases: AbstractSet[Phrase]) -> bool:
        """Report whether the name or the description contains any of the phrases."""
        return any(self._fields[phrase] & NAME_OR_DESCRIPTION for phrase in self._fields.keys() & phrases)


text_of = lru_cache(maxsize=KEPT_TEXTS)(RepositoryText)
"""Returns the terms of a repository; those of the last repositories are kept, since each stage reads the same."""


def without_addresses(text: str | None) -> str:
    """Return a text without addresses: their parts are no words."""
    return _URL.sub(" ", text or "")


def _own(text: str | None) -> str:
    """Return a text without addresses and without what it denies: that is not what the repository is."""
    return _DENIED.sub(" ", without_addresses(text))


_CAMEL_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SEPARATORS = re.compile(r"[-_.]+")


def spaced_name(repository: Repository) -> str:
    """Return the name without its owner, as separate words."""
    name = repository.full_name.partition("/")[2]
    return _SEPARATORS.sub(" ", _CAMEL_CASE.sub(" ", name)).strip()


def meaning_text(repository: Repository) -> str:
    """Return the name, the description, the note and the topics; the README if it is described by neither."""
    return _sentences(spaced_name(repository), nameless_text(repository))


def nameless_text(repository: Repository) -> str:
    """Return what `meaning_text` does, without the name."""
    note = note_of(repository) if repository.description else None
    topics = ", ".join(topic.replace("-", " ") for topic in repository.topics or ())
    return _sentences(without_addresses(best_description(repository)), note or "", topics)


def _sentences(*parts: str) -> str:
    return ". ".join(part.strip().rstrip(".") for part in parts if part.strip())
