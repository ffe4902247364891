"""The bounds on a logarithmic scale, drawn as text."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.benchmarks.scale_bounds import Bound, bounds
from tests.benchmarks.scale_known import (
    Figures,
)

DECADES, DECADE, NAMES = range(-3, 6), 8, 34


def drawing(n: Figures) -> str:
    """Draw the bounds on a logarithmic scale: what each carries without hits, and what with many."""
    low, high = ends(n)
    axis = "".join(f"{10.0**decade:<{DECADE},g}" for decade in DECADES)
    lines = [_bar(bound, low, high, n["asked.a_second"]) for bound in bounds(n)]
    head = f"{'searches a second':<{NAMES}}{axis}".rstrip()
    return "\n".join(
        [
            "```text",
            head,
            *lines,
            f"{'':<{NAMES}}█ {low:.0%} hits, ░ {high:.0%} hits, (instead of another), [set by the stack]",
            "```",
        ]
    )


def _bar(bound: Bound, low: float, high: float, marks: Sequence[float]) -> str:
    full, more = (_place(bound.carries(rate)) for rate in (low, high))
    ticks = {_place(mark) for mark in marks}
    cells = ("█" if at < full else "░" if at < more else "┊" if at in ticks else " " for at in range(_place(1e5)))
    return f"{named(bound):<{NAMES}}{''.join(cells)}".rstrip()


def _place(rate: float) -> int:
    return min(DECADE * (len(DECADES) - 1), max(1, round(DECADE * (math.log10(rate) - DECADES[0]))))


def ends(n: Figures) -> tuple[float, float]:
    """Give the lowest and the highest share of hits."""
    return min(n["asked.hit_rates"]), max(n["asked.hit_rates"])


def named(bound: Bound) -> str:
    """Name a bound as the page does: in parentheses what stands instead of another, in brackets what the stack sets."""
    return {"usual": bound.name, "instead": f"({bound.name})", "own": f"[{bound.name}]"}[bound.kind]
