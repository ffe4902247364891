"""The times that a response names, as times of this machine's clock: the server's clock may differ from it.

A server states its own time in the header Date. What it says about a later time (a reset, a Retry-After) is read as the
distance from that, so that a clock that is minutes wrong here neither defeats a limit nor prolongs it.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

MAX_DIGITS = 15
MAX_DATE_CHARS = 64
_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]*)?")


def retry_after(headers: Mapping[str, str], now: datetime, longest: timedelta) -> datetime | None:
    """Read Retry-After as seconds, also with decimals, or as a date (RFC 9110, 10.2.3), at most `longest` from now."""
    text = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(text):
        return now + timedelta(seconds=min(float(text[:MAX_DIGITS]), longest.total_seconds()))
    moment = _read_date(text)
    return None if moment is None else from_server(moment, headers, now, longest)


def from_server(moment: datetime, headers: Mapping[str, str], now: datetime, longest: timedelta) -> datetime:
    """Convert a time of the server's clock, by its Date, to this clock's: not before now, at most `longest` later."""
    server_now = _read_date(headers.get("date", "")) or now
    return now + min(max(moment - server_now, timedelta()), longest)


def read_digits(digits: str) -> int:
    """Read an integer by its first digits: `int` refuses thousands of them, and any time limit is smaller."""
    return int(digits[:MAX_DIGITS])


def _read_date(text: str) -> datetime | None:
    """Read the date of a header; None if it is none, or beyond what can be converted to UTC."""
    try:
        moment = parsedate_to_datetime(text[:MAX_DATE_CHARS])
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
