"""A source of papers behind a cache: fresh entries replace a call, and stale ones serve where the call fails.

Searches are cached by their queries and constraints, look-ups by DOI, and both by the address and the credential of the
source. That a source does not know a DOI is cached too, as an empty list.
"""

from collections.abc import Sequence
from dataclasses import replace

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.errors import CallFailed
from goldpan.infra.cache.entries import Cache
from goldpan.infra.cache.values import CachedValues, cache_key
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.ports import PaperSource, SearchResult


class CachedSource:
    """A source of papers behind a cache; `identity` names the source, its address and its credential."""

    def __init__(self, source: PaperSource, cache: Cache, clock: Clock, identity: str) -> None:
        self._source, self.plan = source, source.plan
        self._identity, self._values = identity, CachedValues(cache, "source", SearchResult, clock)

    def search(self, queries: Sequence[PaperQuery], constraints: Constraints, deadline: Deadline) -> SearchResult:
        """Return a fresh cached result, else run the queries; a stale result serves if they fail.

        Raises `CallFailed` if they fail and nothing is cached.
        """
        key = cache_key("source", identity=self._identity, queries=list(queries), constraints=constraints)
        served = self._values.read_or_call(
            key,
            lambda: self._source.search(queries, constraints, deadline),
            lambda found: not (found.failures or found.incomplete),
        )
        notes = (served.note, *served.value.notes) if served.note else served.value.notes
        return replace(served.value, age_s=served.age_s, notes=notes)

    def look_up(self, dois: Sequence[str], deadline: Deadline) -> SearchResult:
        """Return the cached papers and look the others up; stale ones serve if that fails.

        Raises `CallFailed` if it fails and none is cached.
        """
        keys = {cache_key("source", identity=self._identity, doi=doi): doi for doi in dois}
        cached = self._values.read(list(keys))
        missing = {key: doi for key, doi in keys.items() if key not in cached or not cached[key].fresh}
        try:
            found = self._source.look_up(list(missing.values()), deadline) if missing else SearchResult((), 0)
        except CallFailed as failure:
            if not cached:
                raise
            found = SearchResult((), 0, failures=(f"no newer records ({failure})",))
        papers = {paper.ids.doi: paper for listed in found.lists for paper in listed}
        fetched = {key: papers[doi] for key, doi in missing.items() if doi in papers}
        self._values.write({key: SearchResult(((paper,),), 1) for key, paper in fetched.items()})
        if not (found.failures or found.unread or found.incomplete):
            self._values.write({key: SearchResult(((),), 0) for key in missing if key not in fetched})
        known = {key: paper for key, entry in cached.items() for paper in entry.value.lists[0]} | fetched
        return replace(found, lists=(tuple(known[key] for key in keys if key in known),), available=len(known))
