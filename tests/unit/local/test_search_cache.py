"""The cache in memory: what it keeps, how long, and bounds that hold."""

import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from sys import getrefcount
from unittest.mock import Mock

import pytest
from goldpan.config import Frozen
from goldpan.local.search_cache import InMemoryCache


class Text(Frozen):
    """A value."""

    text: str


def test_a_failure_reaches_its_caller_and_is_not_kept() -> None:
    """The next call runs again, and its value is kept."""
    cache, fail = InMemoryCache(), Mock(side_effect=LookupError("no network"))
    with pytest.raises(LookupError, match="no network"):
        cache.get_or_run("key", Text, fail)
    assert cache.get_or_run("key", Text, lambda: Text(text="x")).text == "x"
    assert cache.get_or_run("key", Text, fail).text == "x"


def test_calls_at_the_same_time_share_a_failure() -> None:
    """They would fail one after the other, each after the whole time of a search."""
    cache, executed = InMemoryCache(), list[str]()

    def fail() -> Text:
        executed.append("once")
        alone = getrefcount(cache._running["key"])
        other = pool.submit(cache.get_or_run, "key", Text, fail)
        while getrefcount(cache._running["key"]) == alone:
            time.sleep(0.001)
        failures.append(other)
        raise LookupError("no network")

    with ThreadPoolExecutor(2) as pool:
        failures = [pool.submit(cache.get_or_run, "key", Text, fail)]
        assert {str(each.exception(60)) for each in failures} == {"no network"}
    assert (executed, len(failures)) == (["once"], 2)


def test_the_memory_of_large_values_stays_below_the_bound() -> None:
    """A hundred times as much as fits is put in; the least recently used go, and what is too large is not kept."""
    bound = 2_000_000
    cache = InMemoryCache(max_entries=10_000, max_bytes=bound)
    tracemalloc.start()
    try:
        for number in range(2_000):
            cache.get_or_run(f"key {number}", Text, lambda: Text(text="x" * 100_000))
            cache.get_or_run("key 0", Text, lambda: Text(text="again"))
        cache.get_or_run("huge", Text, lambda: Text(text="x" * bound))
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert used < bound * 1.1
    assert (len(cache._entries), cache._bytes <= bound) == (19, True)
    assert cache.get_or_run("key 0", Text, lambda: Text(text="evicted")).text == "x" * 100_000
    for cache in (InMemoryCache(max_entries=3), InMemoryCache(max_bytes=1_500)):
        for number in range(10):
            cache.get_or_run(str(number), Text, lambda: Text(text=""))
        assert len(cache._entries) == 3, "an empty value takes memory too"


def test_a_value_expires() -> None:
    """After the time of the cache, or after its own if that is shorter."""
    now = [0.0]
    cache = InMemoryCache(max_entries=2, ttl_seconds=60, tick=lambda: now[0])

    def read(key: str, ttl: float | None = None) -> str:
        return cache.get_or_run(key, Text, lambda: Text(text=f"made at {now[0]:.0f}"), lambda _: ttl).text

    read("partial", 10), read("whole", 900)
    now[0] = 59.0
    assert (read("whole"), read("partial", 10)) == ("made at 0", "made at 59")
    now[0] = 61.0
    assert (read("partial"), read("whole")) == ("made at 59", "made at 61")
