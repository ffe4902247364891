"""What a built template says of its functions: where they lie, and how Lambda would run them."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[3]
ARCHITECTURES = {"aarch64": "arm64", "arm64": "arm64", "x86_64": "x86_64", "AMD64": "x86_64"}
ARCHITECTURE = ARCHITECTURES.get(platform.machine(), platform.machine())
BUILT = Path(os.environ.get("GOLDPAN_BUILT", ROOT / "build" / f"sam-{ARCHITECTURE}"))
"""Where `make build` leaves the artefact of this machine; GOLDPAN_BUILT names another folder."""
_PLACE = re.compile(r"\$\{([^}!]+)\}")


class NotBuiltError(Exception):
    """There is no artefact for this machine."""


@dataclass(frozen=True)
class BuiltFunction:
    """One function of the artefact."""

    name: str
    folder: Path
    layers: tuple[Path, ...]
    handler: str
    timeout: float
    memory: int
    log_format: str
    log_level: str
    environment: Mapping[str, str]


def built_functions(folder: Path = BUILT) -> dict[str, BuiltFunction]:
    """Read the functions of an artefact, by the names of their doors; raises `NotBuiltError`."""
    template = folder / "template.yaml"
    if not template.exists():
        message = f"no artefact for {ARCHITECTURE} in {folder}: `make build` makes it"
        raise NotBuiltError(message)
    read = yaml.load(template.read_text(), _Loader)
    common = read.get("Globals", {}).get("Function", {})
    found = (
        _function(_Reader(read, folder), logical_id, common, resource["Properties"])
        for logical_id, resource in read["Resources"].items()
        if resource["Type"] == "AWS::Serverless::Function"
    )
    return {function.name: function for function in found}


class _Loader(yaml.SafeLoader):
    """Reads CloudFormation's short tags, such as !Ref, as their long forms."""


def _long_form(loader: _Loader, tag: str, node: yaml.Node) -> dict[str, Any]:
    name = tag if tag in ("Ref", "Condition") else f"Fn::{tag}"
    if isinstance(node, yaml.SequenceNode):
        return {name: loader.construct_sequence(node, deep=True)}
    if isinstance(node, yaml.MappingNode):
        return {name: loader.construct_mapping(node, deep=True)}
    return {name: node.value}


_Loader.add_multi_constructor("!", _long_form)


@dataclass(frozen=True)
class _Reader:
    """Resolves what stands in a template for a value: parameters as they are by default, resources by their name."""

    template: Mapping[str, Any]
    folder: Path

    def value(self, told: Any) -> str:
        """Give a value as an environment variable holds it."""
        if not isinstance(told, dict):
            return str(told).lower() if isinstance(told, bool) else str(told)
        ((function, argument),) = told.items()
        if function == "Ref":
            return self._named(argument)
        if function == "Fn::Sub" and isinstance(argument, str):
            return _PLACE.sub(lambda place: self._named(place[1]), argument)
        if function == "Fn::GetAtt":
            return ".".join(argument) if isinstance(argument, list) else str(argument)
        message = f"no reading of {function} is known here: {argument}"
        raise NotImplementedError(message)

    def layers(self, told: list[Any]) -> tuple[Path, ...]:
        """Give the folders that a function finds at /opt/python."""
        resources = (self.template["Resources"][layer["Ref"]] for layer in told)
        return tuple(self.folder / resource["Properties"]["ContentUri"] / "python" for resource in resources)

    def _named(self, name: str) -> str:
        parameter = self.template.get("Parameters", {}).get(name, {})
        return str(parameter.get("Default", name))


def _function(reader: _Reader, logical_id: str, common: Mapping[str, Any], own: Mapping[str, Any]) -> BuiltFunction:
    told = {**common, **own}
    variables, logging = (_merged(name, common, own) for name in ("Environment", "LoggingConfig"))
    return BuiltFunction(
        name=re.sub(r"(?<!^)(?=[A-Z])", "_", logical_id.removesuffix("Function")).lower(),
        folder=reader.folder / told["CodeUri"],
        layers=reader.layers([*common.get("Layers", []), *own.get("Layers", [])]),
        handler=told["Handler"],
        timeout=float(told["Timeout"]),
        memory=int(told["MemorySize"]),
        log_format=logging.get("LogFormat", "Text"),
        log_level=logging.get("ApplicationLogLevel", "INFO"),
        environment={name: reader.value(value) for name, value in variables.get("Variables", {}).items()},
    )


def _merged(name: str, common: Any, own: Any) -> dict[str, Any]:
    """Join what stands for all functions and what stands for one, at any depth, as SAM does."""
    both = common.get(name, {}), own.get(name, {})
    inner = {key: _merged(key, *both) for key in both[0].keys() & both[1].keys() if isinstance(both[0][key], dict)}
    return {**both[0], **both[1], **inner}
