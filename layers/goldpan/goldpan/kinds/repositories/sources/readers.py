"""What an analysis reads from: GitHub, over GraphQL with a token and over REST without, and OSV."""

from __future__ import annotations

from functools import partial

from goldpan.contracts import FAILED_STATUSES
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.infra.cache.port import CachedValues, cache_key
from goldpan.kinds.repositories.analysis.models import Read, Readers, RepositoryFacts
from goldpan.kinds.repositories.sources.github.analysis.over_graphql import read_graphql
from goldpan.kinds.repositories.sources.github.analysis.over_rest import read_rest
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from goldpan.kinds.repositories.sources.osv import Osv


def make_readers(settings: GitHubSettings, connections: Connections) -> Readers:
    """Make GitHub, behind the cache if there is one, and the database of vulnerabilities."""
    http, limiter, clock = connections.http(), connections.rate_limiter, connections.clock
    client = GitHubClient(settings, http, limiter, clock)
    read: Read = partial(read_graphql if client.has_token else read_rest, client)
    if connections.cache is not None:
        facts = CachedValues(connections.cache, "source", RepositoryFacts, clock)
        read = partial(read_cached, facts, settings.identity, read)
    osv = Osv(settings.osv_url, connections)
    return Readers(read, osv.look_up, (settings.identity, osv.identity))


def read_cached(
    facts: CachedValues[RepositoryFacts], identity: str, read: Read, full_name: str, deadline: Deadline
) -> RepositoryFacts:
    """Return fresh cached facts, else read; stale ones serve if that fails. Facts with a failed part are not cached.

    Raises as the reader does.
    """
    key = cache_key("source", facts_of=full_name.lower(), identity=identity)
    served = facts.read_or_call(key, lambda: read(full_name, deadline), _is_complete)
    if served.age_s is None:
        return served.value
    change = {"cached": True, "age_s": served.age_s} | ({"detail": served.note[:300]} if served.note else {})
    rows = tuple(row.model_copy(update=change) for row in served.value.sources)
    return served.value.model_copy(update={"sources": rows})


def _is_complete(facts: RepositoryFacts) -> bool:
    return not any(row.status in FAILED_STATUSES - {"skipped"} for row in facts.sources)
