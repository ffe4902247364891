"""Answers a request of the command, with its progress on a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING

from goldpan.contracts import SearchRequest
from goldpan.engine.search import get_or_search
from goldpan.errors import InvalidRequest
from goldpan.kinds.answer import Answer
from goldpan.local import bootstrap

from goldpan_local.progress import show_progress
from goldpan_local.search_request import option_names

if TYPE_CHECKING:
    from goldpan_local.last_search import StrategyRecorder
    from goldpan_local.search_options import SearchOptions


def answer_request(
    request: SearchRequest,
    given: SearchOptions,
    environment: Mapping[str, str],
    recorder: StrategyRecorder | None = None,
) -> Answer:
    """Search as the options say; Ctrl-C ends the calls. Raises `GoldpanError`, which names a field as it is typed."""
    runtime = bootstrap.open_runtime(
        environment, request.sources, given.get("catalogue"), revalidate=bool(given.get("revalidate"))
    )
    try:
        with nullcontext() if given.get("quiet") else show_progress() as on_event:
            report = recorder.before(on_event) if recorder else on_event
            return get_or_search(request, runtime, refresh=bool(given.get("refresh")), on_event=report)
    except KeyboardInterrupt:
        runtime.clock.cancel()
        raise
    except InvalidRequest as error:
        names = option_names() | ({"query": "--query"} if request.compare else {})
        field, _, fault = str(error).partition(": ")
        raise InvalidRequest(f"{names[field]}: {fault}" if field in names else str(error)) from error
