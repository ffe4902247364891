"""A source that remembers: asked again within the hour it answers from the cache, and where it fails with what is old.

Searches are remembered by what was searched for, facts by the name of the repository; both by the credential, because
what one may see another may not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.errors import CallFailed
from goldpan.infra.cache.port import Cache, cache_key
from goldpan.infra.cache.values import CachedValue, CachedValues
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Enriched, Found, RepositorySource


class CachedSource:
    """A source of repositories behind a cache; `identity` names the source, its address and its credential."""

    def __init__(self, source: RepositorySource, cache: Cache, clock: Clock, identity: str) -> None:
        self._source, self._identity = source, identity
        self._found = CachedValues(cache, "source", Found, clock)
        self._facts = CachedValues(cache, "source", Repository, clock)

    @property
    def searches_a_question(self) -> int:
        """How many searches one question may cost: what is remembered is not known beforehand."""
        return self._source.searches_a_question

    @property
    def notice(self) -> str | None:
        """Say what the source itself has to say."""
        return self._source.notice

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Give what is remembered, else run the searches; where they fail an older answer serves, marked as such."""
        key = cache_key("source", of=self._identity, searches=list(searches))
        known = self._found.read([key]).get(key)
        if known and known.fresh:
            return replace(known.value, age_s=known.age_s)
        try:
            found = self._source.search(searches, deadline)
        except CallFailed as failure:
            if known is None:
                raise
            return _served_stale(known, failure)
        if not found.failures and not found.incomplete:
            self._found.write({key: found})
        return found

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Give the facts that are remembered and fetch the others; where that fails older facts serve."""
        keys = [self._key(repository) for repository in repositories]
        known = self._facts.read(keys)
        asked = {key: each for key, each in zip(keys, repositories, strict=True) if not _is_fresh(known.get(key))}
        fetched, failures = self._fetched(asked, deadline, any_known=bool(known))
        self._facts.write(fetched)
        facts = {key: memory.value for key, memory in known.items()} | fetched
        return Enriched(tuple(facts.get(key, each) for key, each in zip(keys, repositories, strict=True)), failures)

    def _fetched(
        self, asked: Mapping[str, Repository], deadline: Deadline, *, any_known: bool
    ) -> tuple[dict[str, Repository], tuple[str, ...]]:
        """Fetch facts: those that came, and what is to be said of the others, which come back as they were."""
        if not asked:
            return {}, ()
        try:
            told = self._source.enrich(list(asked.values()), deadline)
        except CallFailed as failure:
            if not any_known:
                raise
            return {}, (f"no newer facts ({failure})",)
        came = zip(asked, told.repositories, strict=True)
        return {key: repository for key, repository in came if repository != asked[key]}, told.failures

    def _key(self, repository: Repository) -> str:
        return cache_key("source", of=self._identity, facts=repository.full_name.lower())


def _is_fresh(known: CachedValue[Repository] | None) -> bool:
    return known is not None and known.fresh


def _served_stale(known: CachedValue[Found], failure: CallFailed) -> Found:
    note = f"found {known.age_s // 60} minutes ago, because now: {failure}"
    return replace(known.value, age_s=known.age_s, notes=(note, *known.value.notes))
