"""Typed values in the cache: written as JSON, left out if they do not validate."""

from __future__ import annotations

from datetime import timedelta

from goldpan.infra.cache.values import CachedValue, CachedValues
from pydantic import BaseModel

from tests.support.fakes import FakeClock
from tests.support.memory_stores import MemoryCache


class Point(BaseModel):
    """A value."""

    x: int


def test_values_come_back_with_their_age() -> None:
    """A value is fresh for the TTL of its namespace; one of another version, or that is no JSON, is left out."""
    clock = FakeClock()
    cache = MemoryCache(clock)
    values = CachedValues(cache, "source", Point, clock)
    values.write({})
    values.write({key: Point(x=1) for key in "abc"})
    cache.write({"b": b'{"y": 1}', "c": b"\xff"}, timedelta(hours=1))
    clock.wait(3599.4)
    assert values.read(["a", "b", "c", "d"]) == {"a": CachedValue(Point(x=1), 3599, fresh=True)}
    clock.wait(0.6)
    assert values.read(["a"]) == {"a": CachedValue(Point(x=1), 3600, fresh=False)}
