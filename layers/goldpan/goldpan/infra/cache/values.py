"""Values in the cache: written as JSON, and read as nothing where they are not what they should be."""

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
    """A value that was found a while ago, in seconds."""

    value: Value
    age_s: int
    fresh: bool


class CachedValues(Generic[Value]):
    """The values of one form, in one namespace of a cache."""

    def __init__(self, cache: Cache, namespace: Namespace, form: type[Value], clock: Clock) -> None:
        self._cache, self._life, self._clock = cache, TTL[namespace], clock
        self._form: TypeAdapter[Value] = TypeAdapter(form)

    def read(self, keys: Sequence[str]) -> dict[str, CachedValue[Value]]:
        """Read what is there, stale values too; what another version wrote in another form is not there."""
        now, found = self._clock.now(), {}
        for key, entry in self._cache.read(keys).items():
            try:
                value = self._form.validate_json(entry.value)
            except ValidationError:
                continue
            found[key] = CachedValue(value, round(entry.age(now)), entry.fresh(now))
        return found

    def write(self, values: Mapping[str, Value]) -> None:
        """Remember values from now on."""
        if values:
            self._cache.write({key: self._form.dump_json(value) for key, value in values.items()}, self._life)
