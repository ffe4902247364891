"""Rate limits, and the keys under which calls are counted; each source defines its own limits."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from goldpan.engine.deadlines import SECOND

PARTS = 30
"""Parts of a window: more of them would hold back less, fewer of them would make a stored item smaller."""
MAX_MARGIN = 1.0
"""Seconds; the margin of a short window is a tenth of it."""
MAX_ADVANCE = 60 * SECOND
"""Microseconds; no reservation is granted for later than that from now."""


@dataclass(frozen=True)
class Limit:
    """At most `max_cost` in any window of `window_seconds`.

    Costs are counted in parts of the window, numbered since 1970. A part counts until a whole window and a margin have
    passed after its end. All times are microseconds since 1970, so that all stores count alike.
    """

    window_seconds: int
    max_cost: int

    @property
    def name(self) -> str:
        """The name of the window in stores."""
        return f"{self.window_seconds}s"

    @property
    def margin(self) -> int:
        """How long a part counts beyond its window.

        Half of it is for the time between a reservation and its call, half for the difference between two clocks.
        """
        return int(SECOND * min(MAX_MARGIN, self.window_seconds / 10))

    def of_share(self, share: float) -> Limit:
        """Return a share of this limit, rounded down; one call where that is less, as for a limit of one a second."""
        return replace(self, max_cost=max(1 if share else 0, int(share * self.max_cost)))

    def part_at(self, time: int) -> int:
        """Return the part that contains a time."""
        return time // self._width

    def start_of(self, part: int) -> int:
        """Return when a part begins."""
        return part * self._width

    def expiry_of(self, part: int) -> int:
        """Return from when on a part no longer counts."""
        return self.start_of(part + 1) + self._window + self.margin

    def part_expiring_at(self, time: int) -> int:
        """Return the part that counts until a time, and the least beyond it."""
        return (time - self._window - self.margin - 1) // self._width

    def counted_parts(self, now: int) -> range:
        """Return the parts that count: older ones have expired, later ones were written by a wrong clock."""
        latest = now + MAX_ADVANCE + self.margin
        return range(self.part_at(now - self._window - self.margin), self.part_at(latest) + 1)

    @property
    def _window(self) -> int:
        return SECOND * self.window_seconds

    @property
    def _width(self) -> int:
        return self._window // PARTS


Limits = Mapping[str, Sequence[Limit]]
"""Limits by the beginning of a key; the first of a key is the one that the source reports the remainder of."""


def limits_for(key: str, limits: Limits) -> Sequence[Limit]:
    """Return the limits of a key; a source without limits can still be blocked."""
    return next((found for prefix, found in limits.items() if key == prefix or key.startswith(f"{prefix}:")), ())


def rate_limit_key(name: str, address: str, credential: str | None) -> str:
    """Make the key of a limit for one credential at one address; the key reveals neither."""
    access = "anonymous" if credential is None else "token"
    digest = hashlib.sha256(f"{address}\n{credential or ''}".encode()).hexdigest()[:12]
    return f"{name}:{access}:{digest}"
