"""Assemble: the results of all kinds become the answer, which is cached for the same question of others."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pydantic import ValidationError

from goldpan.contracts import Answer, ExecutionTime, SearchRequest, StageError, Usage
from goldpan.engine.kind import KindFailure, KindResult
from goldpan.engine.links import find_links
from goldpan.errors import (
    CredentialRejected,
    Defect,
    Forbidden,
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
from goldpan.infra.cache.port import TTL

if TYPE_CHECKING:
    from goldpan.engine.deadlines import Clock
    from goldpan.infra.cache.port import Cache
    from goldpan.infra.locks.port import SingleFlightLocks

PRECEDENCE: tuple[type[GoldpanError], ...] = (
    InvalidRequest,
    Forbidden,
    CredentialRejected,
    Misconfigured,
    Defect,
    TerminalError,
    SourcesFailed,
    SourcesLimited,
    Overloaded,
    OutOfTime,
)
"""Which of several terminal errors is raised: what the caller corrects, then the operator, then what is temporary."""
TEMPORARY = (SourcesFailed, Overloaded, OutOfTime)
"""If another kind has a result, the answer is given without a kind that failed in one of these ways."""
MAX_ANSWER_BYTES = 200 * 1024
"""A larger answer is not cached on one machine; on AWS the limit is lower, because an execution carries it."""
PARTIAL_TTL = timedelta(seconds=10)
"""How long an incomplete answer is cached: enough for the callers who wait for it, too short for later ones."""
COMPLETE_STATUSES = frozenset({"ok", "empty", "truncated", "skipped"})
SOURCE_TTL_SECONDS = int(TTL["source"].total_seconds())
LOCK_TTL = timedelta(seconds=29)
"""No search lasts longer. The lock of an owner that died expires then; on one machine it is free at once."""
MAX_WAIT_SHARE = 0.5
"""The share of its own time that a search waits for the answer of another one, so that it can still run itself."""
_LOG = logging.getLogger(__name__)
"""Logs times and costs, never the question."""


def assemble(
    request: SearchRequest, outcomes: Sequence[KindResult | KindFailure], times: ExecutionTime, now: datetime
) -> Answer:
    """Combine the sections, statuses, errors, warnings and usage of all kinds.

    A kind with a temporary failure is reported in the warnings and errors beside the results of the others. Raises the
    terminal error if no kind has a result, and always if the caller or the operator must correct something.
    """
    raise_terminal_error(outcomes)
    results = [outcome for outcome in outcomes if isinstance(outcome, KindResult)]
    failures = [outcome for outcome in outcomes if isinstance(outcome, KindFailure)]
    warnings = [warning for result in results for warning in result.warnings]
    warnings += [f"No {failure.kind} in this answer: {failure.message}." for failure in failures]
    errors = [error for result in results for error in result.errors]
    errors += [StageError(stage=failure.kind, error=failure.message, timestamp=now) for failure in failures]
    return Answer(
        query=request.query,
        mode=request.mode,
        interpretation=tuple({part.id: part for result in results for part in result.interpretation}.values()),
        sections={result.kind: result.section for result in results if result.section is not None},
        links=find_links(results) if len(results) > 1 else (),
        sources=tuple(row for result in results for row in result.sources),
        errors=tuple(errors),
        warnings=tuple(dict.fromkeys(warnings)),
        execution_time_ms=times,
        usage=sum((result.usage for result in results), Usage()),
        answered_at=now,
    )


def raise_terminal_error(outcomes: Sequence[KindResult | KindFailure]) -> None:
    """Raise the terminal error of the search, if there is one, by precedence."""
    errors = [terminal_error_named(each.error, each.message) for each in outcomes if isinstance(each, KindFailure)]
    if len(errors) < len(outcomes):
        errors = [error for error in errors if not isinstance(error, TEMPORARY)]
    if errors:
        raise min(errors, key=lambda error: (PRECEDENCE.index(type(error)), str(error)))


def log_summary(answer: Answer) -> None:
    """Log the duration and the cost of a search."""
    times = answer.execution_time_ms
    _LOG.info(
        "Search completed in %d ms: query translator %d ms, scout %d ms, screener %d ms; %d LLM calls, $%.4f",
        times.total,
        times.query_translator,
        times.scout,
        times.screener,
        answer.usage.llm_calls,
        answer.usage.cost_usd,
    )


class AnswerCache:
    """The answers of all processes that share a cache and its single-flight locks."""

    def __init__(self, cache: Cache, locks: SingleFlightLocks, clock: Clock) -> None:
        self._cache, self._locks, self._clock = cache, locks, clock

    def get(self, key: str, newer_than: datetime | None = None) -> Answer | None:
        """Return None if the entry is missing, stale, unreadable, or not newer than the given time."""
        value = self.get_json(key)
        if value is None:
            return None
        try:
            answer = Answer.model_validate_json(value)
        except ValidationError:
            return None
        return answer if newer_than is None or answer.answered_at >= newer_than else None

    def get_json(self, key: str) -> bytes | None:
        """Return an answer as it was stored, None if the entry is missing or stale; parsing takes most of the time."""
        entry = self._cache.read([key]).get(key)
        return entry.value if entry is not None and entry.is_fresh(self._clock.now()) else None

    def put(self, key: str, answer: Answer) -> None:
        """Cache an answer, marked as cached, if it is small enough."""
        value = answer.model_copy(update={"cached": True}).to_json().encode()
        if len(value) <= MAX_ANSWER_BYTES:
            self._cache.write({key: value}, TTL["answer"] if is_complete(answer) else PARTIAL_TTL)

    def acquire(self, key: str, owner: str, seconds: float, started_at: datetime) -> bool:
        """Return whether to search now: if no other owner does, or if half of the time of the request has passed."""
        waited = (self._clock.now() - started_at).total_seconds()
        return waited >= MAX_WAIT_SHARE * seconds or self._locks.acquire(key, LOCK_TTL, owner)

    def release(self, key: str, owner: str) -> None:
        """Let the next waiting search run, if it still has to."""
        self._locks.release(key, owner)


def is_complete(answer: Answer) -> bool:
    """Return whether no source failed or served stale data, and the language model scored if it was asked.

    A source that was skipped, such as one without its key, would be skipped again.
    """
    served = all(row.status in COMPLETE_STATUSES and not _is_stale(row.age_s) for row in answer.sources)
    results = [result for section in answer.sections.values() for result in section.results]
    scored = not answer.usage.llm_calls or not results or any(result.basis == "llm" for result in results)
    return served and scored and not answer.errors


def _is_stale(age_s: int | None) -> bool:
    return (age_s or 0) > SOURCE_TTL_SECONDS
