"""A reader of repositories behind a cache: facts of the last hour replace the calls, older ones serve if they fail."""

from __future__ import annotations

from goldpan.contracts import FAILED_STATUSES
from goldpan.engine.deadlines import Clock, Deadline
from goldpan.errors import CallFailed
from goldpan.infra.cache.port import Cache, CachedValue, CachedValues, cache_key
from goldpan.kinds.repositories.analysis.models import RepositoryFacts
from goldpan.kinds.repositories.analysis.ports import RepositoryReader


class CachedReader:
    """A reader behind a cache; facts with a failed part are not cached."""

    def __init__(self, reader: RepositoryReader, cache: Cache, clock: Clock) -> None:
        self._reader = reader
        self._facts = CachedValues(cache, "source", RepositoryFacts, clock)

    @property
    def identity(self) -> str:
        """That of the reader."""
        return self._reader.identity

    def read(self, full_name: str, deadline: Deadline) -> RepositoryFacts:
        """Return fresh cached facts, else read; stale ones serve if that fails. Raises as the reader does."""
        key = cache_key("source", facts_of=full_name.lower(), identity=self.identity)
        cached = self._facts.read([key]).get(key)
        if cached and cached.fresh:
            return _aged(cached)
        try:
            facts = self._reader.read(full_name, deadline)
        except CallFailed as failure:
            if cached is None:
                raise
            return _aged(cached, f"read {cached.age_s // 60} minutes ago, served because GitHub failed: {failure}")
        if not any(row.status in FAILED_STATUSES - {"skipped"} for row in facts.sources):
            self._facts.write({key: facts})
        return facts


def _aged(cached: CachedValue[RepositoryFacts], detail: str = "") -> RepositoryFacts:
    change: dict[str, object] = {"cached": True, "age_s": cached.age_s}
    if detail:
        change["detail"] = detail[:300]
    rows = tuple(row.model_copy(update=change) for row in cached.value.sources)
    return cached.value.model_copy(update={"sources": rows, "calls": 0, "age_s": cached.age_s})
