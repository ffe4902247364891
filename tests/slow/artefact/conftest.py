"""The built functions, and what surrounds them."""

import os
from collections.abc import Iterator

import pytest

from tests.contract.stack.documents import ROOT
from tests.slow.artefact.world import Functions, World, running_world
from tests.support.loopback.lambda_template import (
    BUILT,
    CLIENT,
    SDK,
    NotBuiltError,
    RuntimeMissingError,
    built_functions,
    installed,
)

SOURCES = ("functions", "layers", "statemachine", "template.yaml")
GENERATED = {"__pycache__", "goldpan.egg-info"}


@pytest.fixture(scope="session")
def artefact() -> Functions:
    """Return the built functions, if they are as new as their sources."""
    try:
        built = built_functions()
    except NotBuiltError as missing:
        pytest.skip(str(missing))
    files = [file for name in SOURCES for file in (ROOT / name, *(ROOT / name).rglob("*")) if file.is_file()]
    newest = max(file.stat().st_mtime for file in files if not GENERATED & set(file.parts))
    if "GOLDPAN_BUILT" not in os.environ and newest > (BUILT / "template.yaml").stat().st_mtime:
        pytest.skip(f"the functions in {BUILT} are older than their sources: run `make build`")
    return built


@pytest.fixture(scope="session")
def functions(artefact: Functions) -> Functions:
    """Return the built functions, after installing what Lambda puts beside them."""
    try:
        for package in (CLIENT, SDK):
            installed(package)
    except RuntimeMissingError as missing:
        pytest.skip(str(missing))
    return artefact


@pytest.fixture
def world() -> Iterator[World]:
    """Serve GitHub, a language model, SSM and tables."""
    with running_world() as servers:
        yield servers
