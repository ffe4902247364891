"""The last line of an answer, in every format that people read."""

from __future__ import annotations

from goldpan.contracts import Answer

from goldpan_local.figures import cost


def closing(answer: Answer) -> str:
    """Sum the search up: how many were looked at, how long it took and what it cost, or how old it is."""
    section = answer.sections.get("repositories")
    counts = (
        f"{len(section.results)} shown of {section.shortlisted} shortlisted and {section.total_candidates:,} found, "
        if section
        else ""
    )
    cached = f"; remembered from {answer.answered_at:%H:%M} UTC, --refresh searches anew" if answer.cached else ""
    return f"{counts}{answer.execution_time_ms.total / 1000:.1f} s, {cost(answer.usage)}{cached}"
