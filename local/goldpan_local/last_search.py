"""Answers a request of the command, and keeps the search that `--refine` continues, in the cache for 24 hours."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

from goldpan.config import Frozen
from goldpan.contracts import SearchRequest, parse_request
from goldpan.engine.dependencies import Connections
from goldpan.engine.search import get_or_search
from goldpan.errors import GoldpanError, InvalidRequest, naming
from goldpan.infra.cache import CachedValues, Namespace
from goldpan.kinds.answer import Answer
from goldpan.known import Known
from goldpan.local import bootstrap
from pydantic import JsonValue

from goldpan_local.formats.notes import known_lines
from goldpan_local.progress import cancelling, show_activity
from goldpan_local.search_options import SearchOptions
from goldpan_local.search_request import filter_names, given_filters, option_names, request_fields

KEY, RETENTION = "last-search", timedelta(hours=24)
NAMESPACE: Namespace = "translation"


class KeptSearch(Frozen):
    """A search, when it ended, and the strategies of its answer."""

    ended_at: datetime
    request: dict[str, JsonValue]
    strategies: tuple[dict[str, JsonValue], ...] = ()
    catalogue: Path | None = None
    """The file that it searched."""


def read_last(opened: Connections) -> KeptSearch | None:
    """Return the last search, None if there is none or it is too old. Raises `InvalidRequest` without a cache."""
    if opened.cache is None:
        raise InvalidRequest("no search is kept: GOLDPAN_CACHE is off, or there is no cache folder")
    found = CachedValues(opened.cache, NAMESPACE, KeptSearch, opened.clock).read([KEY]).get(KEY)
    return found.value if found and opened.clock.now() - found.value.ended_at < RETENTION else None


def keep_last(opened: Connections, request: SearchRequest, answer: Answer, catalogue: Path | None = None) -> None:
    """Save a search as the last one, if there is a cache."""
    written = request.model_dump(mode="json", exclude_defaults=True, exclude={"offset"})
    strategies = [one for section in answer.sections.values() for one in section.strategies]
    kept = {"ended_at": opened.clock.now(), "request": written, "strategies": strategies}
    kept["catalogue"] = catalogue and catalogue.resolve()
    if opened.cache is not None:
        values = CachedValues(opened.cache, NAMESPACE, KeptSearch, opened.clock)
        values.write({KEY: KeptSearch.model_validate(kept)})


def continued(last: KeptSearch | None, given: SearchOptions) -> dict[str, object]:
    """Return the last request with fields changed, wishes and `ignore` added. Raises `InvalidRequest` without one."""
    if last is None:
        raise InvalidRequest("there is no search of the last 24 hours to continue; `goldpan search QUESTION` makes one")
    with naming("the last search cannot be continued with this version"):
        before = parse_request(last.request)
    new, names = dict(given_filters(given)), filter_names()
    changed = {names[name] for name in new}
    kept = {name: value for name, value in before.filters.items() if names[name] not in changed}
    added = {
        "filters": kept | new,
        "ignore": tuple(dict.fromkeys((*before.ignore, *given.get("ignore", [])))),
        "feedback": tuple(dict.fromkeys((*before.feedback, *given.get("refine", [])))),
        "previous_strategies": last.strategies,
    }
    return {**last.request, **request_fields(given), **added}


def answer_request(request: SearchRequest, given: SearchOptions, environment: Mapping[str, str]) -> Answer:
    """Search as the options say; Ctrl-C ends the calls.

    Raises `GoldpanError`, which names a field as it is typed, and has a note for each line of what was known.
    """
    runtime = bootstrap.open_runtime(
        environment,
        request.sources,
        given.get("catalogue"),
        kinds=request.kinds,
        revalidate=bool(given.get("revalidate")),
    )
    try:
        with cancelling(runtime), show_activity("Reading the question", quiet=given.get("quiet", False)) as show:
            return get_or_search(
                request,
                runtime,
                refresh=bool(given.get("refresh")),
                all_pages=bool(given.get("all")),
                on_event=lambda event: show(f"{event.message} ({event.execution_time.total} ms)"),
            )
    except InvalidRequest as error:
        names, (field, _, fault) = option_names(), str(error).partition(": ")
        raise InvalidRequest(f"{names[field]}: {fault}" if field in names else str(error)) from error
    except GoldpanError as error:
        for line in known_lines(error.known or Known()):
            error.add_note(line)
        raise
