"""Cache keys cover all that changes a value; entries have an age; the cache never fails a search."""

from __future__ import annotations

import subprocess
import sys
from datetime import date, timedelta

import goldpan
import pytest
from goldpan.config import PipelineConfig
from goldpan.contracts import SearchRequest
from goldpan.infra.cache import port as cache
from goldpan.infra.cache.port import TTL, Entry, cache_key, compress, decompress

from tests.support.fakes import START

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
_ENVIRONMENT = {"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": "7", "PYTHONUTF8": "1"}


def test_how_long_entries_are_fresh() -> None:
    """A translation and an answer are fresh for 15 minutes, data of a source for an hour."""
    minutes = {name: ttl.total_seconds() / 60 for name, ttl in TTL.items()}
    assert minutes == {"translation": 15, "source": 60, "answer": 15}


def test_an_entry_is_fresh_then_stale_then_expired() -> None:
    """An entry serves as stale for one day after it was fresh."""
    entry, last = Entry(b"", START, START + HOUR), timedelta(microseconds=1)
    assert entry.is_fresh(START + HOUR - last)
    assert not entry.is_fresh(START + HOUR)
    assert not entry.is_expired(START + HOUR + DAY - last)
    assert entry.is_expired(START + HOUR + DAY)


def test_an_age_is_never_negative() -> None:
    """An entry written by a clock that is ahead has no age."""
    entry = Entry(b"", START, START + HOUR)
    assert entry.age(START + timedelta(seconds=90)) == 90
    assert entry.age(START - timedelta(seconds=5)) == 0


def test_each_part_changes_the_key() -> None:
    """The query, the mode, the config, the sources, the model and the namespace are all part of a key."""
    request = SearchRequest(query="React")
    parts = {"request": request, "sources": ["github"], "model": "m"}
    keys = [
        cache_key("answer", **parts),
        cache_key("translation", **parts),
        cache_key("answer", **parts | {"request": request.model_copy(update={"query": "Vue"})}),
        cache_key("answer", **parts | {"request": request.model_copy(update={"mode": "focused"})}),
        cache_key(
            "answer", **parts | {"request": SearchRequest(query="React", config=PipelineConfig(max_candidates=20))}
        ),
        cache_key("answer", **parts | {"sources": ["catalogue"]}),
        cache_key("answer", **parts | {"model": "n"}),
        cache_key("answer", **parts | {"model": None}),
    ]
    assert len(set(keys)) == len(keys)


def test_the_version_changes_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of goldpan, or of the format of values, reads nothing of the old one."""
    before = cache_key("answer", query="q")
    assert vars(cache)["__version__"] == goldpan.__version__
    for name, value in (("__version__", "99"), ("CACHE_FORMAT", 99)):
        with monkeypatch.context() as patched:
            patched.setattr(cache, name, value)
            assert cache_key("answer", query="q") != before


def test_all_processes_compute_the_same_key() -> None:
    """Neither the order of names, nor the process, nor the script of a text changes a key."""
    assert cache_key("source", a=1, b={"x": 1, "y": [2]}) == cache_key("source", b={"y": (2,), "x": 1}, a=1)
    program = (
        "from goldpan.infra.cache.port import cache_key; print(cache_key('source', words=['a', '日本', '\\ud800']))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=_ENVIRONMENT)
    assert run.stdout.strip() == cache_key("source", words=["a", "日本", "\ud800"])


@pytest.mark.parametrize("part", [{"a", "b"}, date(2026, 1, 1), object(), b"x"])
def test_other_types_are_refused_as_parts(part: object) -> None:
    """A part that two processes might write differently is refused by its type."""
    with pytest.raises(TypeError, match=f"cannot contain a {type(part).__name__}; allowed are JSON values"):
        cache_key("source", part=part)


def test_a_value_is_compressed() -> None:
    """A long value becomes short and comes back; other bytes come back as None."""
    value = b'{"full_name": "o/r"}' * 1000
    assert len(compress(value)) < len(value) / 20
    assert decompress(compress(value)) == value
    assert [decompress(other) for other in (b"", b"garbage", compress(value)[:-9])] == [None] * 3
