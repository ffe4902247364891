"""The cache, the same in every store: fresh for its life, stale for a day, never renewed by reading."""

from __future__ import annotations

from datetime import timedelta

from goldpan.infra.cache.port import STALE_TTL, TTL, Entry, cache_key

from tests.integration.stores.opened import Functions
from tests.support.fakes import START, FakeClock

LIFE, KEY = TTL["source"], cache_key("source", searches=["react"])
LONG = (LIFE + STALE_TTL).total_seconds()


def test_what_one_writes_another_reads(functions: Functions) -> None:
    """A value is read by another function as it was written, with its moments."""
    writer, reader = functions
    value = bytes(range(256)) * 40
    writer.cache.write({KEY: value}, LIFE)
    assert reader.cache.read([KEY]) == {KEY: Entry(value, START, START + LIFE)}


def test_a_batch_holds_what_is_there(functions: Functions) -> None:
    """Of many keys, also repeated ones, those that were written come back at once."""
    writer, reader = functions
    keys = [cache_key("source", number=number) for number in range(230)]
    writer.cache.write({key: str(place).encode() for place, key in enumerate(keys[:140])}, LIFE)
    found = reader.cache.read([*keys, *keys])
    assert {key: entry.value for key, entry in found.items()} == {
        key: str(place).encode() for place, key in enumerate(keys[:140])
    }
    assert reader.cache.read([]) == {}


def test_reading_renews_nothing(functions: Functions, clock: FakeClock) -> None:
    """An entry that is read all the time is stale when its life is over, and gone a day later."""
    writer, reader = functions
    writer.cache.write({KEY: b"value"}, LIFE)
    for minutes in (20, 39, 1):
        assert reader.cache.read([KEY])[KEY].fresh(clock.now())
        clock.wait(60 * minutes)
    stale = reader.cache.read([KEY])[KEY]
    assert not stale.fresh(clock.now())
    assert stale.age(clock.now()) == 3600
    clock.wait(STALE_TTL.total_seconds() - 1)
    assert KEY in reader.cache.read([KEY])
    clock.wait(1)
    assert reader.cache.read([KEY]) == {}


def test_writing_again_replaces(functions: Functions, clock: FakeClock) -> None:
    """What is found out anew has a new life."""
    writer, reader = functions
    writer.cache.write({KEY: b"old"}, LIFE)
    clock.wait(LONG - 5)
    reader.cache.write({KEY: b"new"}, timedelta(minutes=1))
    clock.wait(10)
    entry = writer.cache.read([KEY])[KEY]
    assert (entry.value, entry.age(clock.now()), entry.fresh(clock.now())) == (b"new", 10, True)


def test_an_answer_is_kept_as_its_text(functions: Functions) -> None:
    """A whole answer, of any script, comes back as it was written."""
    writer, reader = functions
    key, answer = cache_key("answer", query="q"), '{"query": "日本語, ok"}'.encode()
    writer.cache.write({key: answer}, TTL["answer"])
    assert reader.cache.read([key])[key].value == answer
