"""Files that configure a search: `--config FILE`, and the user's own `goldpan/config.toml`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from goldpan.config import PipelineConfig
from goldpan.contracts import parse_request
from goldpan.contracts.validation_errors import MAX_VALUE_CHARS, suggest
from goldpan.errors import InvalidRequest

from goldpan_local.files import named_in_errors
from goldpan_local.option_values import mapping
from goldpan_local.search_options import Flag, Texts, search_signature

CONFIG_FILE = "goldpan/config.toml"
NOT_IN_FILE = {"question", "refine", "save", "config"}
"""The options that the user's file may not set."""


def user_file(environment: Mapping[str, str]) -> Path | None:
    """Return the path of the user's file (XDG Base Directory Specification), which need not exist."""
    folder = Path(environment.get("XDG_CONFIG_HOME", ""))
    if folder.is_absolute():
        return folder / CONFIG_FILE
    home = environment.get("HOME")
    return Path(home, ".config", CONFIG_FILE) if home else None


def read_user_file(environment: Mapping[str, str]) -> tuple[Path | None, dict[str, object], PipelineConfig | None]:
    """Read the options and the overrides that the user's file sets; returns its path, or None if there is no file.

    Raises `InvalidRequest` that names the file and the line or field.
    """
    path = user_file(environment)
    if path is None or not path.exists():
        return None, {}, None
    given = {name.replace("-", "_"): value for name, value in mapping(_read(path)).items()}
    overrides = {name: given.pop(name) for name in PipelineConfig.model_fields if name in given}
    options = {name: _option(path, name, value) for name, value in given.items()}
    return path, options, parse_overrides(path, overrides) if overrides else None


def read_overrides(path: Path) -> PipelineConfig:
    """Read overrides from a JSON or TOML file. Raises `InvalidRequest` that names the file and the line or field."""
    return parse_overrides(path, _read(path))


def parse_overrides(path: Path, overrides: object) -> PipelineConfig:
    """Parse the overrides of a file."""
    try:
        return parse_request({"query": "any", "config": overrides}).config
    except InvalidRequest as error:
        message = f"{path}: {error}"
        raise InvalidRequest(message) from error


def _option_types() -> dict[str, object]:
    """Return the options that the file may set, with the types of their values."""
    given = search_signature().parameters.values()
    return {each.name: get_args(each.annotation)[0] for each in given if each.name not in NOT_IN_FILE}


def _option(path: Path, name: str, value: object) -> object:
    """Return the value of an option as it would be typed."""
    types = _option_types()
    kind = types.get(name)
    if kind is None:
        allowed = [*types, *PipelineConfig.model_fields]
        message = f"{path}: {name}: unknown field (allowed: {', '.join(allowed)}{suggest(name, allowed)})"
        raise InvalidRequest(message)
    if kind == Flag:
        return _checked(path, name, value, bool, "true or false")
    if kind == Texts:
        values = value if isinstance(value, list) else [value]
        return [_checked(path, name, each, str, "a text or a list of texts") for each in values]
    if isinstance(value, bool | list | dict):
        _checked(path, name, value, str, "a text or a number")
    return path.parent / Path(str(value)).expanduser() if name == "catalogue" else str(value)


def _checked(path: Path, name: str, value: object, wanted: type, words: str) -> object:
    if not isinstance(value, wanted):
        message = f"{path}: {name}: must be {words} (given {str(value)[:MAX_VALUE_CHARS]})"
        raise InvalidRequest(message)
    return value


def _read(path: Path) -> object:
    """Read a file by its suffix."""
    suffix = path.suffix.lower()
    if suffix not in (".json", ".toml"):
        message = f"{path}: the name of a config file must end in .json or .toml"
        raise InvalidRequest(message)
    try:
        with named_in_errors(path, InvalidRequest):
            text = path.read_text("utf-8-sig")
        return json.loads(text) if suffix == ".json" else tomllib.loads(text)
    except json.JSONDecodeError as error:
        message = f"{path}: not JSON: {error.msg} (at line {error.lineno}, column {error.colno})"
        raise InvalidRequest(message) from error
    except (ValueError, RecursionError) as error:
        message = f"{path}: cannot be read as {suffix[1:].upper()}: {error}"
        raise InvalidRequest(message) from error
