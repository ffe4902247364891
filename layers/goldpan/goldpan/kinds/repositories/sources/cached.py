"""Sources behind a cache: fresh entries replace a call, and stale ones serve where the call fails.

Searches are cached by what is searched for, repositories by name, and both by the credential, because two credentials
may see different repositories.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.infra.cache import Cache, CachedValues, cache_key
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
        """Return fresh cached repositories of these names, without what only `enrich` gives, and fetch the others."""
        keys = [self._repository_key(name) for name in names]
        fresh = {key: entry for key, entry in self._repositories.read(keys).items() if entry.fresh}
        missing = [name for name, key in zip(names, keys, strict=True) if key not in fresh]
        key = cache_key("source", identity=self._identity, names=[name.lower() for name in missing])
        found = self._read_or_call(key, lambda: self._source.look_up(missing, deadline)) if missing else Found((), 0)
        fetched = iter(found.lists)
        known = {key: entry.value.model_copy(update={"readme": None, "tree": None}) for key, entry in fresh.items()}
        lists = tuple((known[key],) if key in known else next(fetched) for key in keys)
        ages = (*(entry.age_s for entry in fresh.values()), found.age_s)
        age = max((one for one in ages if one is not None), default=None)
        return replace(found, lists=lists, available=sum(map(len, lists)), queries=tuple(names), age_s=age)

    def _read_or_call(self, key: str, call: Callable[[], Found]) -> Found:
        served = self._searches.read_or_call(key, call, lambda found: not (found.failures or found.incomplete))
        notes = (served.note, *served.value.notes) if served.note else served.value.notes
        return replace(served.value, age_s=served.age_s, notes=notes)

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Return the cached repositories and fetch the others; a stale one serves if that fails.

        What the source returns unchanged is not cached: it may be known to a catalogue alone.
        """
        keys = [self._repository_key(repository.full_name) for repository in repositories]
        given = dict(zip(keys, repositories, strict=True))
        cached = self._repositories.read(keys)
        missing = {key: each for key, each in given.items() if key not in cached or not cached[key].fresh}
        enriched = self._source.enrich(list(missing.values()), deadline) if missing else Enriched(())
        pairs = zip(missing, enriched.repositories, strict=True)
        changed = {key: each for key, each in pairs if each != missing[key]}
        self._repositories.write({key: repository for key, repository in changed.items() if repository})
        found = {**given, **{key: entry.value for key, entry in cached.items()}, **changed}
        return Enriched(tuple(found[key] for key in keys), enriched.failures)

    def _repository_key(self, full_name: str) -> str:
        return cache_key("source", identity=self._identity, repository=full_name.lower())
