"""What `goldpan search` does, once its options are read."""

from __future__ import annotations

from pathlib import Path

from goldpan.contracts import parse_request

from goldpan_local import runtime
from goldpan_local.answer_formats import write_answer
from goldpan_local.asking import ask
from goldpan_local.config_file import read_config
from goldpan_local.endings import ANSWERED, NOTHING_FOUND


def answer_question(  # noqa: PLR0913 - one argument an option
    given: dict[str, object], *, catalogue: Path | None, config: Path | None, form: str, quiet: bool, refresh: bool
) -> int:
    """Answer the question and give the exit code; only what was given is passed, so that the defaults hold."""
    overrides = {} if config is None else {"config": read_config(config)}
    request = parse_request({**given, **overrides})
    answer = ask(request, runtime.open_runtime(request.sources, catalogue), quiet=quiet, refresh=refresh)
    write_answer(answer, form)
    return ANSWERED if answer.repositories and answer.repositories.results else NOTHING_FOUND
