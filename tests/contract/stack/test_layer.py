"""The layer holds what the library needs on AWS: that, in the tested versions, and nothing else."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.contract.stack.documents import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
ONE_MACHINE = {"pyyaml", "rich", "starlette", "typer", "uvicorn"}
LAMBDA_S_OWN = {"boto3", "botocore", "snapshot-restore-py"}
ON_LAMBDA = {"python_version": "3.13", "python_full_version": "3.13.0", "platform_machine": "aarch64", "extra": ""}
MEBIBYTE = 1024 * 1024
BUILT = tuple(sorted((ROOT / "build").glob("sam-*/GoldpanLayer")))


def _pins(path: Path) -> dict[str, str]:
    pins = re.findall(r"^([\w.-]+)==(\S+)$", path.read_text("utf-8"), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in pins}


PINS, CONSTRAINTS = _pins(ROOT / "layers/goldpan/requirements.txt"), _pins(ROOT / "constraints.txt")


def _needed(name: str, found: set[str]) -> None:
    """Add a package and what it needs on Lambda, without what Lambda has of its own."""
    canonical = canonicalize_name(name)
    if canonical in LAMBDA_S_OWN | found:
        return
    found.add(canonical)
    for text in distribution(canonical).requires or ():
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate(ON_LAMBDA):
            _needed(requirement.name, found)


def _declared() -> Iterator[str]:
    for text in [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["aws"]]:
        name = Requirement(text).name
        if name not in ONE_MACHINE:
            yield name


def test_the_layer_has_the_tested_versions() -> None:
    """What runs on AWS is what the tests ran with."""
    assert {name: CONSTRAINTS.get(name) for name in PINS} == PINS


def test_the_layer_has_all_that_the_library_needs() -> None:
    """No import fails on AWS, and nothing is carried that nobody imports."""
    found = set[str]()
    for name in _declared():
        _needed(name, found)
    assert set(PINS) == found


def test_the_command_line_needs_nothing_of_aws() -> None:
    """Who installs goldpan for one machine gets no AWS."""
    plain = {Requirement(text).name for text in PROJECT["project"]["dependencies"]}
    of_aws = {Requirement(text).name for text in PROJECT["dependency-groups"]["aws"]}
    assert not plain & of_aws
    assert not [name for name in plain if name.startswith(("aws", "boto"))]


def test_the_tools_are_pinned_without_an_address() -> None:
    """Both lists of pins have a version a line, and name no place to get it from."""
    for name in ("constraints.txt", "constraints-sam.txt"):
        lines = (ROOT / name).read_text("utf-8").split()
        assert [line for line in lines if not re.fullmatch(r"[\w.\[\]-]+==[\w.+]+", line)] == []


@pytest.fixture(params=BUILT or (None,), ids=lambda path: path.parent.name if path else "none")
def layer(request: pytest.FixtureRequest) -> Path:
    """Give each layer that was built."""
    if request.param is None:
        pytest.skip("no artefact: `make build` makes one, with Python 3.13")
    path: Path = request.param
    return path / "python"


def test_the_artefact_holds_what_is_listed(layer: Path) -> None:
    """The build brought each listed package in its version, and no other; Lambda's own boto3 stays Lambda's own."""
    infos = [path.name.removesuffix(".dist-info").rpartition("-") for path in layer.glob("*.dist-info")]
    assert {canonicalize_name(name): version for name, _, version in infos} == PINS
    assert not [name for name in ("boto3", "botocore", "snapshot_restore_py") if (layer / name).exists()]


def test_the_artefact_holds_no_junk(layer: Path) -> None:
    """No compiled files, and nothing beside the folder that Python looks into."""
    assert [path.name for path in layer.parent.iterdir()] == ["python"]
    assert [*layer.rglob("__pycache__"), *layer.rglob("*.pyc")] == []


def test_the_artefact_is_small(layer: Path) -> None:
    """Far below Lambda's 250 MB unzipped, of which functions want some."""
    size = sum(path.stat().st_size for path in layer.rglob("*") if path.is_file())
    assert size < 100 * MEBIBYTE


def test_the_artefact_is_for_its_processor(layer: Path) -> None:
    """A layer for Graviton has no machine code of another processor, and the other way round."""
    machine = {"sam-arm64": "aarch64", "sam-x86_64": "x86_64"}[layer.parents[1].name]
    compiled = [path.name for path in layer.rglob("*.so")]
    assert compiled
    assert [name for name in compiled if machine not in name] == []
