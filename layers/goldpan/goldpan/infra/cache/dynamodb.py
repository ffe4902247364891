"""The cache on AWS: one DynamoDB table."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.infra.cache.port import STALE_TTL, CacheFailed, Entry, packed, unpacked
from goldpan.infra.circuit_breaker import Count
from goldpan.infra.dynamodb_client import Item, number, reached, whole
from goldpan.infra.rate_limits.sliding_window import from_micros, to_micros

READ_AT_ONCE, WRITTEN_AT_ONCE = 100, 25
MAX_ITEM = 400 * 1024
OVERHEAD = 200
"""Bytes of an item beside its key and its value."""
PATIENCE = 0.5
"""Seconds for what DynamoDB left undone of a batch."""
PLAIN = "answer:"
"""Values under this namespace are kept as the state machine reads them: text, and a time that it can compare."""


class DynamoDBCache:
    """A cache that all functions share; DynamoDB deletes by `ttl`, days late, so what is gone is left out here."""

    def __init__(self, client: Any, table: str, clock: Clock, count: Count) -> None:
        self._client, self._table, self._clock, self._count = client, table, clock, count

    def read(self, keys: Sequence[str]) -> dict[str, Entry]:
        """Read what is there of all keys."""
        asked = [{"pk": {"S": key}} for key in dict.fromkeys(keys)]
        with reached(self._table, CacheFailed):
            items = [item for keys in _chunks(asked, READ_AT_ONCE) for item in self._batch_read(keys)]
        now, found = self._clock.now(), ((item["pk"]["S"], _entry(item)) for item in items)
        return {key: entry for key, entry in found if entry is not None and not entry.gone(now)}

    def write(self, entries: Mapping[str, bytes], life: timedelta) -> None:
        """Write entries that are fresh for so long from now; one that DynamoDB has no room for is left out."""
        now = self._clock.now()
        items = [_item(key, value, now, life) for key, value in entries.items()]
        fitting = [item for item in items if _size(item) <= MAX_ITEM]
        for _ in range(len(items) - len(fitting)):
            self._count("CacheEntryTooLarge")
        with reached(self._table, CacheFailed):
            for chunk in _chunks([{"PutRequest": {"Item": item}} for item in fitting], WRITTEN_AT_ONCE):
                self._batch_write(chunk)

    def _batch_read(self, keys: Sequence[Item]) -> Iterator[Item]:
        until, left = Deadline.after(PATIENCE, self._clock), {self._table: {"Keys": list(keys)}}
        while left:
            reply = self._client.batch_get_item(RequestItems=left)
            yield from reply["Responses"].get(self._table, ())
            left = self._left(reply.get("UnprocessedKeys"), until)

    def _batch_write(self, puts: Sequence[Mapping[str, Any]]) -> None:
        until, left = Deadline.after(PATIENCE, self._clock), {self._table: list(puts)}
        while left:
            reply = self._client.batch_write_item(RequestItems=left)
            left = self._left(reply.get("UnprocessedItems"), until)

    def _left(self, undone: dict[str, Any] | None, until: Deadline) -> dict[str, Any]:
        """Wait a moment where DynamoDB had too much to do, and tell what to ask for again."""
        if not undone:
            return {}
        if not until.left:
            self._count("CacheBatchCut")
            return {}
        self._clock.wait(random.uniform(0.02, 0.1))  # noqa: S311 - spreads load, guards nothing
        return undone


def _chunks(rows: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    return (rows[i : i + size] for i in range(0, len(rows), size))


def _item(key: str, value: bytes, now: datetime, life: timedelta) -> dict[str, dict[str, Any]]:
    kept = _plain(value, now + life) if key.startswith(PLAIN) else {"value": {"B": packed(value)}}
    gone = now + life + STALE_TTL
    moments = {"stored_at": number(to_micros(now)), "fresh_until": number(to_micros(now + life))}
    return {"pk": {"S": key}, **kept, **moments, "ttl": number(int(gone.timestamp()))}


def _plain(value: bytes, until: datetime) -> dict[str, dict[str, Any]]:
    """Keep text as it is, with its time in the form of Step Functions' own."""
    time = until.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {"text": {"S": value.decode()}, "fresh_until_time": {"S": time}}


def _size(item: Item) -> int:
    value = item["value"]["B"] if "value" in item else item["text"]["S"].encode()
    return len(item["pk"]["S"]) + len(value) + OVERHEAD


def _entry(item: Item) -> Entry | None:
    """Read an item, None where it is in another form."""
    value = item["text"]["S"].encode() if "text" in item else unpacked(bytes(item.get("value", {}).get("B", b"")))
    if value is None:
        return None
    try:
        return Entry(value, from_micros(whole(item, "stored_at")), from_micros(whole(item, "fresh_until")))
    except (ValueError, OverflowError):  # DynamoDB's numbers may be fractions, and beyond all calendars
        return None
