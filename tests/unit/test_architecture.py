"""Who may import what, and what no file may do."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "layers" / "goldpan" / "goldpan"
SOURCES = sorted([*LIBRARY.rglob("*.py"), *(ROOT / "local").rglob("*.py"), *(ROOT / "functions").rglob("*.py")])
STAGES = sorted((LIBRARY / "repositories").glob("*.py"))
OUTSIDE = {"boto3", "botocore", "openai", "httpx2", "httpx", "aws_lambda_powertools", "tenacity", "sqlite3", "socket"}
DEPLOYMENT = sorted((LIBRARY / "deployment").glob("*.py"))
DOORS = sorted((ROOT / "functions").glob("*/app.py"))
RUN_STAGES = ("translate", "scout", "shortlist", "score", "rank")
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
    forbidden = (
        "goldpan.kinds.repositories.sources",
        "goldpan.bootstrap",
        "goldpan.infra.http",
        "goldpan.infra.llm.openai",
    )
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


@pytest.mark.parametrize("path", DOORS, ids=_name)
def test_a_door_knows_only_the_library(path: Path) -> None:
    """A door imports goldpan and what Python has of its own; every client is behind its equipment."""
    foreign = {name.partition(".")[0] for name in _imports(path)} - {*sys.stdlib_module_names, "goldpan"}
    assert not foreign
    assert not {
        name for name in _imports(path) if name.startswith(("goldpan.infra", "goldpan.kinds.repositories.sources"))
    }


@pytest.mark.parametrize("path", [*DOORS, *DEPLOYMENT], ids=_name)
def test_the_deployment_takes_its_stages_from_the_table(path: Path) -> None:
    """No door and no message names a stage's function: what runs is what stands in the table of kinds."""
    stages = {f"goldpan.kinds.repositories.{stage}" for stage in RUN_STAGES}
    named = {*_imports(path), *_imported_from(path, "goldpan.kinds.repositories")}
    assert not stages & named


def _imported_from(path: Path, package: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == package:
            yield from (f"{package}.{alias.name}" for alias in node.names)


def test_both_flows_take_their_stages_from_the_table() -> None:
    """The flow on one machine and the doors ask the one table of kinds."""
    asking = {_name(path) for path in SOURCES if "goldpan.kinds.registry" in _imports(path)}
    assert asking >= {"layers/goldpan/goldpan/pipeline.py", "layers/goldpan/goldpan/deployment/screening.py"}
    assert asking >= {f"functions/{function}/app.py" for function in ("query_translator", "scout")}


def test_only_the_doors_and_the_composition_know_the_deployment() -> None:
    """What is special to AWS is imported by its doors, within itself, and for its secrets where clients are made."""
    users = {
        _name(path)
        for path in SOURCES
        if path not in DEPLOYMENT
        for name in [*_imports(path), *_imported_from(path, "goldpan")]
        if name.startswith("goldpan.aws")
    }
    assert users == {"layers/goldpan/goldpan/bootstrap.py", *map(_name, DOORS)}
    composition = {name for name in _imports(LIBRARY / "bootstrap.py") if name.startswith("goldpan.aws")}
    assert composition == {"goldpan.aws.counts", "goldpan.aws.secrets"}


@pytest.mark.parametrize("path", STAGES, ids=_name)
def test_a_stage_does_not_know_where_it_runs(path: Path) -> None:
    """A stage imports neither the deployment, nor the flow, nor what speaks HTTP to an asker."""
    forbidden = (
        "goldpan.aws",
        "goldpan.bootstrap",
        "goldpan.engine.pipeline",
        "goldpan.kinds.registry",
        "goldpan.engine.problem_details",
    )
    assert not [name for name in [*_imports(path), *_imported_from(path, "goldpan")] if name.startswith(forbidden)]


@pytest.mark.parametrize("path", [*DOORS, *DEPLOYMENT], ids=_name)
def test_nothing_of_aws_is_loaded_at_import(path: Path) -> None:
    """Powertools, boto3 and the clients are imported inside functions: a door that is not called costs little."""
    body = ast.parse(path.read_text("utf-8")).body
    loaded = {name for node in body if isinstance(node, ast.Import | ast.ImportFrom) for name in _names(node)}
    assert not {name.partition(".")[0] for name in loaded} & OUTSIDE


def _names(node: ast.Import | ast.ImportFrom) -> list[str]:
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
