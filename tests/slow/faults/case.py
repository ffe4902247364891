"""A case of the campaign: a fault, and the result that the client receives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.support.loopback.fault import Aim, LoopbackFault

if TYPE_CHECKING:
    from tests.slow.faults.world import Seen, World

Calls = tuple[int, int]
After = Callable[["World", "Seen"], None]
ALWAYS: Aim = {"times": None}


def every(status: str, **others: str) -> dict[str, str]:
    """Return a status for every strategy, except for those that are named."""
    return dict.fromkeys(("stars", "recency", "expanded"), status) | others


@dataclass(frozen=True)
class Problem:
    """The search has no answer, but problem details."""

    name: str
    status: int
    says: tuple[str, ...] = ()
    """Patterns, each of which occurs in the detail."""
    retry_after: Calls | None = None
    """The smallest and the largest number of seconds; None if there must be no Retry-After."""


@dataclass(frozen=True)
class Answered:
    """The search has an answer with these rows, warnings and errors, and no others."""

    rows: Mapping[str, str] = field(default_factory=lambda: every("ok"))
    """The status of each strategy."""
    details: Mapping[str, str] = field(default_factory=dict)
    """A pattern for the detail of a strategy, or of all (`*`); any other row has none."""
    warnings: tuple[str, ...] = ()
    """Patterns: each occurs in a warning, and each warning has one."""
    errors: Mapping[str, str] = field(default_factory=dict)
    """The same for the errors, by their stage."""
    basis: tuple[str, ...] = ("rules",)
    logs: tuple[str, ...] = ()
    """The same for the warnings in the log."""


@dataclass(frozen=True)
class Case:
    """One fault of one upstream."""

    upstream: str
    fault: str
    result: str
    expect: Problem | Answered
    calls: Calls
    """The fewest and the most requests that the upstream may receive for one search."""
    github: tuple[LoopbackFault, ...] = ()
    model: tuple[LoopbackFault, ...] | None = None
    """The faults of the language model; None if none is configured."""
    token: bool = True
    request: Mapping[str, object] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    deployed: bool = False
    """Whether the search has the dependencies of a function, with DynamoDB, instead of those of one machine."""
    around: Callable[[World], AbstractContextManager[object]] | None = None
    """What happens beside the search, to a file or a table."""
    after: After | None = None
    """What else must hold: of the results, or of the next search."""
    short: bool = False
    """Whether `make test` runs the case, too: one of each kind of fault."""

    @property
    def title(self) -> str:
        """Identify the case."""
        return f"{self.upstream}: {self.fault}"
