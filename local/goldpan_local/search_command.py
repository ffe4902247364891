"""`goldpan search`: makes the request from the options and the user's file, searches, and prints the answer."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import asdict
from typing import Any

from goldpan.config import PipelineConfig
from goldpan.contracts import Answer, SearchRequest, parse_request
from goldpan.engine.search import get_or_search
from goldpan.engine.validation_errors import suggest
from goldpan.errors import InvalidRequest

from goldpan_local import bootstrap
from goldpan_local.completion import FORMATS
from goldpan_local.config_files import read_overrides, read_user_file
from goldpan_local.exit_codes import require_stdout
from goldpan_local.output import open_result, print_answer
from goldpan_local.progress import show_progress
from goldpan_local.search_options import SearchOptions

REQUEST = {"kind": "kinds", "source": "sources"} | {
    name: name for name in ("mode", "sort", "max_results", "max_seconds", "max_llm_calls", "ignore")
}
FILTERS = {"topic": "topics"} | {
    name: name for name in ("language", "license", "min_stars", "max_stars", "pushed_since", "created_since", "exclude")
}
"""The field of the request, or of its filters, that an option sets."""
NAMES = {"query": "QUESTION", "format": "--format"} | {
    field: f"--{option.replace('_', '-')}"
    for option, field in [*REQUEST.items(), *((option, f"filters.{name}") for option, name in FILTERS.items())]
}
"""How the messages name a field: as it is typed."""
NAMES_IN_FILE = {field: name.removeprefix("--").replace("-", "_") for field, name in NAMES.items()}
IN_ANY_CASE = ("mode", "sort", "kind", "source", "format")
MAX_STDIN = 4_000
"""Bytes of a question on stdin: 500 characters, and spaces."""


def run_search(options: SearchOptions, environment: Mapping[str, str]) -> int:
    """Search, print the answer and return the exit code. Raises `GoldpanError`."""
    require_stdout()
    given, tuning = combine(options, environment)
    request = read_request(_question(options.question), given, tuning)
    answer = _search(request, given, environment)
    code = print_answer(answer, given, environment)
    if "open" in given:
        open_result(answer, given["open"])
    return code


def combine(options: SearchOptions, environment: Mapping[str, str]) -> tuple[dict[str, Any], PipelineConfig | None]:
    """Return the options that were given or stand in the user's file, and the overrides of `--config` or that file.

    What is typed takes the place of what the file says. Raises `InvalidRequest`.
    """
    typed = {name: value for name, value in asdict(options).items() if value not in (None, [])}
    chosen, tuning = _read_user_file(environment)
    if "catalogue" not in typed.get("source", ["catalogue"]):
        chosen.pop("catalogue", None)
    if "catalogue" in typed:
        chosen.pop("source", None)
    return {**chosen, **_lower_case(typed)}, read_overrides(options.config) if options.config else tuning


def read_request(
    query: str, given: Mapping[str, Any], tuning: PipelineConfig | None, names: Mapping[str, str] = NAMES
) -> SearchRequest:
    """Make the request; what was not given keeps the contract's default. Raises `InvalidRequest` by these names."""
    if (chosen := given.get("format", FORMATS[0])) not in FORMATS:
        message = f"{names['format']}: {chosen!r} is unknown; allowed: {', '.join(FORMATS)}{suggest(chosen, FORMATS)}"
        raise InvalidRequest(message)
    fields: dict[str, Any] = {field: given[option] for option, field in REQUEST.items() if option in given}
    filters = {field: given[option] for option, field in FILTERS.items() if option in given}
    overrides = {} if tuning is None else {"config": tuning}
    return parse_request({"query": query, **fields, "filters": filters, **overrides}, names)


def _read_user_file(environment: Mapping[str, str]) -> tuple[dict[str, Any], PipelineConfig | None]:
    """Read the user's file, and check its options by themselves, so that the message names the file."""
    path, options, tuning = read_user_file(environment)
    chosen = _lower_case(options)
    try:
        read_request("any", chosen, None, NAMES_IN_FILE)
    except InvalidRequest as error:
        message = f"{path}: {error}"
        raise InvalidRequest(message) from error
    return chosen, tuning


def _lower_case(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _lower(value) if name in IN_ANY_CASE else value for name, value in given.items()}


def _lower(value: Any) -> Any:
    return [each.lower() for each in value] if isinstance(value, list) else value.lower()


def _question(words: list[str]) -> str:
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
    runtime = bootstrap.open_runtime(environment, request.sources, given.get("catalogue"))
    try:
        with nullcontext() if given.get("quiet") else show_progress() as on_event:
            return get_or_search(request, runtime, refresh=bool(given.get("refresh")), on_event=on_event)
    except KeyboardInterrupt:
        runtime.clock.cancel()
        raise
