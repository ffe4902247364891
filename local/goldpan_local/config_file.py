"""Reads the overrides of a search from a JSON or TOML file."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from goldpan.config import PipelineConfig
from goldpan.contracts import parse_request
from goldpan.errors import InvalidRequest

READERS = {".json": json.loads, ".toml": tomllib.loads}


def read_config(path: Path) -> PipelineConfig:
    """Read the file; raises `InvalidRequest` naming the file, and the line or the field that is wrong."""
    fields = _fields(path)
    try:
        return parse_request({"query": "any", "config": fields}).config
    except InvalidRequest as error:
        message = f"{path}: {error}"
        raise InvalidRequest(message) from error


def _fields(path: Path) -> object:
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        message = f"{path}: the name of a config file ends in .json or .toml"
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
