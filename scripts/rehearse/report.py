"""What a step of a rehearsal showed."""

from collections.abc import Sequence
from dataclasses import dataclass


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


def table(results: Sequence[Result]) -> str:
    """Write the results as a table in Markdown."""
    rows = [f"| {each.name} | {each.seconds:.0f} s | {each.shown} |" for each in results]
    return "\n".join(["| step | time | result |", "|---|---:|---|", *rows])
