"""What the sources that are HTTP APIs have in common: queries and look-ups are requests, each for a page of records."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import chain
from typing import ClassVar

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import CallFailed, Refused, TimedOut, Unavailable
from goldpan.infra.http import HttpResponse
from goldpan.infra.source_client import SourceClient
from goldpan.infra.threads import CPU_LOCK, run_parallel
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import Paper, PaperQuery
from goldpan.kinds.papers.ports import SearchResult
from goldpan.kinds.papers.sources.queries import Asked
from goldpan.kinds.papers.sources.records import Record, read_count, read_records
from goldpan.kinds.papers.sources.settings import PaperSettings, title_of

PAGE, SHARED_PAGE = 40, 20
"""Records that one query asks for, alone and together with others: some 40 of a source are kept, the best of each query
first, and those that are read beyond cost every search time."""
LOOK_UP_ROWS = 50
"""Records that a look-up asks for: a search looks 20 DOIs up, of which one may have several."""
LATE = "no answer before the deadline"
NOTHING_FOUND = SearchResult(((),), 0)
NEEDED = frozenset(
    {"search", "search.semantic", "query", "query.bibliographic", "q", "search_query", "id_list", "engine", "api_key"}
)
"""What a request asks for, and its key: without one of these it would be another request."""
LISTS = frozenset({"select", "fields", "filter"})
"""The parameters that are lists, whose members are refused one by one; that of a filter such as `type:book` is type."""


def _refused_name(message: str, params: Mapping[str, str]) -> str | None:
    """Return the parameter, or the member of a list, that a message names first, and that a request can go without."""
    optional = {name: value for name, value in params.items() if name not in NEEDED}
    members = [member.partition(":")[0] for name in LISTS for member in optional.get(name, "").split(",")]
    for names in (members, optional):
        found = ((name, re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", message)) for name in names if name)
        if places := {name: at.start() for name, at in found if at}:
            return min(places, key=places.__getitem__)
    return None


def _without(params: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
    kept = {name: value for name, value in params.items() if name not in names}
    for name in LISTS & kept.keys():
        kept[name] = ",".join(member for member in kept[name].split(",") if member.partition(":")[0] not in names)
    return {name: value for name, value in kept.items() if value or name not in LISTS}


class ApiSource(ABC):
    """A source of papers behind an HTTP API; raises `CallFailed` or `CredentialRejected`."""

    name: ClassVar[str]
    max_in_flight: int = 10
    default_wait: ClassVar[timedelta] = timedelta(minutes=1)
    """After a rate limit without a time."""
    is_paid: ClassVar[bool] = False
    """Whether each call is paid for, so that none is repeated after a failure."""
    widened: ClassVar[str] = "the first search found nothing, so a second one asked for any of its words"

    def __init__(self, settings: PaperSettings, connections: Connections) -> None:
        self.title = title_of(self.name)
        self._refused: tuple[str, ...] = ()
        """The parameters, and the members of their lists, that the source has refused in this process."""
        secret = getattr(settings, f"{self.name}_api_key", None)
        self.key: str | None = secret.get_secret_value() if secret else None
        self.client = SourceClient(
            self.name,
            getattr(settings, f"{self.name}_url"),
            connections,
            title=self.title,
            key=self.key,
            key_variable=f"{self.name}_api_key".upper(),
            headers=self.headers(),
            max_in_flight=self.max_in_flight,
            default_wait=self.default_wait,
            longest_wait=timedelta(days=1),
            is_paid=self.is_paid,
        )

    def send(  # noqa: PLR0913 - as `SourceClient.send`
        self,
        path: str,
        params: Mapping[str, str],
        deadline: Deadline,
        *,
        body: object = None,
        cost: int = 1,
        limit: str | None = None,
    ) -> HttpResponse:
        """Send a request, once more without a parameter that the source refuses by name; see `SourceClient.send`."""
        given = _without(params, self._refused)
        try:
            return self.client.send(path, given, deadline, body=body, cost=cost, limit=limit)
        except Refused as refusal:
            name = _refused_name(str(refusal), given)
            if name is None:
                raise
        response = self.client.send(path, _without(given, (name,)), deadline, body=body, cost=cost, limit=limit)
        self._refused = tuple(dict.fromkeys((*self._refused, name)))  # it helped
        return response

    def headers(self) -> Mapping[str, str]:
        """Return the headers of every request."""
        return {}

    @staticmethod
    def write(query: PaperQuery, constraints: Constraints, /) -> Asked:
        """Write a query with all constraints that the source can filter by."""
        raise NotImplementedError

    def write_searches(self, query: PaperQuery, constraints: Constraints) -> list[Asked]:
        """Write a query as it is sent, in each way in which the source is searched."""
        return [self.write(query, constraints)]

    def widen(self, query: PaperQuery) -> PaperQuery:
        """Return what is asked for where a query found nothing: any of the concepts, or what was quoted alone."""
        exact = tuple((text,) for text in query.exact)
        return PaperQuery(concepts=exact or (tuple(chain.from_iterable(query.concepts)),), exact=query.exact)

    def write_look_up(self, dois: Sequence[str]) -> Asked:
        """Write one request for papers by their DOIs; without a text if the source can know none of them."""
        raise NotImplementedError

    @abstractmethod
    def fetch(self, asked: Asked, rows: int, deadline: Deadline) -> tuple[object, object]:
        """Send a request for a number of records; returns the list of records, and how many there are in all."""

    @staticmethod
    @abstractmethod
    def read(record: Record, /) -> Paper | None:
        """Read one record; None without a title."""

    def search(self, queries: Sequence[PaperQuery], constraints: Constraints, deadline: Deadline) -> SearchResult:
        """Run the first query, filtered as far as the source can, and a wider one if that finds nothing."""
        asked = self.write_searches(queries[0], constraints)
        rows = PAGE if len(asked) == 1 else SHARED_PAGE
        found = run_queries(asked, partial(self._page, rows=rows, deadline=deadline), deadline)
        wide = Asked("") if any(found.lists) else self.write(self.widen(queries[0]), constraints)
        if wide.text not in {"", *found.queries}:
            try:
                again = self._page(wide, PAGE, deadline)
                lists, sent = (*again.lists, *found.lists[1:]), (*found.queries, wide.text)
                found = replace(again, lists=lists, queries=sent, notes=(*found.notes, self.widened))
            except CallFailed as failure:
                found = replace(found, failures=(f"a second, wider query failed: {failure}",))
        refused = [f"{self.title} refused {', '.join(self._refused)}, and was asked without"] if self._refused else []
        return replace(found, notes=(*found.notes, *refused))

    def look_up(self, dois: Sequence[str], deadline: Deadline) -> SearchResult:
        """Return the records of these DOIs, in one list; it is free."""
        asked = self.write_look_up(list(dict.fromkeys(dois)))
        found = self._page(asked, LOOK_UP_ROWS, deadline) if asked.text else NOTHING_FOUND
        return replace(found, available=len(found.lists[0]))

    def _page(self, asked: Asked, rows: int, deadline: Deadline) -> SearchResult:
        items, total = self.fetch(asked, rows, deadline)
        if items == [] and read_count(total):
            raise Unavailable(f"{self.title}'s response has none of its {total} results")
        with CPU_LOCK:
            papers, unread = read_records(items, self.read, self.title)
        return SearchResult((papers,), read_count(total) or len(papers), unread=unread)


def run_queries(asked: Sequence[Asked], fetch: Callable[[Asked], SearchResult], deadline: Deadline) -> SearchResult:
    """Run the queries of a search at the same time, and join their first pages.

    `available` is that of the query that has most. Raises the first `CallFailed` of the source, not of our own
    limit, if no query found a paper, and `CredentialRejected`.
    """

    def attempt(query: Asked) -> SearchResult | CallFailed:
        try:
            return fetch(query) if query.text else NOTHING_FOUND
        except CallFailed as failure:
            return failure

    outcomes = [outcome or TimedOut(LATE) for outcome in run_parallel(asked, attempt, len(asked), deadline)]
    pages = [outcome if isinstance(outcome, SearchResult) else NOTHING_FOUND for outcome in outcomes]
    failures = [outcome for outcome in outcomes if isinstance(outcome, CallFailed)]
    if failures and not any(page.lists[0] for page in pages):
        raise next((failure for failure in failures if failure.sent), failures[0])
    return SearchResult(
        lists=tuple(page.lists[0] for page in pages),
        available=max((page.available for page in pages), default=0),
        queries=tuple(query.text for query in asked),
        notes=tuple(dict.fromkeys(note for query in asked for note in query.notes)),
        failures=tuple(f"a query failed: {failure}" for failure in failures),
        unread=sum(page.unread for page in pages),
    )
