"""Who may import what, and what no file may do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "layers" / "goldpan" / "goldpan"
SOURCES = sorted([*LIBRARY.rglob("*.py"), *(ROOT / "local").rglob("*.py")])
STAGES = sorted((LIBRARY / "repositories").glob("*.py"))
OUTSIDE = {"boto3", "botocore", "openai", "httpx2", "httpx", "aws_lambda_powertools", "tenacity", "sqlite3", "socket"}
VAGUE = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", STAGES, ids=_name)
def test_a_stage_knows_no_client_of_the_outside(path: Path) -> None:
    """A stage reaches the outside through its ports alone."""
    assert not {name.partition(".")[0] for name in _imports(path)} & OUTSIDE


@pytest.mark.parametrize("path", STAGES, ids=_name)
def test_a_stage_imports_no_source_and_no_composition(path: Path) -> None:
    """A stage does not know which sources there are, nor how clients are made."""
    forbidden = ("goldpan.sources", "goldpan.bootstrap", "goldpan.services.http", "goldpan.services.openai_model")
    assert not [name for name in _imports(path) if name.startswith(forbidden)]


def test_the_library_knows_nothing_of_one_machine() -> None:
    """The library never imports the command."""
    assert not [path for path in LIBRARY.rglob("*.py") for name in _imports(path) if name.startswith("goldpan_local")]


def test_the_openai_client_is_imported_in_one_place() -> None:
    """Only the adapter of the language model pays for the import of its client."""
    users = {_name(path) for path in SOURCES if any(name.partition(".")[0] == "openai" for name in _imports(path))}
    assert users == {"layers/goldpan/goldpan/services/openai_model.py"}


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_no_exception_is_swallowed(path: Path) -> None:
    """No handler has an empty body, and none catches everything to go on as if nothing had been."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ExceptHandler):
            assert not all(isinstance(line, ast.Pass | ast.Constant) for line in node.body), node.lineno
            assert node.type is not None, node.lineno


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_names_say_what_is_meant(path: Path) -> None:
    """No file is called by a word that could hold anything."""
    assert not set(path.with_suffix("").relative_to(ROOT).parts) & VAGUE


def test_both_stages_and_kinds_form_a_matrix() -> None:
    """The repositories kind has the five stages under their five names."""
    names = {path.stem for path in STAGES}
    assert {"translate", "scout", "shortlist", "score", "rank"} <= names
