"""What the tests of the artefact share: its functions, and the world around them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.slow.artefact.world import World, running_world
from tests.support.loopback.lambda_runtime import CLIENT, SDK, RuntimeMissingError, installed
from tests.support.loopback.lambda_template import BUILT, ROOT, BuiltFunction, NotBuiltError, built_functions

SOURCES = ("functions", "layers", "statemachine", "template.yaml")
GENERATED = {"__pycache__", "goldpan.egg-info"}


@pytest.fixture(scope="session")
def runtime() -> None:
    """Need what AWS puts beside a function."""
    try:
        for package in (CLIENT, SDK):
            installed(package)
    except RuntimeMissingError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def artefact() -> dict[str, BuiltFunction]:
    """Give the built functions by the names of their doors."""
    try:
        built = built_functions()
    except NotBuiltError as missing:
        pytest.skip(str(missing))
    if "GOLDPAN_BUILT" not in os.environ and _newest_source() > (BUILT / "template.yaml").stat().st_mtime:
        pytest.skip(f"the artefact in {BUILT} is older than its sources: `make build` makes it anew")
    return built


@pytest.fixture(scope="session")
def functions(artefact: dict[str, BuiltFunction], runtime: None) -> dict[str, BuiltFunction]:  # noqa: ARG001 - needed
    """Give the built functions where they can be run."""
    return artefact


@pytest.fixture
def world() -> Iterator[World]:
    """Serve GitHub, a model and SSM."""
    with running_world() as servers:
        yield servers


def _newest_source() -> float:
    roots = [ROOT / name for name in SOURCES]
    files = [file for root in roots for file in (root, *root.rglob("*")) if file.is_file()]
    return max((file.stat().st_mtime for file in files if not GENERATED & set(file.parts)), default=0.0)
