"""What a step of a rehearsal showed."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import httpx2

from scripts.smoke.endpoint import CheckError

Shown = TypeVar("Shown")
PATIENCE_SECONDS, PAUSE_SECONDS = 300, 2
"""How long a step is repeated. A machine with other work starts thirty functions in more than a search may take."""


class StepError(Exception):
    """What a step expected and found."""


@dataclass(frozen=True)
class Result:
    """One step: what it showed, or why it failed, and its time."""

    name: str
    shown: str
    seconds: float
    passed: bool = True

    def __str__(self) -> str:
        """Return one line."""
        return f"{'ok' if self.passed else 'FAILED':7} {self.name} ({self.seconds:.1f} s): {self.shown}"


def expect(found: object, expected: object, what: str) -> None:
    """Compare. Raises StepError."""
    if found != expected:
        raise StepError(f"{what} is {found!r}, expected {expected!r}")


def require(held: object, what: str) -> None:
    """Check what must hold. Raises StepError."""
    if not held:
        raise StepError(f"{what} was expected")


def patiently(work: Callable[[], Shown]) -> Shown:
    """Repeat what fails while functions still start. Raises what the last attempt raised."""
    ends = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return work()
        except (StepError, CheckError, httpx2.HTTPError):
            if time.monotonic() > ends:
                raise
            time.sleep(PAUSE_SECONDS)


def table(results: Sequence[Result]) -> str:
    """Write the results as a table in Markdown."""
    rows = [f"| {each.name} | {each.seconds:.0f} s | {each.shown} |" for each in results]
    return "\n".join(["| step | time | result |", "|---|---:|---|", *rows])
