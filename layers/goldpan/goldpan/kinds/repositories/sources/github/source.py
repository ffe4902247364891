"""GitHub as a source of repositories: GraphQL with a token, REST without."""

from __future__ import annotations

from collections.abc import Sequence

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.infra.http import Http
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import ALL_WORDS, Enriched, Found
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.graphql import (
    enrich_graphql,
    look_up_graphql,
    page_graphql,
    search_graphql,
)
from goldpan.kinds.repositories.sources.github.rest import look_up_rest, page_rest, search_rest
from goldpan.kinds.repositories.sources.github.settings import (
    SEARCHES_WITH_TOKEN,
    SEARCHES_WITHOUT_TOKEN,
    GitHubSettings,
)

NO_TOKEN = "GITHUB_TOKEN is not set: READMEs, releases, issues and contributors were not looked at."  # noqa: S105


class GitHub:
    """GitHub as a source of repositories."""

    matches = ALL_WORDS

    def __init__(self, settings: GitHubSettings, http: Http, rate_limiter: RateLimiter, clock: Clock) -> None:
        self._client = GitHubClient(settings, http, rate_limiter, clock)
        self.has_token = self._client.has_token
        """Whether GraphQL can be used, and with it facts of a hundred repositories a request."""
        self.searches_a_question = SEARCHES_WITH_TOKEN if self.has_token else SEARCHES_WITHOUT_TOKEN
        self.notice = None if self.has_token else NO_TOKEN
        """What an answer lacks without a token."""

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Run the searches of one strategy; raises `CallFailed` or `CredentialRejected`."""
        run = search_graphql if self.has_token else search_rest
        return run(self._client, searches, deadline)

    def page(self, search: RepositorySearch, after: str | None, deadline: Deadline) -> Found:
        """Fetch a page of 100 results of one search, the first or the `following` of another.

        Raises `CallFailed` or `CredentialRejected`.
        """
        if self.has_token:
            return page_graphql(self._client, search, after, deadline)
        return page_rest(self._client, search, int(after or 1), deadline)

    def look_up(self, names: Sequence[str], deadline: Deadline) -> Found:
        """Fetch repositories by their names; raises `CallFailed` or `CredentialRejected`."""
        run = look_up_graphql if self.has_token else look_up_rest
        return run(self._client, names, deadline)

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Fetch README, tree, releases, issues, commits and contributors; without a token, return them unchanged."""
        if not self.has_token:
            return Enriched(tuple(repositories))
        return enrich_graphql(self._client, repositories, deadline)
