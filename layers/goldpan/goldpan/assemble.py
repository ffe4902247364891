"""Assemble: the outcomes of all kinds become the answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from goldpan.contracts import Answer, ExecutionTime, Outcome, SearchRequest, Usage


def assemble(request: SearchRequest, outcomes: Sequence[Outcome], times: ExecutionTime, now: datetime) -> Answer:
    """Bring the sections, the statuses, the warnings and the costs together."""
    return Answer(
        query=request.query,
        mode=request.mode,
        repositories=next((outcome.repositories for outcome in outcomes if outcome.repositories), None),
        sources=tuple(row for outcome in outcomes for row in outcome.sources),
        errors=tuple(error for outcome in outcomes for error in outcome.errors),
        warnings=tuple(dict.fromkeys(warning for outcome in outcomes for warning in outcome.warnings)),
        execution_time_ms=times,
        usage=sum((outcome.usage for outcome in outcomes), Usage()),
        answered_at=now,
    )
