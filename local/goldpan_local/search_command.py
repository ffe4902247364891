"""`goldpan search`: makes the request from the options and the user's file, searches, and prints the answer."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goldpan.config import PipelineConfig
from goldpan.contracts import Answer, SearchRequest, parse_request
from goldpan.engine.deadlines import WallClock
from goldpan.engine.search import get_or_search
from goldpan.errors import InvalidRequest
from goldpan.kinds import registry
from goldpan.local import bootstrap

from goldpan_local.exit_codes import require_stdout, write_notes
from goldpan_local.output import open_result, print_answer
from goldpan_local.progress import show_progress
from goldpan_local.search_options import SearchOptions
from goldpan_local.search_request import NAMES, checked, combine, read_request, request_fields

if TYPE_CHECKING:
    from goldpan_local.last_search import StrategyRecorder

MAX_STDIN = 4_000
"""Bytes of a question on stdin: 500 characters, and spaces."""


def run_search(options: SearchOptions, environment: Mapping[str, str]) -> int:
    """Search, print the answer and return the exit code. Raises `GoldpanError`."""
    require_stdout()
    given, tuning = combine(options, environment)
    if options.refine is None:
        request = read_request(_question(options.question), given, tuning)
    else:
        request = _continue(options, given, tuning, environment)
    answer = (_save if "save" in given else _search)(request, given, environment)
    code = print_answer(answer, given, environment)
    if "open" in given:
        open_result(answer, given["open"])
    return code


def _continue(
    options: SearchOptions, given: Mapping[str, Any], tuning: PipelineConfig | None, environment: Mapping[str, str]
) -> SearchRequest:
    """Make the request that continues the last search. Raises `InvalidRequest`."""
    if options.question:
        raise InvalidRequest("--refine: the question is that of the last search; leave out QUESTION or --refine")
    from goldpan_local.last_search import continued, kept_file, read  # noqa: PLC0415 - with --refine only

    path = kept_file(_cache_file(environment))
    if path is None:
        raise InvalidRequest("--refine: no search is kept, because GOLDPAN_CACHE is off or there is no cache folder")
    kept, problem = read(path, WallClock().now())
    _note(problem)
    changes = request_fields(given, tuning, NAMES)
    if "kinds" in changes:
        parse_request({"query": "any", "kinds": changes["kinds"], "feedback": options.refine}, NAMES)
    return checked(continued(kept, str(options.refine), changes), given, NAMES)


def _note(text: str | None) -> None:
    if text is not None:
        write_notes([text])


def _question(words: list[str] | None) -> str:
    if not words:
        raise InvalidRequest("QUESTION: is required; `goldpan search -h` shows the options")
    return _read_stdin() if words == ["-"] else " ".join(words)


def _read_stdin() -> str:
    """Read the question from stdin, its lines as one."""
    if sys.stdin is None:  # it was closed before the command began
        raise InvalidRequest("QUESTION: stdin is closed")
    text = sys.stdin.buffer.read(MAX_STDIN + 1)
    if len(text) > MAX_STDIN:
        raise InvalidRequest("QUESTION: stdin holds more than 500 characters")
    try:
        return " ".join(text.decode("utf-8-sig").split())
    except UnicodeDecodeError as error:
        message = f"QUESTION: stdin holds no UTF-8 text: {error.reason} at byte {error.start}"
        raise InvalidRequest(message) from error


def _search(request: SearchRequest, given: Mapping[str, Any], environment: Mapping[str, str]) -> Answer:
    """Search, and keep what `--refine` continues."""
    if not any(registry.get_kind(name).continues for name in request.kinds):
        return answer_request(request, given, environment)
    from goldpan_local.last_search import StrategyRecorder, keep, kept_file  # noqa: PLC0415 - for such kinds only

    recorder, path = StrategyRecorder(), kept_file(_cache_file(environment))
    answer = answer_request(request, given, environment, recorder)
    if path is not None:
        _note(keep(path, request, recorder.strategy, WallClock().now()))
    return answer


def _cache_file(environment: Mapping[str, str]) -> Path | None:
    return bootstrap.LocalSettings.from_environment(environment).cache_file()


def answer_request(
    request: SearchRequest,
    given: Mapping[str, Any],
    environment: Mapping[str, str],
    recorder: StrategyRecorder | None = None,
) -> Answer:
    """Search as the options say, with the progress on a terminal; Ctrl-C ends the calls."""
    runtime = bootstrap.open_runtime(
        environment, request.sources, given.get("catalogue"), ask_again=bool(given.get("ask_again"))
    )
    try:
        with nullcontext() if given.get("quiet") else show_progress() as on_event:
            report = recorder.before(on_event) if recorder else on_event
            return get_or_search(request, runtime, refresh=bool(given.get("refresh")), on_event=report)
    except KeyboardInterrupt:
        runtime.clock.cancel()
        raise


def _save(request: SearchRequest, given: Mapping[str, Any], environment: Mapping[str, str]) -> Answer:
    from goldpan_local.saved.commands import save_and_search  # noqa: PLC0415 - with --save only

    return save_and_search(request, given, environment)
