"""A copy of an artefact with compiled files, for Lambda's own folders cannot be written to."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from tests.support.loopback.lambda_runtime import newer_python
from tests.support.loopback.lambda_template import BuiltFunction


def compiled(functions: Mapping[str, BuiltFunction], source: Path, target: Path) -> dict[str, BuiltFunction]:
    """Copy the artefact, compile the copy, and give its functions."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    # A package may carry templates that are no Python: what cannot be compiled is nothing that is imported.
    command = [newer_python(), "-m", "compileall", "-q", "-j", "0", str(target)]
    subprocess.run(command, check=False, capture_output=True, timeout=300)
    return {name: _moved(function, source, target) for name, function in functions.items()}


def _moved(function: BuiltFunction, source: Path, target: Path) -> BuiltFunction:
    layers = tuple(target / layer.relative_to(source) for layer in function.layers)
    return replace(function, folder=target / function.folder.relative_to(source), layers=layers)
