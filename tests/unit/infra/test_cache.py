"""The port of the cache: keys, compression, entries, and typed values."""

import tracemalloc
import zlib
from datetime import timedelta

import goldpan
import goldpan_data
import pytest
from goldpan.infra import cache
from goldpan.infra.cache import TTL, CachedValue, CachedValues, cache_key, decompress
from pydantic import BaseModel

from tests.support.fakes import FakeClock
from tests.support.memory_stores import MemoryCache


def test_how_long_entries_are_fresh() -> None:
    """A translation and an answer are fresh for 15 minutes, source data for an hour; what is no value is left out."""
    minutes = {name: ttl.total_seconds() / 60 for name, ttl in TTL.items()}
    assert minutes == {"translation": 15, "source": 60, "search": 15, "answer": 15}
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


def test_all_processes_of_a_version_compute_the_same_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the order of names nor the process changes a key; another version, data or format reads none."""
    assert vars(cache)["__version__"] == goldpan.__version__
    keys = []
    for version, number, data in (("1", 1, "1"), ("2", 1, "1"), ("1", 2, "1"), ("1", 1, "2")):
        monkeypatch.setattr(cache, "__version__", version)
        monkeypatch.setattr(goldpan_data, "__version__", data)
        monkeypatch.setattr(cache, "CACHE_FORMAT", number)
        keys += [cache_key("source", words=["a", "日本", "\ud800"], b={"x": 1, "y": (2,)})]
        assert keys[-1] == cache_key("source", b={"y": [2], "x": 1}, words=["a", "日本", "\ud800"])
    assert len(set(keys)) == 4
    assert cache_key("answer", a=1).removeprefix("answer:") == cache_key("source", a=1).removeprefix("source:")
    assert keys[0] == "source:5d26b4fbca328074444c2cada05a069287d9d6acf899f46c897010db67dbcbb5"


def test_a_value_that_unpacks_to_too_much_is_left_out() -> None:
    """It is given up at the bound, as is one that is cut; the largest value that is allowed comes back."""
    largest = bytes(16 * 1024 * 1024)
    assert decompress(zlib.compress(largest)) == largest
    packer = zlib.compressobj(9)
    bomb = b"".join([*(packer.compress(largest) for _ in range(8)), packer.flush()])
    tracemalloc.start()
    assert decompress(bomb) is None
    assert tracemalloc.get_traced_memory()[1] < 4 * len(largest)
    tracemalloc.stop()
    assert decompress(zlib.compress(b"value" * 100)[:-1]) is None


class Point(BaseModel):
    """A value."""

    x: int
