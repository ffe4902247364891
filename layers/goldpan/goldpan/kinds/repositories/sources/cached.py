"""Sources behind a cache: fresh entries replace a call, and stale ones serve where the call fails.

Searches are cached by what is searched for, repositories by name, and both by the credential, because two credentials
may see different repositories.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.errors import CallFailed
from goldpan.infra.cache.entries import Cache
from goldpan.infra.cache.values import CachedValues, cache_key
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Enriched, Found, RepositorySource


class CachedSource:
    """A source of repositories behind a cache; `identity` names the source, its address and its credential."""

    def __init__(self, source: RepositorySource, cache: Cache, clock: Clock, identity: str) -> None:
        self._source, self._identity = source, identity
        self.matches, self.notice = source.matches, source.notice
        self.searches_a_question = source.searches_a_question
        """How many searches one question may run; cached ones count, because the plan cannot know them."""
        self._searches = CachedValues(cache, "source", Found, clock)
        self._repositories = CachedValues(cache, "source", Repository, clock)

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Return a fresh cached result, else run the searches; a stale one serves if that raises `CallFailed`."""
        key = cache_key("source", identity=self._identity, searches=list(searches))
        return self._read_or_call(key, lambda: self._source.search(searches, deadline))

    def look_up(self, names: Sequence[str], deadline: Deadline) -> Found:
        """Return fresh cached repositories of these names, else fetch them, as `search` does."""
        key = cache_key("source", identity=self._identity, names=[name.lower() for name in names])
        return self._read_or_call(key, lambda: self._source.look_up(names, deadline))

    def _read_or_call(self, key: str, call: Callable[[], Found]) -> Found:
        served = self._searches.read_or_call(key, call, lambda found: not (found.failures or found.incomplete))
        notes = (served.note, *served.value.notes) if served.note else served.value.notes
        return replace(served.value, age_s=served.age_s, notes=notes)

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Return the cached repositories and fetch the others; stale ones serve if that raises `CallFailed`."""
        names = (repository.full_name.lower() for repository in repositories)
        keys = [cache_key("source", identity=self._identity, repository=name) for name in names]
        given = dict(zip(keys, repositories, strict=True))
        cached = self._repositories.read(keys)
        missing = {key: each for key, each in given.items() if key not in cached or not cached[key].fresh}
        enriched = Enriched(())
        try:
            enriched = self._source.enrich(list(missing.values()), deadline) if missing else enriched
        except CallFailed as failure:
            if not cached:
                raise
            enriched = Enriched(tuple(missing.values()), (f"no newer facts ({failure})",))
        pairs = zip(missing, enriched.repositories, strict=True)
        changed = {key: repository for key, repository in pairs if repository != missing[key]}
        self._repositories.write({key: repository for key, repository in changed.items() if repository})
        known = {**given, **{key: entry.value for key, entry in cached.items()}, **changed}
        return Enriched(tuple(known[key] for key in keys), enriched.failures)
