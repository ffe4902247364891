"""Typed values in the cache, written as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from goldpan.engine.deadlines import Clock
from goldpan.infra.cache.port import TTL, Cache, Namespace

Value = TypeVar("Value")


@dataclass(frozen=True)
class CachedValue(Generic[Value]):
    """A value from the cache, its age in seconds, and whether it is fresh."""

    value: Value
    age_s: int
    fresh: bool


class CachedValues(Generic[Value]):
    """Values of one type in one namespace of a cache."""

    def __init__(self, cache: Cache, namespace: Namespace, value_type: type[Value], clock: Clock) -> None:
        self._cache, self._ttl, self._clock = cache, TTL[namespace], clock
        self._adapter: TypeAdapter[Value] = TypeAdapter(value_type)

    def read(self, keys: Sequence[str]) -> dict[str, CachedValue[Value]]:
        """Return the values of those keys that have one, also stale ones; leave out entries that do not validate."""
        now, values = self._clock.now(), {}
        for key, entry in self._cache.read(keys).items():
            try:
                value = self._adapter.validate_json(entry.value)
            except ValidationError:  # written by another version of goldpan
                continue
            values[key] = CachedValue(value, round(entry.age(now)), entry.is_fresh(now))
        return values

    def write(self, values: Mapping[str, Value]) -> None:
        """Write values, fresh for the TTL of the namespace."""
        if values:
            self._cache.write({key: self._adapter.dump_json(value) for key, value in values.items()}, self._ttl)
