"""The cache on AWS: one DynamoDB table."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from goldpan.engine.deadlines import Clock, Deadline, from_micros, to_micros
from goldpan.infra.cache.port import STALE_TTL, Entry, compress, decompress
from goldpan.infra.circuit_breaker import Count
from goldpan.infra.dynamodb_table import DynamoDBTable
from goldpan.infra.table import Item, read_integer

Row = TypeVar("Row")
READ_BATCH, WRITE_BATCH = 100, 25
MAX_ITEM = 400 * 1024
OVERHEAD = 200
"""Bytes of an item in addition to its key and its value."""
BATCH_SECONDS = 0.5
"""How long to repeat what DynamoDB leaves unprocessed of a batch."""
PLAIN_TEXT = "answer:"
"""The state machine reads the items of this namespace itself: a text, and a time in the form of its own."""


class DynamoDBCache:
    """A cache shared by all functions; expired items are left out, because DynamoDB deletes them days later."""

    def __init__(self, table: DynamoDBTable, clock: Clock, count: Count) -> None:
        self._table, self._clock, self._count = table, clock, count

    def read(self, keys: Sequence[str]) -> dict[str, Entry]:
        """Return the entries of those keys that have one."""
        items = [item for batch in _batches(list(dict.fromkeys(keys)), READ_BATCH) for item in self._read_batch(batch)]
        now, entries = self._clock.now(), ((str(item["pk"]), _read_entry(item)) for item in items)
        return {key: entry for key, entry in entries if entry is not None and not entry.is_expired(now)}

    def write(self, entries: Mapping[str, bytes], ttl: timedelta) -> None:
        """Write entries that are fresh for `ttl` from now; leave out those that are too large for DynamoDB."""
        now = self._clock.now()
        items = [_item(key, value, now, ttl) for key, value in entries.items()]
        fitting = [item for item in items if _size(item) <= MAX_ITEM]
        for _ in range(len(items) - len(fitting)):
            self._count("CacheEntryTooLarge")
        for batch in _batches(fitting, WRITE_BATCH):
            self._write_batch(batch)

    def _read_batch(self, pks: Sequence[str]) -> Iterator[Item]:
        deadline = Deadline.after(BATCH_SECONDS, self._clock)
        while pks:
            items, pks = self._table.get_batch(pks)
            yield from items
            pks = self._to_repeat(pks, deadline)

    def _write_batch(self, items: Sequence[Item]) -> None:
        deadline = Deadline.after(BATCH_SECONDS, self._clock)
        while items:
            items = self._to_repeat(self._table.put_batch(items), deadline)

    def _to_repeat(self, unprocessed: list[Row], deadline: Deadline) -> list[Row]:
        """Wait a moment before a repetition; give up at the deadline."""
        if not unprocessed:
            return []
        if not deadline.left:
            self._count("CacheBatchCut")
            return []
        self._clock.wait(random.uniform(0.02, 0.1))  # noqa: S311 - spreads load, protects nothing
        return unprocessed


def _batches(rows: Sequence[Row], size: int) -> Iterator[Sequence[Row]]:
    return (rows[start : start + size] for start in range(0, len(rows), size))


def _item(key: str, value: bytes, now: datetime, ttl: timedelta) -> Item:
    times = {"stored_at": to_micros(now), "fresh_until": to_micros(now + ttl)}
    stored = {"pk": key, **times, "ttl": int((now + ttl + STALE_TTL).timestamp())}
    if not key.startswith(PLAIN_TEXT):
        return {**stored, "value": compress(value)}
    time = (now + ttl).astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {**stored, "text": value.decode(), "fresh_until_time": time}


def _size(item: Item) -> int:
    value = item.get("value", item.get("text"))
    size = len(value if isinstance(value, bytes) else str(value).encode())
    return len(str(item["pk"])) + size + OVERHEAD


def _read_entry(item: Item) -> Entry | None:
    """Read an item; None if it cannot be decoded."""
    text, stored = item.get("text"), item.get("value")
    value = decompress(stored) if isinstance(stored, bytes) else None
    value = text.encode() if isinstance(text, str) else value
    if value is None:
        return None
    try:
        return Entry(
            value, from_micros(read_integer(item, "stored_at")), from_micros(read_integer(item, "fresh_until"))
        )
    except OverflowError:  # DynamoDB's numbers may be beyond any calendar
        return None
