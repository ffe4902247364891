"""The cache of answers: the same question gets the same answer for a while, and its pages are those of one list."""

import json
from datetime import datetime, timedelta

from pydantic import ValidationError

from goldpan.contracts import FAILED_STATUSES, SearchRequest
from goldpan.engine.answers import page_of
from goldpan.engine.deadlines import Clock
from goldpan.infra.cache import TTL, Cache, Entry
from goldpan.kinds.answer import Answer

MAX_PAGE_BYTES = 160 * 1024
"""A larger page is not cached. On AWS a state holds a page as text in JSON, where each quote takes two bytes, and the
request twice: 58 KiB."""
PARTIAL_TTL = timedelta(seconds=10)
"""How long an incomplete answer is cached: enough for the callers who wait for it, too short for later ones."""
SOURCE_TTL_SECONDS = int(TTL["source"].total_seconds())


def page_key(key: str, request: SearchRequest) -> str:
    """Return the key of a page of an answer, which the state machine makes too, from the key of the whole answer."""
    return f"answer:{key.partition(':')[2]}:{request.offset}:{request.max_results}"


class AnswerCache:
    """The answers of all processes that share a cache.

    An answer is stored whole under its key, and page by page as it is asked for. A page after the first is stored for
    a moment only: it would outlive its list if that were replaced.
    """

    def __init__(self, cache: Cache, clock: Clock) -> None:
        self._cache, self._clock = cache, clock

    def get(self, key: str, request: SearchRequest | None, newer_than: datetime | None = None) -> Answer | None:
        """Return the page that a request asks for, of all pages without one, from a stored answer.

        None if nothing is stored, or what is stored is stale, unreadable, or not newer than the given time.
        """
        own, now = None if request is None else page_key(key, request), self._clock.now()
        names = [key] if own is None else [own, key]
        found = {name: entry for name, entry in self._cache.read(names, latest=True).items() if entry.is_fresh(now)}
        whole, page = found.get(key), found.get(own or "")
        is_current = page is not None and (whole is None or page.stored_at >= whole.stored_at)
        answer = _parse(page if is_current else whole)
        if answer is None or (newer_than is not None and answer.answered_at < newer_than):
            return None
        if request is None or whole is None or is_current:
            return answer
        return self._put_page(key, request, answer, whole.fresh_until - now)

    def get_json(self, key: str, request: SearchRequest) -> bytes | None:
        """Return a page as it was stored, None if it is missing or stale; parsing takes most of the time."""
        own = page_key(key, request)
        entry = self._cache.read([own]).get(own)
        return entry.value if entry is not None and entry.is_fresh(self._clock.now()) else None

    def put(self, key: str, request: SearchRequest, answer: Answer) -> None:
        """Cache an answer with the page that was asked for, both marked as cached."""
        ttl, cached = TTL["answer"] if is_complete(answer) else PARTIAL_TTL, answer.model_copy(update={"cached": True})
        if all(section.is_whole for section in answer.sections.values()):
            self._cache.write({key: cached.to_json().encode()}, ttl)
        self._put_page(key, request, cached, ttl)

    def _put_page(self, key: str, request: SearchRequest, answer: Answer, ttl: timedelta) -> Answer | None:
        """Cache a page of an answer, and return it; None if it is too large."""
        page = page_of(answer, request)
        text = page.to_json()
        if len(json.dumps(text, ensure_ascii=False).encode()) > MAX_PAGE_BYTES:
            return None
        own_ttl = min(ttl, PARTIAL_TTL) if request.offset else ttl
        self._cache.write({page_key(key, request): text.encode()}, own_ttl)
        return page


def _parse(entry: Entry | None) -> Answer | None:
    try:
        return None if entry is None else Answer.model_validate_json(entry.value)
    except ValidationError:
        return None


def is_complete(answer: Answer) -> bool:
    """Return whether no source failed or was stale, and the language model scored; a skipped source would be again."""
    failed = FAILED_STATUSES - {"skipped"}
    served = all(row.status not in failed and (row.age_s or 0) <= SOURCE_TTL_SECONDS for row in answer.sources)
    results = [result for section in answer.sections.values() for result in section.results]
    scored = not answer.usage.llm_calls or not results or any(result.basis == "llm" for result in results)
    return served and scored and not answer.errors
