"""GitHub as a source of repositories: GraphQL with a token, REST without."""

from __future__ import annotations

from goldpan.engine.deadlines import Clock
from goldpan.infra.http import Http
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.graphql import GitHubWithToken
from goldpan.kinds.repositories.sources.github.rest import GitHub
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings


def open_github(settings: GitHubSettings, http: Http, rate_limiter: RateLimiter, clock: Clock) -> GitHub:
    """Make the source of these settings."""
    client = GitHubClient(settings, http, rate_limiter, clock)
    return (GitHubWithToken if client.has_token else GitHub)(client)
