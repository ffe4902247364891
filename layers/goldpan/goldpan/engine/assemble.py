"""Assemble: the outcomes of all kinds become the answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from goldpan.contracts import Answer, ExecutionTime, KindFailure, KindResult, SearchRequest, StageError, Usage
from goldpan.errors import (
    CredentialRejected,
    Defect,
    GoldpanError,
    InvalidRequest,
    Misconfigured,
    OutOfTime,
    Overloaded,
    SourcesFailed,
    SourcesLimited,
    TerminalError,
    terminal_error_named,
)

PRECEDENCE: tuple[type[GoldpanError], ...] = (
    InvalidRequest,
    CredentialRejected,
    Misconfigured,
    Defect,
    TerminalError,
    SourcesFailed,
    SourcesLimited,
    Overloaded,
    OutOfTime,
)
"""Which of several endings is told: first what the asker mends, then the operator, then what passes by itself."""
PASSING = (SourcesFailed, Overloaded, OutOfTime)
"""What passes by itself: an answer that lacks only such a kind is told without it."""


def assemble(
    request: SearchRequest, lines: Sequence[KindResult | KindFailure], times: ExecutionTime, now: datetime
) -> Answer:
    """Bring the sections, the statuses, the warnings and the costs together.

    A kind whose ending passes by itself is told beside the others. Raises what ended it where no kind
    has an outcome, and always what the asker or the operator has to mend.
    """
    raise_terminal_error(lines)
    outcomes = [line for line in lines if isinstance(line, KindResult)]
    failures = [line for line in lines if isinstance(line, KindFailure)]
    return Answer(
        query=request.query,
        mode=request.mode,
        repositories=next((outcome.repositories for outcome in outcomes if outcome.repositories), None),
        sources=tuple(row for outcome in outcomes for row in outcome.sources),
        errors=(*(error for outcome in outcomes for error in outcome.errors), *_errors(failures, now)),
        warnings=tuple(dict.fromkeys([*(line for outcome in outcomes for line in outcome.warnings), *_told(failures)])),
        execution_time_ms=times,
        usage=sum((outcome.usage for outcome in outcomes), Usage()),
        answered_at=now,
    )


def raise_terminal_error(lines: Sequence[KindResult | KindFailure]) -> None:
    """Raise what ended the search, where something did: first of all what somebody has to mend."""
    endings = [terminal_error_named(line.error, line.message) for line in lines if isinstance(line, KindFailure)]
    if any(isinstance(line, KindResult) for line in lines):
        endings = [ending for ending in endings if not isinstance(ending, PASSING)]
    for ending in sorted(endings, key=lambda ending: (PRECEDENCE.index(type(ending)), str(ending))):
        raise ending


def _errors(failures: Sequence[KindFailure], now: datetime) -> list[StageError]:
    return [StageError(stage=failure.kind, error=failure.message, timestamp=now) for failure in failures]


def _told(failures: Sequence[KindFailure]) -> list[str]:
    return [f"No {failure.kind} in this answer: {failure.message}." for failure in failures]
