"""Keys that cover all that changes a value, and entries that know their age."""

from __future__ import annotations

import subprocess
import sys
from datetime import date, timedelta

import goldpan
import pytest
from goldpan.config import PipelineConfig
from goldpan.contracts import SearchRequest
from goldpan.infra.cache import port as cache
from goldpan.infra.cache.port import (
    MAX_ENTRIES,
    STALE_TTL,
    TTL,
    Entry,
    ProcessCache,
    cache_key,
    packed,
    unpacked,
)

from tests.support.fakes import START, FakeClock

LIFE = timedelta(minutes=15)


def test_the_lives() -> None:
    """A translation and an answer are fresh for a quarter of an hour, source data for an hour; all serve a day more."""
    assert {name: life.total_seconds() / 60 for name, life in TTL.items()} == {
        "translation": 15,
        "source": 60,
        "answer": 15,
    }
    assert timedelta(days=1) == STALE_TTL


def test_an_entry_knows_its_age() -> None:
    """An entry is fresh until its time, and its age is never negative, whichever clock wrote it."""
    entry = Entry(b"", START, START + LIFE)
    assert entry.fresh(START + LIFE - timedelta(microseconds=1))
    assert not entry.fresh(START + LIFE)
    assert entry.age(START + timedelta(seconds=90)) == 90
    assert entry.age(START - timedelta(seconds=5)) == 0
    assert not entry.gone(START + LIFE + STALE_TTL - timedelta(seconds=1))
    assert entry.gone(START + LIFE + STALE_TTL)


def test_each_part_changes_the_key() -> None:
    """Whatever changes the value changes the key: the question, mode, filters, weights, sources, model, namespace."""
    request = SearchRequest(query="React")
    changed = [
        request,
        request.model_copy(update={"query": "Vue"}),
        request.model_copy(update={"mode": "focused"}),
        request.model_copy(update={"config": PipelineConfig(max_candidates=20)}),
    ]
    keys = [cache_key("answer", request=one, sources=["github"], model="m") for one in changed]
    keys += [
        cache_key("answer", request=request, sources=["catalogue"], model="m"),
        cache_key("answer", request=request, sources=["github"], model="n"),
        cache_key("answer", request=request, sources=["github"], model=None),
        cache_key("translation", request=request, sources=["github"], model="m"),
    ]
    assert len({key.partition(":")[2] for key in keys[:-1]}) == len(keys) - 1
    assert keys[-1] != keys[0]


def test_the_version_changes_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of the code, or of what is written, reads nothing of the old one."""
    before = cache_key("answer", query="q")
    assert vars(cache)["__version__"] == goldpan.__version__
    for name, value in (("__version__", "99"), ("CACHE_FORMAT", 99)):
        with monkeypatch.context() as patched:
            patched.setattr(cache, name, value)
            assert cache_key("answer", query="q") != before


def test_the_order_of_names_does_not_matter() -> None:
    """The same parts make the same key in every process, in whatever order they are named."""
    assert cache_key("source", a=1, b={"x": 1, "y": [2]}) == cache_key("source", b={"y": (2,), "x": 1}, a=1)
    program = (
        "from goldpan.infra.cache.port import cache_key; print(cache_key('source', words=['a', '日本', '\\ud800']))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=_ENVIRONMENT)
    assert told.stdout.strip() == cache_key("source", words=["a", "日本", "\ud800"])


_ENVIRONMENT = {"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": "7", "PYTHONUTF8": "1"}


@pytest.mark.parametrize("part", [{"a", "b"}, date(2026, 1, 1), object(), b"x"])
def test_what_has_no_order_or_form_is_no_part_of_a_key(part: object) -> None:
    """A part that two processes might write differently is refused."""
    with pytest.raises(TypeError, match="is no part of a key"):
        cache_key("source", part=part)


def test_a_value_is_compressed() -> None:
    """A long value becomes short and comes back; garbage comes back as nothing."""
    value = b'{"full_name": "o/r"}' * 1000
    assert len(packed(value)) < len(value) / 20
    assert unpacked(packed(value)) == value
    assert [unpacked(garbage) for garbage in (b"", b"garbage", packed(value)[:-9])] == [None] * 3


def test_a_process_keeps_so_many_entries() -> None:
    """A cache in memory does not grow without end: the oldest entries make room."""
    kept = ProcessCache(FakeClock())
    kept.write({"renewed": b"", "old": b""}, LIFE)
    kept.write({str(number): b"" for number in range(MAX_ENTRIES - 2)}, LIFE)
    kept.write({"renewed": b"new"}, LIFE)
    kept.write({"last": b""}, LIFE)
    assert set(kept.read(["old", "renewed", "0", "last"])) == {"renewed", "0", "last"}
