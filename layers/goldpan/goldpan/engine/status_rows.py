"""The status rows of sources: what one strategy got from one source, or why it got nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from goldpan.contracts import FAILED_STATUSES, SourceStatus, Status
from goldpan.engine.stage_values import FAILED, TaskFailure
from goldpan.errors import CallFailed, Defect, InvalidRequest, RateLimited, SourcesFailed, SourcesLimited

STATUS_BYTES = 4096
"""Kept free in a batch for its status row, whose texts are truncated to fit."""
MAX_QUERY_CHARS, MAX_DETAIL_CHARS = 600, 300
FAILURE_DETAILS: dict[str, tuple[Status, str]] = {
    "timeout": ("timeout", "no answer before the deadline of the stage"),
    "not_started": ("timeout", "no answer before the deadline of the stage"),
    "failed": ("unavailable", f"the query {FAILED}"),
}


@dataclass(frozen=True)
class Found:
    """The result of one call for several queries, of which each kind says what records it has.

    `lists` has one list for each query, in their order; a query without an answer has an empty one, and `failures` says
    why. `queries` is what the source was really asked, `notes` what the caller should know about that. A cached result
    has its age in seconds.
    """

    lists: tuple[tuple[object, ...], ...]
    available: int
    queries: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    incomplete: bool = False
    age_s: int | None = None


@dataclass(frozen=True)
class StatusRows:
    """Makes the rows of one strategy at one source."""

    kind: str
    strategy: str
    source: str

    def row(self, status: Status, detail: str, retry_at: datetime | None = None) -> SourceStatus:
        """Make a row with a status and its reason."""
        return SourceStatus(**asdict(self), status=status, detail=detail[:MAX_DETAIL_CHARS], retry_at=retry_at)

    def failed(self, failure: CallFailed) -> SourceStatus:
        """Make the row of a call that failed, with the time at which it may be repeated, if the source gave one."""
        return self.row(failure.status, str(failure), failure.retry_at if isinstance(failure, RateLimited) else None)

    def lost(self, failure: TaskFailure) -> SourceStatus:
        """Make the row of a task that has no result."""
        return self.row(*FAILURE_DETAILS[failure.failure])

    def found(self, found: Found, fetched: int, kept: int, noun: str = "candidates") -> SourceStatus:
        """Make the row of what was found: how many records were fetched, and how many of them fit into the batch."""
        complete = not found.failures and not found.incomplete and kept == fetched
        details = [*found.failures, *found.notes]
        if found.incomplete:
            details.append("the source answered before it had searched everything")
        if kept < fetched:
            details.append(f"{fetched - kept} of {fetched} {noun} were cut to fit")
        row = self.row("truncated" if not complete else "ok" if fetched else "empty", "; ".join(details))
        counts = {"available": found.available, "fetched": fetched, "kept": kept}
        call = {"query": " | ".join(found.queries)[:MAX_QUERY_CHARS], "age_s": found.age_s}
        return row.model_copy(update=counts | call | {"cached": found.age_s is not None})


def require_a_source(rows: Iterable[SourceStatus]) -> None:
    """Raise if no source answered.

    Raises `SourcesFailed`, `SourcesLimited` if every source is over its limit, `Defect` if every query failed
    unexpectedly, and `InvalidRequest` if none of the named sources is configured.
    """
    given = list(rows)
    failed = [row for row in given if row.status in FAILED_STATUSES]
    if len(failed) < len(given):
        return
    if failed and all(row.status == "skipped" for row in failed):
        named = ", ".join(dict.fromkeys(row.source for row in failed))
        reasons = "; ".join(dict.fromkeys(row.detail for row in failed))
        message = f"sources: {named} cannot be queried here ({reasons}); leave sources out for all that are configured"
        raise InvalidRequest(message)
    asked = [row for row in failed if row.status != "skipped"]
    if asked and all(row.detail == FAILURE_DETAILS["failed"][1] for row in asked):
        raise Defect(f"every query {FAILED}")
    sources: dict[str, dict[str, None]] = {}
    for row in asked:  # all that fail without a network fail alike
        sources.setdefault(f"{row.status} ({row.detail})", {})[row.source] = None
    reasons = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in sources.items())
    raise sources_failed(asked, reasons or "there is no source to query")


def sources_failed(failed: Sequence[SourceStatus], message: str) -> SourcesFailed:
    """Make the error of failed sources, with their first `retry_at`: `SourcesLimited` if each is over its limit."""
    retry_at = min((row.retry_at for row in failed if row.retry_at), default=None)
    limited = bool(failed) and all(row.status == "rate_limited" for row in failed)
    return (SourcesLimited if limited else SourcesFailed)(message, retry_at)
