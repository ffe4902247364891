"""A case of the campaign: a fault in plain words, what is done, and what the asker gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.support.loopback.fault import LoopbackFault

if TYPE_CHECKING:
    from tests.slow.faults.world import Seen, World

STRATEGIES = ("stars", "recency", "expanded")


def every(status: str, **others: str) -> dict[str, str]:
    """Give every strategy a status, but for those that are named."""
    return dict.fromkeys(STRATEGIES, status) | others


@dataclass(frozen=True)
class Ended:
    """The search has no answer: a named problem with its status."""

    problem: str
    status: int
    says: tuple[str, ...] = ()
    """Patterns, each of which the detail of the problem holds."""
    retry_after: tuple[int, int] | None = None
    """The fewest and the most seconds; None where the problem names no time."""


@dataclass(frozen=True)
class Answered:
    """The search has an answer: what its rows, warnings and errors say, and nothing else."""

    rows: Mapping[str, str] = field(default_factory=lambda: every("ok"))
    """The status of each strategy."""
    details: Mapping[str, str] = field(default_factory=dict)
    """A pattern for what a row says beside its status; a row that is `ok` says nothing."""
    warns: tuple[str, ...] = ()
    """Patterns: each warning has one of them, each of them has a warning."""
    errors: Mapping[str, str] = field(default_factory=dict)
    """The same for the errors, after the stage of each."""
    by: tuple[str, ...] = ("rules",)
    """On what basis the results were judged."""
    logs: tuple[str, ...] = ()
    """Patterns for the warnings of the log, in the same way."""
    caveat: str | None = None
    """A pattern that a caveat of every result has."""


@dataclass(frozen=True)
class Case:
    """One fault, in one upstream."""

    upstream: str
    name: str
    done: str
    gets: str
    expect: Ended | Answered
    calls: tuple[int, int]
    """The fewest and the most calls that the upstream may see, of one search."""
    github: tuple[LoopbackFault, ...] = ()
    model: tuple[LoopbackFault, ...] | None = None
    """The faults of the language model; None where none is configured."""
    token: bool = True
    request: Mapping[str, object] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    deployed: bool = False
    """Whether the search has the ports of the functions, with DynamoDB, in the place of those of one machine."""
    around: Callable[[World], AbstractContextManager[object]] | None = None
    """What is done beside the search: to a file, to another program."""
    then: Callable[[World, Seen], None] | None = None
    """What else is held: of the results, or of the next search."""

    @property
    def title(self) -> str:
        """Name the case in the whole campaign."""
        return f"{self.upstream}: {self.name}"
