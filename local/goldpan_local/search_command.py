"""What `goldpan search` does, once its options are read."""

from __future__ import annotations

import os
from pathlib import Path

from goldpan.contracts import parse_request
from goldpan.engine.search import get_or_search

from goldpan_local.answer_formats import write_answer
from goldpan_local.bootstrap import open_runtime
from goldpan_local.config_file import read_config
from goldpan_local.endings import ANSWERED, NOTHING_FOUND
from goldpan_local.progress import shown_progress


def answer_question(  # noqa: PLR0913 - one argument an option
    given: dict[str, object], *, catalogue: Path | None, config: Path | None, form: str, quiet: bool, refresh: bool
) -> int:
    """Answer the question and give the exit code; only what was given is passed, so that the defaults hold."""
    overrides = {} if config is None else {"config": read_config(config)}
    request = parse_request({**given, **overrides})
    runtime = open_runtime(os.environ, request.sources, catalogue)
    try:
        with shown_progress(quiet=quiet) as progress:
            answer = get_or_search(request, runtime, refresh=refresh, on_event=progress.tell)
    except KeyboardInterrupt:
        runtime.clock.cancel()
        raise
    write_answer(answer, form)
    return ANSWERED if any(section.results for section in answer.sections.values()) else NOTHING_FOUND
