"""How the modules depend on each other, those that only types need included, by the counts of `make house`."""

import ast
import re
from functools import cache

from scripts.house import LIBRARY, LIMITS, ROOT, count


@cache
def _sources() -> dict[str, str]:
    """Read every module of the library and the application."""
    files = [path for folder in LIBRARY for path in (ROOT / folder).rglob("*.py")]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in files}


def test_the_modules_are_not_entangled() -> None:
    """Each is tested with those below it alone; a deferred import hides what is below, and Any what is passed."""
    figures = count([*_sources()])
    for figure in ("modules in circles of imports", "uses of Any", "deferred imports"):
        assert figures[figure] <= LIMITS[figure], figure


def test_each_deferred_import_says_why() -> None:
    """One that saves no time hides what a module depends on."""
    lines = [f"{name}: {line.strip()}" for name, text in _sources().items() for line in text.splitlines()]
    deferred = [line for line in lines if "PLC0415" in line]
    assert deferred
    assert [line for line in deferred if not re.search(r"PLC0415 - \w", line)] == []


def test_contracts_know_plain_data_alone() -> None:
    """They import the configuration, the errors, the rows that these have as well, and the table of kinds."""
    below = ("goldpan.contracts", "goldpan.config", "goldpan.errors", "goldpan.known", "goldpan.kind_table")
    contracts = [ast.parse(text) for name, text in _sources().items() if "/goldpan/contracts/" in name]
    imported = [f"{node.module}" for tree in contracts for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert "goldpan.errors" in imported
    assert [name for name in imported if name.startswith("goldpan") and not name.startswith(below)] == []
