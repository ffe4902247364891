"""Files that configure a search: `--config FILE`, and the user's own `goldpan/config.toml`."""

import json
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal, cast

from goldpan.config import PipelineConfig
from goldpan.contracts import SearchRequest
from goldpan.contracts.validation_errors import parse_fields
from goldpan.errors import InvalidRequest, naming
from goldpan.infra.settings import user_folder
from pydantic import StrictBool, create_model

from goldpan_local.files import named_in_errors
from goldpan_local.option_values import FORMATS

CONFIG_FILE = "goldpan/config.toml"
OF_REQUEST = {"kind": "kinds", **{name: name for name in ("mode", "max_results", "max_seconds", "max_llm_calls")}}
FLAGS = ("details", "weaker", "compact", "quiet")
"""The options that the user's file may set, with `--format`: they mean the same for every kind."""


def read_user_file(environment: Mapping[str, str]) -> tuple[Path | None, dict[str, object]]:
    """Return the path of the user's file, None without one, and its options. Raises `InvalidRequest`."""
    folder = user_folder(environment.get("XDG_CONFIG_HOME"), environment.get("HOME"), ".config")
    path = folder / CONFIG_FILE if folder else None
    if path is None or not _is_there(path):
        return None, {}
    of_request = {name: SearchRequest.model_fields[field] for name, field in OF_REQUEST.items()}
    fields: dict[str, object] = {name: (field.annotation, field) for name, field in of_request.items()}
    fields |= dict.fromkeys(FLAGS, (StrictBool, False)) | {"format": (Literal[FORMATS], FORMATS[0])}
    make: Callable[..., type[PipelineConfig]] = create_model
    given = {name.replace("-", "_"): value for name, value in cast("dict[str, object]", _read(path)).items()}
    with naming(str(path)):
        parsed = parse_fields(make("UserFile", __base__=PipelineConfig, **fields), given)
    options = {name: getattr(parsed, name) for name in parsed.model_fields_set}
    overrides = {name: options.pop(name) for name in PipelineConfig.model_fields if name in options}
    return path, options | ({"tuning": PipelineConfig(**overrides)} if overrides else {})


def read_overrides(path: Path) -> PipelineConfig:
    """Read overrides from a JSON or TOML file. Raises `InvalidRequest` that names the file and the line or field."""
    fields = _read(path)
    with naming(str(path)):
        return parse_fields(PipelineConfig, fields)


def _is_there(path: Path) -> bool:
    """Report whether there is such a file. Raises `InvalidRequest` if its folder cannot be read."""
    with named_in_errors(path, InvalidRequest), suppress(FileNotFoundError, NotADirectoryError):
        path.stat()
        return True
    return False


def _read(path: Path) -> object:
    suffix = path.suffix.lower()
    if suffix not in (".json", ".toml"):
        raise InvalidRequest(f"{path}: the name of a config file must end in .json or .toml")
    with naming(f"{path}: cannot be read as {suffix[1:].upper()}", ValueError, RecursionError):
        with named_in_errors(path, InvalidRequest):
            text = path.read_text("utf-8-sig")
        return json.loads(text) if suffix == ".json" else tomllib.loads(text)
