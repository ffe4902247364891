"""What an analysis reads from."""

from __future__ import annotations

from goldpan.engine.dependencies import Connections
from goldpan.kinds.repositories.analysis.ports import Readers, RepositoryReader
from goldpan.kinds.repositories.sources.cached import CachedReader
from goldpan.kinds.repositories.sources.github.analysis.reader import GitHubReader
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from goldpan.kinds.repositories.sources.osv import Osv


def make_readers(settings: GitHubSettings, connections: Connections) -> Readers:
    """Make GitHub, behind the cache if there is one, and the database of vulnerabilities."""
    http, limiter, clock = connections.http(), connections.rate_limiter, connections.clock
    reader: RepositoryReader = GitHubReader(settings, http, limiter, clock)
    if connections.cache is not None:
        reader = CachedReader(reader, connections.cache, clock)
    return Readers(reader, Osv(settings.osv_url, http, limiter, clock))
