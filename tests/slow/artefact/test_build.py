"""The build holds the library, the handlers and the pinned packages, and nothing else."""

import re
from pathlib import Path

import pytest

from tests.contract.stack.documents import ROOT, text
from tests.slow.artefact.world import Functions

LAYERS = sorted((ROOT / "build").glob("sam-*/GoldpanLayer"))
MAX_BYTES = 80_000_000
"""Of both layers, unpacked."""
MACHINES = {"sam-arm64": "aarch64", "sam-x86_64": "x86_64"}


def _contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


@pytest.mark.short
def test_what_was_tested_is_what_is_deployed(artefact: Functions) -> None:
    """The layer holds the library, and each function its handler, byte by byte."""
    assert sorted(artefact) == ["query_translator", "scout", "screener"]
    for name, function in artefact.items():
        assert _contents(function.folder) == _contents(ROOT / "functions" / name)
        layer, data = function.layers
        assert _contents(layer / "goldpan") == _contents(ROOT / "layers" / "goldpan" / "goldpan")
        assert _contents(data / "goldpan_data") == _contents(ROOT / "goldpan-data" / "src" / "goldpan_data")


@pytest.mark.short
@pytest.mark.usefixtures("artefact")
@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.parent.name)
def test_a_layer_holds_the_pinned_packages_for_its_processor(layer: Path) -> None:
    """Each layer has the listed versions, machine code of its processor only, no tests and no compiled files."""
    packages = layer / "python"
    infos = [path.name.removesuffix(".dist-info").rpartition("-") for path in packages.glob("*.dist-info")]
    pins = re.findall(r"^([\w.-]+)==(\S+)$", text("layers/goldpan/requirements.txt"), re.MULTILINE)
    assert {_canonical(name): version for name, _, version in infos} == {_canonical(name): pin for name, pin in pins}
    assert not [name for name in ("boto3", "botocore", "snapshot_restore_py") if (packages / name).exists()]
    assert [path.name for path in layer.iterdir()] == ["python"]
    assert [*packages.rglob("__pycache__"), *packages.rglob("*.pyc")] == []
    compiled = [path.name for path in packages.rglob("*.so")]
    assert compiled
    own = [name for name in compiled if not name.startswith("lib")]  # a bundled library has the processor in no name
    assert [name for name in own if MACHINES[layer.parent.name] not in name] == []


@pytest.mark.short
@pytest.mark.usefixtures("artefact")
def test_the_layers_are_small() -> None:
    """Lambda loads them at a cold start, and allows 250 MB with the function."""
    for folder in {layer.parent for layer in LAYERS}:
        files = (path for layer in folder.glob("*Layer") for path in layer.rglob("*") if path.is_file())
        assert sum(path.stat().st_size for path in files) < MAX_BYTES, folder.name


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
