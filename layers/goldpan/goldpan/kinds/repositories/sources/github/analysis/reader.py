"""GitHub as what an analysis reads from: GraphQL with a token, REST without."""

from __future__ import annotations

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.infra.http import Http
from goldpan.infra.rate_limits.port import RateLimiter
from goldpan.kinds.repositories.analysis.models import RepositoryFacts
from goldpan.kinds.repositories.sources.github.analysis.over_graphql import read_graphql
from goldpan.kinds.repositories.sources.github.analysis.over_rest import read_rest
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings


class GitHubReader:
    """Reads one repository with one credential, or without."""

    def __init__(self, settings: GitHubSettings, http: Http, rate_limiter: RateLimiter, clock: Clock) -> None:
        self._client = GitHubClient(settings, http, rate_limiter, clock)
        self._identity = settings.identity

    @property
    def identity(self) -> str:
        """The address and the credential, without revealing them."""
        return self._identity

    def read(self, full_name: str, deadline: Deadline) -> RepositoryFacts:
        """Read a repository.

        Raises `InvalidRequest` if there is none, `CredentialRejected`, or `CallFailed` if nothing could be read.
        """
        read = read_graphql if self._client.has_token else read_rest
        return read(self._client, full_name, deadline)
