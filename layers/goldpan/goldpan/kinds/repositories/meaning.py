"""The text of a repository that an encoder reads."""

from __future__ import annotations

import re

from goldpan.kinds.repositories.models import Repository

_CAMEL_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SEPARATORS = re.compile(r"[-_.]+")


def spaced_name(repository: Repository) -> str:
    """Return the name without its owner, as separate words."""
    name = repository.full_name.partition("/")[2]
    return _SEPARATORS.sub(" ", _CAMEL_CASE.sub(" ", name)).strip()


def meaning_text(repository: Repository) -> str:
    """Return what the owner says: the name, the description and the topics; the README if there is no description."""
    topics = ", ".join(topic.replace("-", " ") for topic in repository.topics)
    parts = (
        spaced_name(repository),
        repository.about,
        topics,
    )
    return ". ".join(part.strip().rstrip(".") for part in parts if part.strip())
