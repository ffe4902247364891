"""The cache, the same in every store: entries are fresh for their TTL, stale for a day, and not renewed by reading."""

from __future__ import annotations

from datetime import timedelta

from goldpan.infra.cache.port import Entry

from tests.integration.stores.opened import Opened
from tests.support.fakes import START, FakeClock

HOUR, KEY = timedelta(hours=1), "source:react"


def test_what_one_writes_another_reads(functions: tuple[Opened, Opened]) -> None:
    """A value is read by another function as it was written, with its times."""
    writer, reader = functions
    value = bytes(range(256)) * 40
    writer.cache.write({KEY: value}, HOUR)
    assert reader.cache.read([KEY]) == {KEY: Entry(value, START, START + HOUR)}


def test_many_keys_are_read_at_once(functions: tuple[Opened, Opened]) -> None:
    """Of many keys, also repeated ones, those that have an entry are returned."""
    writer, reader = functions
    keys = [f"source:{number}" for number in range(230)]
    written = {key: key.encode() for key in keys[:140]}
    writer.cache.write(written, HOUR)
    assert {key: entry.value for key, entry in reader.cache.read([*keys, *keys]).items()} == written
    assert reader.cache.read([]) == {}


def test_reading_does_not_renew(functions: tuple[Opened, Opened], clock: FakeClock) -> None:
    """An entry that is read again and again is stale after its TTL, and expired one day later."""
    writer, reader = functions
    writer.cache.write({KEY: b"value"}, HOUR)
    for minutes in (20, 39, 1):
        assert reader.cache.read([KEY])[KEY].is_fresh(clock.now())
        clock.wait(60 * minutes)
    stale = reader.cache.read([KEY])[KEY]
    assert not stale.is_fresh(clock.now())
    assert stale.age(clock.now()) == 3600
    clock.wait(86_400 - 1)
    assert KEY in reader.cache.read([KEY])
    clock.wait(1)
    assert reader.cache.read([KEY]) == {}


def test_writing_again_replaces(functions: tuple[Opened, Opened], clock: FakeClock) -> None:
    """A new value has a TTL of its own."""
    writer, reader = functions
    writer.cache.write({KEY: b"old"}, HOUR)
    clock.wait(3600 + 86_400 - 5)
    reader.cache.write({KEY: b"new"}, timedelta(minutes=1))
    clock.wait(10)
    entry = writer.cache.read([KEY])[KEY]
    assert (entry.value, entry.age(clock.now()), entry.is_fresh(clock.now())) == (b"new", 10, True)


def test_an_answer_is_stored_as_text(functions: tuple[Opened, Opened]) -> None:
    """An answer, in any script, comes back as it was written."""
    writer, reader = functions
    answer = '{"query": "日本語, ok"}'.encode()
    writer.cache.write({"answer:1": answer}, timedelta(minutes=15))
    assert reader.cache.read(["answer:1"])["answer:1"].value == answer
