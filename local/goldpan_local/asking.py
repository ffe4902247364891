"""Asks one question and waits for its answer, telling the progress."""

from __future__ import annotations

from goldpan.contracts import Answer, SearchRequest
from goldpan.engine.library import answered, stream_search
from goldpan.engine.runtime import Runtime

from goldpan_local.progress import shown_progress


def ask(request: SearchRequest, runtime: Runtime, *, quiet: bool, refresh: bool = False) -> Answer:
    """Run the search, or remember its answer; Ctrl-C gives it up at once, whatever its threads wait for.

    Raises `TerminalError`.
    """
    try:
        return answered(request, runtime, lambda left: _shown(left, runtime, quiet=quiet), refresh=refresh)
    except KeyboardInterrupt:
        runtime.clock.cancel()
        raise


def _shown(request: SearchRequest, runtime: Runtime, *, quiet: bool) -> Answer:
    """Search, and show how it goes on."""
    answer: Answer | None = None
    with shown_progress(quiet=quiet) as progress:
        for event in stream_search(request, runtime=runtime):
            progress.tell(event)
            answer = event.answer
    if answer is None:
        message = "the search ended without its last event"
        raise RuntimeError(message)
    return answer
