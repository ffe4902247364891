"""What an analysis reads: a repository at GitHub, then the known vulnerabilities of its dependencies at OSV.

OSV is the database of known vulnerabilities of open source packages. All packages are asked about in one call
(https://google.github.io/osv.dev/post-v1-querybatch/). What is sent is the package URL and the version of each, and
nothing of the repository that names them.
"""

from collections.abc import Sequence
from functools import partial

from goldpan.contracts import FAILED_STATUSES, SourceStatus
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.engine.status_rows import StatusRows
from goldpan.errors import CallFailed, Unavailable
from goldpan.infra.cache import CachedValues, cache_key
from goldpan.infra.source_client import SourceClient
from goldpan.kinds.repositories.analysis.models import Dependency, Read, RepositoryFacts
from goldpan.kinds.repositories.models import KIND
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.repository import read_repository
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings

GITHUB_SHARE, ADVISORIES_SECONDS = 0.6, 5.0
"""The share of the time for reading the repository, and the bound of the call for its vulnerabilities."""
MAX_IDS, MAX_ID_CHARS = 20, 60


def make_reader(settings: GitHubSettings, connections: Connections) -> Read:
    """Make the reader of repositories, behind the cache if there is one."""
    client = GitHubClient(settings, connections)
    osv = SourceClient("osv", settings.osv_url, connections, title="OSV")
    read: Read = partial(_read, client, osv)
    if connections.cache is None:
        return read
    facts = CachedValues(connections.cache, "source", RepositoryFacts, connections.clock)
    return partial(read_cached, facts, f"{settings.identity} {settings.osv_url}", read)


def read_cached(
    facts: CachedValues[RepositoryFacts], identity: str, read: Read, full_name: str, deadline: Deadline
) -> RepositoryFacts:
    """Return fresh cached facts, else read; stale ones serve if that fails. Facts with a failed part are not cached."""
    key = cache_key("source", facts_of=full_name.lower(), identity=identity)
    failed = FAILED_STATUSES - {"skipped"}
    served = facts.read_or_call(
        key, lambda: read(full_name, deadline), lambda found: failed.isdisjoint(row.status for row in found.sources)
    )
    if served.age_s is None:
        return served.value
    change = {"cached": True, "age_s": served.age_s} | ({"detail": served.note[:300]} if served.note else {})
    rows = tuple(row.model_copy(update=change) for row in served.value.sources)
    return served.value.model_copy(update={"sources": rows})


def _read(client: GitHubClient, osv: SourceClient, full_name: str, deadline: Deadline) -> RepositoryFacts:
    facts = read_repository(client, full_name, deadline.within(GITHUB_SHARE * deadline.left))
    judged, row = _judged(osv, facts.dependencies or (), deadline.within(ADVISORIES_SECONDS))
    return facts.model_copy(update={"dependencies": judged or facts.dependencies, "sources": (*facts.sources, row)})


def _judged(
    osv: SourceClient, dependencies: tuple[Dependency, ...], deadline: Deadline
) -> tuple[tuple[Dependency, ...], SourceStatus]:
    """Add the known vulnerabilities; what could not be asked, and why, is the row of the source."""
    rows = StatusRows(KIND, "vulnerabilities", "osv")
    asked = [each for each in dependencies if each.version]
    if not asked:
        return dependencies, rows.row("skipped", "no dependency has an exact version")
    try:
        found = look_up(osv, asked, deadline)
    except CallFailed as failure:
        return dependencies, rows.failed(failure)
    unread = sum(ids is None for ids in found.values())
    row = rows.row("truncated" if unread else "ok", f"{len(asked)} dependencies asked, {unread} results unreadable")
    return tuple(each.model_copy(update={"vulnerabilities": found.get(each)}) for each in dependencies), row


def look_up(
    osv: SourceClient, asked: Sequence[Dependency], deadline: Deadline
) -> dict[Dependency, tuple[str, ...] | None]:
    """Return the ids of the vulnerabilities of dependencies; None for a malformed result. Raises `CallFailed`."""
    body = {"queries": [{"package": {"purl": each.package}, "version": each.version} for each in asked]}
    content = osv.send("/v1/querybatch", {}, deadline, body=body).json()
    rows = content.get("results") if isinstance(content, dict) else None
    if not isinstance(rows, list) or len(rows) != len(asked):
        raise Unavailable("OSV's response has not one result for each dependency")
    return dict(zip(asked, map(_ids, rows), strict=True))


def _ids(row: object) -> tuple[str, ...] | None:
    listed = (row.get("vulns") or []) if isinstance(row, dict) else None
    if not isinstance(listed, list):
        return None
    ids = (each.get("id") for each in listed if isinstance(each, dict))
    return tuple(one[:MAX_ID_CHARS] for one in ids if isinstance(one, str) and one)[:MAX_IDS]
