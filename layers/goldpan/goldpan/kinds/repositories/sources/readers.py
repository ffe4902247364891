"""What an analysis reads from: GitHub, over GraphQL with a token and over REST without, and OSV.

OSV is the database of known vulnerabilities of open source packages. Many packages are asked about in one call
(https://google.github.io/osv.dev/post-v1-querybatch/). What is sent is the name, the ecosystem and the version of each,
and nothing of the repository that names them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from goldpan.contracts import FAILED_STATUSES
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import Unavailable
from goldpan.infra.cache.port import CachedValues, cache_key
from goldpan.infra.rate_limits.limits import rate_limit_key
from goldpan.infra.source_client import SourceClient
from goldpan.kinds.repositories.analysis.models import (
    Advisories,
    Dependency,
    Read,
    Readers,
    RepositoryFacts,
    Vulnerable,
)
from goldpan.kinds.repositories.sources.github.analysis.over_graphql import read_graphql
from goldpan.kinds.repositories.sources.github.analysis.over_rest import read_rest
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings

MAX_QUERIES = 1000
"""The maximum of one call."""
MAX_IDS, MAX_ID_CHARS = 20, 60


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


class Osv:
    """A client of OSV at one address; it needs no key."""

    def __init__(self, url: str, connections: Connections) -> None:
        self._client = SourceClient("osv", url, connections, title="OSV")
        self.identity = rate_limit_key("osv", url.rstrip("/"), None)
        """Its address, without a password in it."""

    def look_up(self, dependencies: Sequence[Dependency], deadline: Deadline) -> Advisories:
        """Look up the dependencies in one call. Raises `CallFailed`."""
        asked = [each for each in dependencies if each.version][:MAX_QUERIES]
        body = {"queries": [_query(each) for each in asked]}
        content = self._client.send("/v1/querybatch", {}, deadline, body=body).json()
        rows = content.get("results") if isinstance(content, dict) else None
        if not isinstance(rows, list) or len(rows) != len(asked):
            raise Unavailable("OSV's response has not one result for each dependency")
        found = [(each, _ids(row)) for each, row in zip(asked, rows, strict=True)]
        unread = sum(ids is None for _, ids in found)
        notes = (f"{unread} of OSV's results could not be read.",) if unread else ()
        vulnerable = tuple(Vulnerable(dependency=each, ids=ids) for each, ids in found if ids)
        return Advisories(judged=len(asked) - unread, vulnerable=vulnerable, notes=notes)


def _query(dependency: Dependency) -> dict[str, object]:
    package = {"ecosystem": dependency.ecosystem, "name": dependency.name}
    return {"package": package, "version": dependency.version}


def _ids(row: object) -> tuple[str, ...] | None:
    """Return the ids of the vulnerabilities of one package; None for a malformed result."""
    if not isinstance(row, dict):
        return None
    listed = row.get("vulns") or []
    if not isinstance(listed, list):
        return None
    ids = (each.get("id") for each in listed if isinstance(each, dict))
    return tuple(one[:MAX_ID_CHARS] for one in ids if isinstance(one, str) and one)[:MAX_IDS]
