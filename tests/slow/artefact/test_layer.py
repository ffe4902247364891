"""What is in the artefact, and what is not."""

from __future__ import annotations

from pathlib import Path

from tests.support.loopback.lambda_template import ROOT, BuiltFunction

MAX_MEGABYTES = 100
LIBRARY = ROOT / "layers" / "goldpan" / "goldpan"

Functions = dict[str, BuiltFunction]


def test_the_layer_is_small_enough_to_start_fast(artefact: Functions) -> None:
    """A search on AWS never waits for a heavy layer, and the deployment is far from Lambda's own limit."""
    for layer in _layers(artefact):
        size = sum(file.stat().st_size for file in layer.rglob("*") if file.is_file()) / 1_000_000
        assert size < MAX_MEGABYTES, f"{layer} has {size:.1f} MB"


def test_the_layer_leaves_out_what_lambda_has_and_what_only_developers_need(artefact: Functions) -> None:
    """Nothing is deployed that no search uses: no SDK, no tests, no command, no compiled files of ours."""
    for layer in _layers(artefact):
        packages = {entry.name for entry in layer.iterdir()}
        assert not packages & {"boto3", "tests", "goldpan_local", "pytest", "rich", "typer", "awslambdaric"}
        assert not [*(layer / "goldpan").rglob("__pycache__"), *(layer / "goldpan").rglob("tests")]


def test_the_layer_holds_the_library_as_it_is_in_the_sources(artefact: Functions) -> None:
    """What was tested is what is deployed, to the byte."""
    for layer in _layers(artefact):
        assert _contents(layer / "goldpan") == _contents(LIBRARY)


def test_a_function_holds_its_door_alone(artefact: Functions) -> None:
    """Each function is a door; all else is in the layer, once."""
    assert sorted(artefact) == ["query_translator", "scout", "screener"]
    for name, function in artefact.items():
        assert _contents(function.folder) == _contents(ROOT / "functions" / name)


def _layers(functions: Functions) -> set[Path]:
    return {layer for function in functions.values() for layer in function.layers}


def _contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}
