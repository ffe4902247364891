"""Whole answers: remembered for a while, and found once for all who ask the same at the same time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Literal
from uuid import uuid4

from pydantic import ValidationError

from goldpan.contracts import Answer, SearchRequest
from goldpan.engine.deadlines import Clock
from goldpan.infra.cache.port import TTL, Cache
from goldpan.infra.locks.port import SingleFlightLocks

Turn = Literal["search", "wait"]
MAX_BYTES = 200 * 1024
"""A larger answer is not kept: the state machine could not carry it beside what else a state holds."""
PARTIAL_TTL = timedelta(seconds=10)
"""How long an answer serves to which a part is missing: for those who wait for it now, and for nobody later."""
LIVES_OF_SOURCES = int(TTL["source"].total_seconds())
LOCK_TTL = timedelta(seconds=29)
"""No search lasts longer; the mark of one that died counts no more after that."""
MAX_WAIT_SHARE = 0.5
"""The share of a search's own time that it waits for another's answer, so that it can still find its own."""
POLL_SECONDS = 0.1
"""How often one who waits on the same machine looks whether the answer is there."""


class Answers:
    """The answers of all who share a cache and its flights."""

    def __init__(self, cache: Cache, flights: SingleFlightLocks, clock: Clock) -> None:
        self._cache, self._flights, self._clock = cache, flights, clock

    def fresh(self, key: str) -> Answer | None:
        """Give the answer that is remembered under the key; what is no answer, or an older one, is not there."""
        entry = self._cache.read([key]).get(key)
        if entry is None or not entry.fresh(self._clock.now()):
            return None
        try:
            return Answer.model_validate_json(entry.value)
        except ValidationError:
            return None

    def turn(self, key: str, owner: str, request: SearchRequest, begun_at: datetime) -> Turn:
        """Tell whether to search, or to wait for the one who does already; nobody waits beyond half of its time."""
        waited = (self._clock.now() - begun_at).total_seconds()
        if waited >= MAX_WAIT_SHARE * request.max_seconds:
            return "search"
        return "search" if self._flights.begin(key, LOCK_TTL, owner) else "wait"

    def keep(self, key: str, answer: Answer) -> None:
        """Remember an answer, as it will be given: marked as one from the cache."""
        told = answer.model_copy(update={"cached": True}).to_json().encode()
        if len(told) <= MAX_BYTES:
            self._cache.write({key: told}, TTL["answer"] if whole(answer) else PARTIAL_TTL)

    def end(self, key: str, owner: str) -> None:
        """Let others search for this, where they still have to."""
        self._flights.end(key, owner)

    def found(
        self, key: str, request: SearchRequest, find: Callable[[], Answer], clock: Clock, *, refresh: bool = False
    ) -> Answer:
        """Give the remembered answer, or another's who is finding it now, else find it; raises what `find` raises.

        With `refresh` what is remembered does not count, but an answer that another finds meanwhile does. The clock
        is that of this search: who gives it up waits no longer.
        """
        begun_at, owner = clock.now(), uuid4().hex

        def look() -> Answer | None:
            return self._newer(key, begun_at) if refresh else self.fresh(key)

        known = None if refresh else self.fresh(key)
        while known is None and self.turn(key, owner, request, begun_at) == "wait":
            clock.wait(POLL_SECONDS)
            known = look()
        return known or self._found(key, owner, look, find)

    def _newer(self, key: str, begun_at: datetime) -> Answer | None:
        known = self.fresh(key)
        return known if known and known.answered_at >= begun_at else None

    def _found(self, key: str, owner: str, look: Callable[[], Answer | None], find: Callable[[], Answer]) -> Answer:
        """Look once more, for the one before may have ended between the last look and this turn; else find it."""
        try:
            answer = look()
            if answer is None:
                answer = find()
                self.keep(key, answer)
        finally:
            self.end(key, owner)
        return answer


def whole(answer: Answer) -> bool:
    """Tell whether every part did its work: no source failed or served what is stale, and the model judged."""
    served = all(row.status in {"ok", "empty", "truncated"} and not _stale(row.age_s) for row in answer.sources)
    results = answer.repositories.results if answer.repositories else ()
    judged = not answer.usage.llm_calls or not results or any(result.basis == "llm" for result in results)
    return served and judged and not answer.errors


def _stale(age_s: int | None) -> bool:
    return (age_s or 0) > LIVES_OF_SOURCES
