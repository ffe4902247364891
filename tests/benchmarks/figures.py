"""Prints the figures of a benchmark: a Markdown table, a line of JSON, and the floors that were missed."""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Floor:
    """A bound that a figure has to keep."""

    name: str
    figure: float
    bound: float
    at_least: bool = False

    @property
    def kept(self) -> bool:
        """Whether the figure keeps the bound."""
        return self.figure >= self.bound if self.at_least else self.figure <= self.bound

    def __str__(self) -> str:
        """Return the figure beside its bound."""
        words = "at least" if self.at_least else "at most"
        return f"{'kept' if self.kept else 'MISSED'}: {self.name}: {self.figure:.4g}, {words} {self.bound:g}"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table with right-aligned numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def report(text: str, figures: Mapping[str, object], floors: Sequence[Floor]) -> int:
    """Print the result of a benchmark; return the exit code, 1 if a floor was missed."""
    print(text)
    print()
    print(json.dumps({**figures, "floors_missed": [floor.name for floor in floors if not floor.kept]}))
    for floor in floors:
        print(floor)
    return int(not all(floor.kept for floor in floors))


def peak_megabytes() -> float:
    """Return the largest memory of this process so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024**2 if sys.platform == "darwin" else peak / 1024


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
