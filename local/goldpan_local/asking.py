"""Asks one question and waits for its answer, telling the progress."""

from __future__ import annotations

from goldpan.bootstrap import Runtime
from goldpan.contracts import Answer, SearchRequest
from goldpan.pipeline import stream_search

from goldpan_local.progress import shown_progress


def ask(request: SearchRequest, runtime: Runtime, *, quiet: bool) -> Answer:
    """Run the search; Ctrl-C gives it up at once, whatever its threads wait for. Raises `SearchEnded`."""
    events = stream_search(request, runtime.ports, sources=runtime.sources, fallback=runtime.fallback)
    answer: Answer | None = None
    try:
        with shown_progress(quiet=quiet) as progress:
            for event in events:
                progress.tell(event)
                answer = event.answer
    except KeyboardInterrupt:
        runtime.clock.cancel()
        raise
    if answer is None:
        message = "the search ended without its last event"
        raise RuntimeError(message)
    return answer
