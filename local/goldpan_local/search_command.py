"""The parts of `goldpan search` around the search itself: reading the options and printing the answer."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

from goldpan.config import PipelineConfig
from goldpan.contracts import Answer, SearchRequest, parse_request
from goldpan.errors import InvalidRequest

from goldpan_local.escaping import escape_json
from goldpan_local.exit_codes import NOTHING_FOUND, SUCCESS, write_stdout

READERS = {".json": json.loads, ".toml": tomllib.loads}


def read_request(
    options: Mapping[str, object], filters: Mapping[str, object], config_file: Path | None
) -> SearchRequest:
    """Make the request from the options and filters that were given; those left out keep the contract's defaults.

    Raises `InvalidRequest`.
    """
    fields = {**_given(options), "filters": _given(filters)}
    return parse_request(fields if config_file is None else {**fields, "config": read_config(config_file)})


def _given(options: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in options.items() if value not in (None, [])}


def read_config(path: Path) -> PipelineConfig:
    """Read overrides from a JSON or TOML file. Raises `InvalidRequest` that names the file and the line or field."""
    fields = _read_fields(path)
    try:
        return parse_request({"query": "any", "config": fields}).config
    except InvalidRequest as error:
        message = f"{path}: {error}"
        raise InvalidRequest(message) from error


def _read_fields(path: Path) -> object:
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        message = f"{path}: the name of a config file must end in .json or .toml"
        raise InvalidRequest(message)
    try:
        return reader(path.read_text("utf-8-sig"))
    except OSError as error:
        message = f"{path}: {error.strerror or error}"
        raise InvalidRequest(message) from error
    except json.JSONDecodeError as error:
        message = f"{path}: not JSON: {error.msg} (at line {error.lineno}, column {error.colno})"
        raise InvalidRequest(message) from error
    except (ValueError, RecursionError) as error:
        message = f"{path}: cannot be read as {path.suffix[1:].upper()}: {error}"
        raise InvalidRequest(message) from error


def print_answer(answer: Answer, output_format: str, *, details: bool = False) -> int:
    """Print the answer as a table, with or without details, as JSON or as Markdown; returns the exit code."""
    if output_format == "json":
        write_stdout(escape_json(answer.to_json(indent=2)) + "\n")
    elif output_format == "markdown":
        from goldpan_local.markdown import render_markdown  # noqa: PLC0415 - for this format only

        write_stdout(render_markdown(answer))
    else:
        from goldpan_local.table import render_table  # noqa: PLC0415 - imports rich

        write_stdout(render_table(answer, details=details), sys.stdout.encoding or "utf-8")
    return SUCCESS if any(section.results for section in answer.sections.values()) else NOTHING_FOUND
