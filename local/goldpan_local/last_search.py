"""Answers a request of the command, and keeps the searches that `goldpan search --refine` continues.

They are in the cache for 24 hours; a search never fails because of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import datetime, timedelta

from goldpan.config import Frozen
from goldpan.contracts import SearchRequest, parse_request
from goldpan.contracts.request import MAX_STRATEGIES_BYTES
from goldpan.engine.deadlines import Clock, WallClock
from goldpan.engine.events import SearchEvent
from goldpan.engine.search import OnEvent, get_or_search
from goldpan.errors import InvalidRequest
from goldpan.infra.cache.entries import Cache
from goldpan.infra.cache.values import CachedValues
from goldpan.infra.stores import open_local_stores
from goldpan.kinds.answer import Answer
from goldpan.kinds.registry import all_kinds
from goldpan.local import bootstrap
from pydantic import JsonValue
from pydantic_core import to_json

from goldpan_local.option_values import mapping
from goldpan_local.progress import cancelling, ignore, show_progress
from goldpan_local.search_options import SearchOptions
from goldpan_local.search_request import filter_names, option_names

KEY, RETENTION = "last-searches", timedelta(hours=24)
MAX_KEPT, MAX_ROUNDS = 8, 5


class KeptSearch(Frozen):
    """A search, when it ended, and its strategy, which is unknown for a cached answer."""

    ended_at: datetime
    request: dict[str, JsonValue]
    strategy: dict[str, JsonValue] | None = None


class KeptSearches(Frozen):
    """The searches, oldest first."""

    searches: tuple[KeptSearch, ...] = ()


class LastSearches:
    """The searches of the last day, in the cache of this machine, oldest first."""

    def __init__(self, cache: Cache, clock: Clock) -> None:
        self._values, self._clock = CachedValues(cache, "translation", KeptSearches, clock), clock

    def read(self) -> list[KeptSearch]:
        """Return the searches that are not too old, the last one last."""
        found, now = self._values.read([KEY]).get(KEY), self._clock.now()
        return [each for each in found.value.searches if now - each.ended_at < RETENTION] if found else []

    def keep(self, request: SearchRequest, strategy: dict[str, JsonValue] | None) -> None:
        """Save a search as the last one; one without a strategy, as for a cached answer, has that of an equal one."""
        kept, written = self.read(), request.model_dump(mode="json", exclude_defaults=True)
        equal = [each.strategy for each in kept if each.request == written and each.strategy]
        last = KeptSearch(ended_at=self._clock.now(), request=written, strategy=strategy or next(iter(equal), None))
        others = [each for each in kept if each.request != written]
        self._values.write({KEY: KeptSearches(searches=(*others, last)[-MAX_KEPT:])})


@contextmanager
def open_searches(environment: Mapping[str, str]) -> Iterator[LastSearches | None]:
    """Open the last searches; None if nothing is kept on this machine."""
    clock = WallClock()
    stores = open_local_stores(bootstrap.LocalSettings.from_environment(environment).cache_file(), clock, {})
    try:
        yield LastSearches(stores.cache, clock) if stores.cache else None
    finally:
        stores.close()


def continued(kept: Sequence[KeptSearch], feedback: str, changes: Mapping[str, object]) -> dict[str, object]:
    """Return the fields of a request that continues the last search with some of its fields changed.

    Raises `InvalidRequest` if there is none.
    """
    if not kept:
        kind = next(kind.name for kind in all_kinds() if kind.continues)
        nothing = f"--refine: there is no search for {kind} of the last 24 hours to continue"
        message = f"{nothing}; `goldpan search QUESTION --kind {kind}` makes one"
        raise InvalidRequest(message)
    last = kept[-1]
    try:
        before = parse_request(last.request)
    except InvalidRequest as error:
        message = f"--refine: the last search cannot be continued with this version: {error}"
        raise InvalidRequest(message) from error
    rounds = [*before.previous_strategies, *([last.strategy] if last.strategy else [])][-MAX_ROUNDS:]
    while len(to_json(rounds)) > MAX_STRATEGIES_BYTES // 2:  # escaped, it may take more
        rounds.pop(0)
    new, old = mapping(changes.get("filters")), mapping(last.request.get("filters"))
    names = filter_names()
    changed = {names[name] for name in new}
    filters = {name: value for name, value in old.items() if names[name] not in changed} | new
    return {**last.request, **changes, "filters": filters, "previous_strategies": rounds, "feedback": feedback}


def answer_request(
    request: SearchRequest, given: SearchOptions, environment: Mapping[str, str], also: OnEvent = ignore
) -> Answer:
    """Search as the options say, and report each event to `also`; Ctrl-C ends the calls.

    Raises `GoldpanError`, which names a field as it is typed.
    """
    runtime = bootstrap.open_runtime(
        environment, request.sources, given.get("catalogue"), revalidate=bool(given.get("revalidate"))
    )
    try:
        with cancelling(runtime), nullcontext(ignore) if given.get("quiet") else show_progress() as show:

            def on_event(event: SearchEvent) -> None:
                also(event)
                show(event)

            return get_or_search(request, runtime, refresh=bool(given.get("refresh")), on_event=on_event)
    except InvalidRequest as error:
        names = option_names() | ({"query": "--query"} if request.compare else {})
        field, _, fault = str(error).partition(": ")
        raise InvalidRequest(f"{names[field]}: {fault}" if field in names else str(error)) from error
