"""Files that configure a search: `--config FILE`, and the user's own `goldpan/config.toml`."""

import json
import tomllib
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, get_args

from goldpan.config import PipelineConfig
from goldpan.contracts.validation_errors import parse_fields
from goldpan.errors import InvalidRequest, naming
from pydantic import BeforeValidator, ConfigDict, StrictBool, create_model

from goldpan_local.files import named_in_errors, user_folder
from goldpan_local.option_values import mapping
from goldpan_local.search_options import Flag, Texts, search_signature

CONFIG_FILE = "goldpan/config.toml"
NOT_IN_FILE = {"question", "refine", "save", "add_to", "json", "jq", "config"}
"""The options that the user's file may not set."""
IN_FILE: Mapping[object, object] = {
    str | None: Annotated[str, BeforeValidator(lambda given: str(given) if isinstance(given, date) else given)],
    Flag: StrictBool,
    Texts: Annotated[list[str], BeforeValidator(lambda given: given if isinstance(given, list) else [given])],
}
"""The types of options that are written otherwise than on the command line."""


class _UserFile(PipelineConfig):
    """The overrides in the user's file, in addition to the options of a search."""

    model_config = ConfigDict(coerce_numbers_to_str=True)


def read_user_file(environment: Mapping[str, str]) -> tuple[Path | None, dict[str, object]]:
    """Return the path of the user's file, None without one, and its options. Raises `InvalidRequest`."""
    folder = user_folder(environment, "XDG_CONFIG_HOME", ".config")
    path = folder / CONFIG_FILE if folder else None
    if path is None or not path.exists():
        return None, {}
    typed = {each.name: get_args(each.annotation)[0] for each in search_signature().parameters.values()}
    fields = {name: (IN_FILE.get(each, each), None) for name, each in typed.items() if name not in NOT_IN_FILE}
    make: Callable[..., type[_UserFile]] = create_model
    given = {name.replace("-", "_"): value for name, value in mapping(_read(path)).items()}
    with naming(str(path)):
        parsed = parse_fields(make("UserFile", __base__=_UserFile, **fields), given)
    options = {name: getattr(parsed, name) for name in parsed.model_fields_set}
    overrides = {name: options.pop(name) for name in PipelineConfig.model_fields if name in options}
    if "catalogue" in options:
        options["catalogue"] = path.parent / options["catalogue"].expanduser()
    return path, options | ({"tuning": PipelineConfig(**overrides)} if overrides else {})


def read_overrides(path: Path) -> PipelineConfig:
    """Read overrides from a JSON or TOML file. Raises `InvalidRequest` that names the file and the line or field."""
    fields = _read(path)
    with naming(str(path)):
        return parse_fields(PipelineConfig, fields)


def _read(path: Path) -> object:
    suffix = path.suffix.lower()
    if suffix not in (".json", ".toml"):
        raise InvalidRequest(f"{path}: the name of a config file must end in .json or .toml")
    with naming(f"{path}: cannot be read as {suffix[1:].upper()}", ValueError, RecursionError):
        with named_in_errors(path, InvalidRequest):
            text = path.read_text("utf-8-sig")
        return json.loads(text) if suffix == ".json" else tomllib.loads(text)
