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


def test_a_value_comes_back_with_its_age() -> None:
    """A value is fresh for the TTL of its namespace, and stale after that."""
    clock = FakeClock()
    values = CachedValues(MemoryCache(clock), "source", Point, clock)
    values.write({"a": Point(x=1)})
    clock.wait(3599.4)
    assert values.read(["a", "b"]) == {"a": CachedValue(Point(x=1), 3599, fresh=True)}
    clock.wait(0.6)
    assert values.read(["a"]) == {"a": CachedValue(Point(x=1), 3600, fresh=False)}


def test_what_does_not_validate_is_left_out() -> None:
    """Values of another version, and values that are no JSON, are as good as none."""
    clock = FakeClock()
    cache = MemoryCache(clock)
    values = CachedValues(cache, "source", Point, clock)
    values.write({})
    values.write({key: Point(x=1) for key in "abc"})
    cache.write({"a": b'{"y": 1}', "b": b"\xff"}, timedelta(hours=1))
    assert list(values.read(["a", "b", "c"])) == ["c"]
