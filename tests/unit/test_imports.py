"""How the modules depend on each other, those that only types need included."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = tuple(
    ROOT / folder for folder in ("layers/goldpan/goldpan", "local/goldpan_local", "goldpan-data/src/goldpan_data")
)
MAX_DEFERRED, MAX_ANY = 40, 60
"""Imports inside functions, and annotations without a type, in both packages and the handlers together."""


@cache
def _trees() -> Mapping[str, ast.Module]:
    """Parse every module of the packages, by its dotted name."""
    return {
        ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__"): ast.parse(
            path.read_text("utf-8")
        )
        for package in PACKAGES
        for path in package.rglob("*.py")
    }


def _imported(module: str) -> Iterator[str]:
    """Yield the modules of the packages that a module imports anywhere in its code."""
    names = _trees().keys()
    for node in ast.walk(_trees()[module]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                found = f"{node.module}.{alias.name}"
                yield found if found in names else node.module


def test_no_import_is_relative() -> None:
    """So that the name in an import is the name of the module."""
    assert not [
        module
        for module, tree in _trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level
    ]


def test_no_imports_form_a_circle() -> None:
    """A module can be understood, and tested, with those below it alone."""
    graph = {name: {*_imported(name)} & _trees().keys() - {name} for name in _trees()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" imports ".join(reversed(error.args[1]))) from None


def test_contracts_know_plain_data_alone() -> None:
    """They import the configuration, the errors and the table of kinds."""
    below = ("goldpan.contracts", "goldpan.config", "goldpan.errors", "goldpan.kind_table")
    contracts = [name for name in _trees() if name.startswith("goldpan.contracts")]
    imported = {other for name in contracts for other in _imported(name) if other.startswith("goldpan")}
    assert not [other for other in imported if not other.startswith(below)]


def _sources() -> list[Path]:
    return sorted(
        path
        for folder in ("layers/goldpan/goldpan", "local/goldpan_local", "functions")
        for path in (ROOT / folder).rglob("*.py")
    )


def _deferred(path: Path) -> Iterator[str]:
    """Yield the lines of the imports inside the functions of a module."""
    text = path.read_text("utf-8")
    lines = text.splitlines()
    functions = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    found = {
        node.lineno for each in functions for node in ast.walk(each) if isinstance(node, ast.Import | ast.ImportFrom)
    }
    yield from (f"{path.relative_to(ROOT)}: {lines[number - 1].strip()}" for number in sorted(found))


def test_few_imports_are_deferred_and_each_says_why() -> None:
    """One that saves no time hides what a module depends on."""
    deferred = [line for path in _sources() for line in _deferred(path)]
    assert not [line for line in deferred if not re.search(r"PLC0415 - \w", line)]
    assert len(deferred) <= MAX_DEFERRED


def test_few_annotations_are_any() -> None:
    """The type checker checks nothing there."""
    used = [
        node
        for path in _sources()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Name) and node.id == "Any"
    ]
    assert len(used) <= MAX_ANY
