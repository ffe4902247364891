"""The port of the single-flight locks: of several identical searches at once, one runs and the others wait for it."""

from __future__ import annotations

from datetime import timedelta
from typing import Protocol


class SingleFlightLocks(Protocol):
    """Locks on the keys of answers that are being searched for. The methods raise `StoreFailed`.

    The owner names the search, such as an execution of the state machine. It may acquire its own lock again, and
    releases only its own.
    """

    def acquire(self, key: str, ttl: timedelta, owner: str) -> bool:
        """Lock the key for `ttl`; False if another owner, not known to be dead, holds a lock that has not expired."""

    def release(self, key: str, owner: str) -> None:
        """Release the lock, if this owner holds it."""
