"""What an analysis reads from: a repository, and a database of known vulnerabilities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from goldpan.engine.deadlines import Deadline
from goldpan.kinds.repositories.analysis.models import Advisories, Dependency, RepositoryFacts

Read = Callable[[str, Deadline], RepositoryFacts]
"""Reads all facts of a repository that can be had in time; a part that failed is a row of `sources`.

Raises `InvalidRequest` if there is no such repository or it is blocked, `CredentialRejected`, or `CallFailed` if
nothing could be read.
"""
LookUp = Callable[[Sequence[Dependency], Deadline], Advisories]
"""Returns the known vulnerabilities of dependencies that have a version. Raises `CallFailed`."""


@dataclass(frozen=True)
class Readers:
    """What an analysis reads from."""

    read: Read
    look_up: LookUp
    identity: tuple[str, ...]
    """The addresses and credentials, without revealing them: what one may see, another may not."""
