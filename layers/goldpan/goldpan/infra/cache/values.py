"""Typed values in the cache, and the keys of its entries."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Generic, Literal, TypeVar

import goldpan_data
from pydantic import BaseModel, TypeAdapter, ValidationError

from goldpan.engine.deadlines import Clock
from goldpan.errors import CallFailed
from goldpan.infra.cache.entries import Cache
from goldpan.version import __version__

Namespace = Literal["translation", "source", "search", "answer"]
TTL: Mapping[Namespace, timedelta] = {
    **dict.fromkeys(("translation", "search", "answer"), timedelta(minutes=15)),
    "source": timedelta(hours=1),
}
"""How long an entry is fresh."""
CACHE_FORMAT = 1
"""To be raised by hand when the format of values changes without a new version of goldpan."""


def cache_key(namespace: Namespace, **parts: object) -> str:
    """Make the key of JSON values or models, for this version of goldpan and its data. Raises `TypeError` else."""
    content = {"format": CACHE_FORMAT, "version": __version__, "data": goldpan_data.__version__, "parts": parts}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False, default=_json_value)
    return f"{namespace}:{hashlib.sha256(text.encode()).hexdigest()}"


def _json_value(part: object) -> object:
    if isinstance(part, BaseModel):
        return part.model_dump(mode="json")
    raise TypeError(f"a cache key cannot contain a {type(part).__name__}; allowed are JSON values and pydantic models")


Value = TypeVar("Value")


@dataclass(frozen=True)
class CachedValue(Generic[Value]):
    """A value that was fetched now, or a cached one with its age in seconds."""

    value: Value
    age_s: int | None = None
    fresh: bool = True
    failure: CallFailed | None = None
    """That of the call in place of which a stale value serves."""

    @property
    def note(self) -> str:
        """Why a stale value serves, without its age, which `age_s` says; empty for any other."""
        return f"served from the cache because the source failed: {self.failure}" if self.failure else ""


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

    def read_or_call(
        self, key: str, call: Callable[[], Value], is_complete: Callable[[Value], bool]
    ) -> CachedValue[Value]:
        """Return the fresh value, else call, and write what is complete; an old value serves if the call fails."""
        cached = self.read([key]).get(key)
        if cached and cached.fresh:
            return cached
        try:
            value = call()
        except CallFailed as failure:
            if cached is None:
                raise
            return replace(cached, failure=failure)
        if is_complete(value):
            self.write({key: value})
        return CachedValue(value)

    def write(self, values: Mapping[str, Value]) -> None:
        """Write values, fresh for the TTL of the namespace."""
        if values:
            self._cache.write({key: self._adapter.dump_json(value) for key, value in values.items()}, self._ttl)
