"""Prints how large and how entangled the code is: `python scripts/house.py [--limits]`.

Counts the files that git knows. With `--limits` it fails where a figure is above its limit.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOTS = ("goldpan-data/src/", "layers/goldpan/", "local/")
"""Folders from which modules are imported."""
LIBRARY = (*ROOTS, "alarms/", "api/", "functions/", "skills/", "statemachine/")
LIMITS = {
    "lines of the library and the application": 33_000,
    "lines of the tests": 36_000,
    "lines of the longest file of the library": 250,
    "modules in a circle of imports": 0,
    "uses of Any": 60,
    "deferred imports": 40,
    "files outside kinds that name a kind": 4,
    "lines that read questions": 2_600,
}


def main() -> int:
    """Count, print a table, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limits", action="store_true", help="fail where a figure is above its limit")
    options = parser.parse_args()
    figures = count(tracked_files())
    for name, value in figures.items():
        print(f"{name:42} {value:>7,}   at most {LIMITS[name]:,}")
    return int(options.limits and any(value > LIMITS[name] for name, value in figures.items()))


def tracked_files() -> list[str]:
    """List the Python files that git knows and that exist, relative to the project."""
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S607
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def count(names: list[str]) -> dict[str, int]:
    """Return the figures, in the order of the limits."""
    texts = {name: (ROOT / name).read_text("utf-8") for name in names}
    library = {name: text for name, text in texts.items() if name.startswith(LIBRARY)}
    tests = {name: text for name, text in texts.items() if name.startswith("tests/")}
    trees = {name: ast.parse(text) for name, text in library.items()}
    outside = [text for name, text in library.items() if "/kinds/" not in name]
    figures = (
        _lines(library),
        _lines(tests),
        max(text.count("\n") for text in library.values()),
        len(modules_in_a_circle(trees)),
        sum(isinstance(node, ast.Name) and node.id == "Any" for tree in trees.values() for node in ast.walk(tree)),
        sum(map(deferred_imports, trees.values())),
        sum(bool(re.search(r"[\"'](papers|repositories)[\"']", text)) for text in outside),
        _lines({name: text for name, text in library.items() if "/question/" in name}),
    )
    return dict(zip(LIMITS, figures, strict=True))


def _lines(texts: dict[str, str]) -> int:
    return sum(text.count("\n") for text in texts.values())


def deferred_imports(tree: ast.Module) -> int:
    """Count the imports within functions."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    within = {node for function in functions for node in ast.walk(function)}
    return sum(isinstance(node, ast.Import | ast.ImportFrom) for node in within)


def modules_in_a_circle(trees: dict[str, ast.Module]) -> set[str]:
    """Return the modules of a circle of imports, those for types and in functions included; none if there is none."""
    modules = {_module(name): tree for name, tree in trees.items() if name.startswith(ROOTS)}
    try:
        TopologicalSorter({name: {*_imports(tree, modules)} - {name} for name, tree in modules.items()}).prepare()
    except CycleError as error:
        return set(error.args[1])
    return set()


def _module(name: str) -> str:
    [root] = [root for root in ROOTS if name.startswith(root)]
    return name.removeprefix(root).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imports(tree: ast.Module, modules: dict[str, ast.Module]) -> Iterator[str]:
    """Yield the modules of the project that a module imports, by the full names that its style requires."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield from [name] if name in modules else [node.module] if node.module in modules else []


if __name__ == "__main__":
    sys.exit(main())
