"""The contract as the server shows it: `api/openapi.yaml` without what only API Gateway reads."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

GATEWAY_ONLY = "x-amazon-"
FILE = "openapi.yaml"


def public_contract() -> dict[str, Any]:
    """Read the contract, without the gateway's own parts."""
    # The loader in C reads it in a sixth of the time; it is not everywhere.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    public: dict[str, Any] = _public(yaml.load(contract_text(), loader))  # noqa: S506 - one of the two safe loaders
    return public


def contract_json() -> bytes:
    """Write the contract as JSON."""
    return json.dumps(public_contract(), ensure_ascii=False).encode()


def contract_text() -> str:
    """Read the file: inside the installed package, or in the folder `api` beside `local` in the source tree."""
    installed = files("goldpan_local").joinpath("api", FILE)
    if installed.is_file():
        return installed.read_text("utf-8")
    return (Path(__file__).resolve().parents[3] / "api" / FILE).read_text("utf-8")


def _public(part: Any) -> Any:
    """Leave out the vendor's fields at every depth; any kind of value may stand anywhere."""
    if isinstance(part, dict):
        return {name: _public(value) for name, value in part.items() if not str(name).startswith(GATEWAY_ONLY)}
    return [_public(value) for value in part] if isinstance(part, list) else part
