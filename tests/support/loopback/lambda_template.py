"""Reads the functions of a built template: where they are, and how Lambda would run them."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.contract.stack.documents import ROOT, merge, read
from tests.contract.stack.evaluated import evaluate

ARCHITECTURE = {"aarch64": "arm64"}.get(platform.machine(), platform.machine())
BUILT = Path(os.environ.get("GOLDPAN_BUILT", ROOT / "build" / f"sam-{ARCHITECTURE}"))
"""The result of `make build` for this machine; GOLDPAN_BUILT names another folder."""


class NotBuiltError(Exception):
    """The functions are not built for this machine."""


@dataclass(frozen=True)
class BuiltFunction:
    """One built function."""

    name: str
    folder: Path
    layers: tuple[Path, ...]
    handler: str
    timeout: float
    memory: int
    environment: Mapping[str, str]


def built_functions(folder: Path = BUILT) -> dict[str, BuiltFunction]:
    """Return the built functions by the names of their handlers. Raises `NotBuiltError`."""
    if not (folder / "template.yaml").exists():
        message = f"no built functions for {ARCHITECTURE} in {folder}: run `make build`"
        raise NotBuiltError(message)
    template = read(folder / "template.yaml")
    resources, shared = template["Resources"], template["Globals"]["Function"]
    defaults = {name: parameter["Default"] for name, parameter in template.get("Parameters", {}).items()}
    values = {"AWS::StackName": "goldpan", **{name: name for name in resources}, **defaults}
    functions = {}
    for logical_id, resource in resources.items():
        if resource["Type"] == "AWS::Serverless::Function":
            name = re.sub(r"(?<!^)(?=[A-Z])", "_", logical_id.removesuffix("Function")).lower()
            functions[name] = _function(name, folder, merge(shared, resource["Properties"]), resources, values)
    return functions


def _function(
    name: str, folder: Path, properties: Mapping[str, Any], resources: Mapping[str, Any], values: Mapping[str, Any]
) -> BuiltFunction:
    layers = (resources[layer["Ref"]]["Properties"]["ContentUri"] for layer in properties["Layers"])
    return BuiltFunction(
        name=name,
        folder=folder / properties["CodeUri"],
        layers=tuple(folder / layer / "python" for layer in layers),
        handler=properties["Handler"],
        timeout=float(properties["Timeout"]),
        memory=int(properties["MemorySize"]),
        environment={
            variable: str(evaluate(value, values)) for variable, value in properties["Environment"]["Variables"].items()
        },
    )
