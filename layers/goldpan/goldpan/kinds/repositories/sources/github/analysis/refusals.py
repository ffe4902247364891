"""What an analysis says of a repository that cannot be read, or of a text that is not meant for people."""

from __future__ import annotations

from goldpan.errors import InvalidRequest
from goldpan.kinds.repositories.models import Repository
from goldpan.text import suspicious

BLOCKED = "repo: GitHub blocks access to {} for legal reasons (451), so nothing of it can be read"
NOT_FOUND = (
    "repo: {} was not found on GitHub: it does not exist, was deleted, or is private and GITHUB_TOKEN may not read it"
)
PRIVATE = "Private: only those who may read it can open the evidence."
MAX_CHECKED = 200_000
"""Characters of a README that are searched for instructions to a language model."""


def not_found(full_name: str) -> InvalidRequest:
    """Say that a repository is not there for this caller."""
    return InvalidRequest(NOT_FOUND.format(full_name))


def speaks_to_a_model(repository: Repository, readme: str | None) -> bool:
    """Whether a text of a repository gives instructions to a language model."""
    texts = (readme, repository.description, *repository.topics, *(repository.tree or ()))
    return any(suspicious(text[:MAX_CHECKED]) for text in texts if text)
