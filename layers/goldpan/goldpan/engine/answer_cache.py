"""The cache of answers: the same question gets the same answer for a while."""

from __future__ import annotations

from datetime import datetime, timedelta

from pydantic import ValidationError

from goldpan.engine.deadlines import Clock
from goldpan.infra.cache.entries import Cache
from goldpan.infra.cache.values import TTL
from goldpan.kinds.answer import Answer

MAX_ANSWER_BYTES = 200 * 1024
"""A larger answer is not cached on one machine; on AWS the limit is lower, because an execution carries it."""
PARTIAL_TTL = timedelta(seconds=10)
"""How long an incomplete answer is cached: enough for the callers who wait for it, too short for later ones."""
COMPLETE_STATUSES = frozenset({"ok", "empty", "truncated", "skipped"})
SOURCE_TTL_SECONDS = int(TTL["source"].total_seconds())


class AnswerCache:
    """The answers of all processes that share a cache."""

    def __init__(self, cache: Cache, clock: Clock) -> None:
        self._cache, self._clock = cache, clock

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


def is_complete(answer: Answer) -> bool:
    """Return whether no source failed or served stale data, and the language model scored if it was asked.

    A source that was skipped, such as one without its key, would be skipped again.
    """
    served = all(row.status in COMPLETE_STATUSES and (row.age_s or 0) <= SOURCE_TTL_SECONDS for row in answer.sources)
    results = [result for section in answer.sections.values() for result in section.results]
    scored = not answer.usage.llm_calls or not results or any(result.basis == "llm" for result in results)
    return served and scored and not answer.errors
