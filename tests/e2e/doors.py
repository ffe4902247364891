"""The real doors, each loaded from its folder under a name of its own, with fakes for their equipment."""

from __future__ import annotations

import importlib
import importlib.util
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from goldpan.aws.container import Container
from pydantic import ValidationError

from tests.e2e.fakes import Fakes
from tests.e2e.lambda_service import Context, Handler
from tests.e2e.machine import FUNCTIONS

importlib.import_module("aws_xray_sdk.core")  # makes a UDP socket when it is first imported, which no test may do
FOLDER = Path(__file__).parents[2] / "functions"


class Doors:
    """The three doors.

    Attributes:
        handlers: The handler of each function.
    """

    def __init__(self) -> None:
        self._modules = {name: _loaded(name) for name in FUNCTIONS.values()}
        self.handlers: dict[str, Handler] = {name: module.handler for name, module in self._modules.items()}
        for name, handler in self.handlers.items():
            with suppress(ValidationError):  # makes the parts of Powertools, which is not to be done by two threads
                handler({}, Context(name, 1))

    def make_container(self, fakes: Fakes) -> None:
        """Let the doors reach these fakes from now on."""
        for name, module in self._modules.items():
            dependencies = fakes.of(name)
            module.CONTAINER = Container(lambda _, dependencies=dependencies: dependencies)  # type: ignore[misc]  # binds this turn's ports


def stage_of(call: tuple[str, dict[str, Any]]) -> str:
    """Name the stage of a call."""
    return str(call[1]["stage"])


def written(call: tuple[str, dict[str, Any]]) -> str:
    """Write a call so that equal ones are equal."""
    return json.dumps(call, sort_keys=True)


def _loaded(function: str) -> Any:
    specification = importlib.util.spec_from_file_location(f"door_of_{function}", FOLDER / function / "app.py")
    if specification is None or specification.loader is None:
        raise FileNotFoundError(FOLDER / function)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
