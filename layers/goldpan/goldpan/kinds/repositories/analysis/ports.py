"""The ports of an analysis: what reads a repository, and what knows vulnerabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from goldpan.engine.deadlines import Deadline
from goldpan.kinds.repositories.analysis.models import Advisories, Dependency, RepositoryFacts
from goldpan.kinds.repositories.models import KIND

READER = KIND
"""The name under which the dependencies hold the readers of this kind."""


class RepositoryReader(Protocol):
    """Reads one repository."""

    @property
    def identity(self) -> str:
        """The address and the credential, without revealing them: what one may see, another may not."""

    def read(self, full_name: str, deadline: Deadline) -> RepositoryFacts:
        """Read all facts that can be had in time; a part that failed is a row of `sources`.

        Raises `InvalidRequest` if there is no such repository or it is blocked, `CredentialRejected`, or `CallFailed`
        if nothing could be read.
        """


class AdvisorySource(Protocol):
    """A database of known vulnerabilities."""

    @property
    def identity(self) -> str:
        """Its address."""

    def look_up(self, dependencies: Sequence[Dependency], deadline: Deadline) -> Advisories:
        """Return the known vulnerabilities of dependencies that have a version. Raises `CallFailed`."""


@dataclass(frozen=True)
class Readers:
    """What an analysis reads from."""

    repositories: RepositoryReader
    advisories: AdvisorySource
