"""Times as the stores write them: whole microseconds since 1970 (UTC), so that all stores compare them alike."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

SECOND = 1_000_000
"""Microseconds of a second."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def to_micros(time: datetime) -> int:
    """Convert a time to microseconds."""
    return (time - _EPOCH) // timedelta(microseconds=1)


def from_micros(micros: int) -> datetime:
    """Convert microseconds to a time. Raises `OverflowError` beyond the year 9999."""
    return _EPOCH + timedelta(microseconds=micros)
