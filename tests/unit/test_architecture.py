"""Which module may import which, and what no module may do; types included, by the counts of `make house`."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.house import LIBRARY as CODE
from scripts.house import LIMITS, count

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "layers" / "goldpan" / "goldpan"
LOCAL = ROOT / "local" / "goldpan_local"
HANDLERS = sorted((ROOT / "functions").glob("*/app.py"))
CLIENTS = {"boto3", "botocore", "openai", "httpx2", "httpx", "aws_lambda_powertools", "tenacity", "sqlite3", "socket"}
STAGES = ("translate", "scout", "shortlist", "score", "rank")


def _modules(*folders: Path) -> list[Path]:
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def _imports(path: Path, *, at_import: bool = False) -> set[str]:
    """Return the modules that a module imports; without those inside functions with `at_import`."""
    tree, found = ast.parse(path.read_text("utf-8")), set[str]()
    for node in tree.body if at_import else ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def _offences(paths: list[Path], *forbidden: str, at_import: bool = False) -> list[str]:
    """List the imports of forbidden modules or of modules below them."""
    return [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in paths
        for name in sorted(_imports(path, at_import=at_import))
        if any(name == module or name.startswith(f"{module}.") for module in forbidden)
    ]


def test_only_the_registry_knows_the_kinds() -> None:
    """Engine, infrastructure, AWS and handlers import no kind, and name none and no source of one."""
    shared = [*_modules(LIBRARY / "engine", LIBRARY / "infra", LIBRARY / "aws"), *HANDLERS, *LIBRARY.glob("*.py")]
    kinds = [f"goldpan.kinds.{folder.name}" for folder in (LIBRARY / "kinds").iterdir() if folder.is_dir()]
    assert "goldpan.kinds.repositories" in kinds
    assert not _offences(shared, *kinds)
    named = [
        f"{path.relative_to(ROOT)}: {node.value!r}"
        for path in set(shared) - {*LIBRARY.glob("*.py")}
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in {"repositories", "papers", "github", "catalogue"}
    ]
    assert not named


def test_a_kind_has_the_five_stages_and_no_client() -> None:
    """Each stage has a module of its own, which knows no client, no source, and not where it runs."""
    for kind in (LIBRARY / "kinds").iterdir():
        if not kind.is_dir() or kind.name == "__pycache__":
            continue
        stages = [kind / f"{stage}.py" for stage in STAGES]
        assert all(stage.is_file() for stage in stages)
        without_sources = [
            path for path in _modules(kind) if "sources" not in path.parts and path.name not in {"kind.py", "prime.py"}
        ]
        own_sources = f"goldpan.kinds.{kind.name}.sources"
        forbidden = [*CLIENTS, own_sources, "goldpan.aws", "goldpan.infra.http", "goldpan.infra.llm.openai"]
        flow = ["goldpan.engine.pipeline", "goldpan.engine.problem_details", "goldpan.kinds.registry"]
        assert not _offences(without_sources, *forbidden, *flow)


def test_the_layers_know_nothing_above_them() -> None:
    """Infra no flow and no AWS, the library no local package, that AWS for a push alone; contracts know plain data."""
    used = {"__init__", "deadlines", "dependencies"}
    flow = [f"goldpan.engine.{path.stem}" for path in (LIBRARY / "engine").glob("*.py") if path.stem not in used]
    assert {f"goldpan.engine.{name}" for name in ("answers", "kind", "pipeline", "search")} <= {*flow}
    assert not _offences(_modules(LIBRARY / "infra"), "goldpan.aws", *flow)
    assert not _offences(_modules(LIBRARY), "goldpan_local")
    deployment = LOCAL / "library_commands" / "deployment.py"
    others = [path for path in _modules(LOCAL) if path != deployment]
    assert not _offences(others, "goldpan.aws", "boto3", "aws_lambda_powertools")
    assert not _offences(_modules(LOCAL), "goldpan_local.library_commands.deployment", at_import=True)
    below = ("goldpan.contracts", "goldpan.config", "goldpan.errors", "goldpan.known", "goldpan.kind_table")
    imported = {name for path in _modules(LIBRARY / "contracts") for name in _imports(path)}
    assert "goldpan.errors" in imported
    assert [name for name in imported if name.startswith("goldpan") and not name.startswith(below)] == []


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("goldpan", ("goldpan.contracts", "goldpan.engine", "goldpan_", "httpx", "pydantic")),
        ("goldpan_local.command", ("uvicorn", "starlette", "yaml", "goldpan.engine", "pydantic", "rich.console")),
        ("goldpan.local.entry_points", ("goldpan.aws", "boto3")),
    ],
)
def test_an_import_loads_only_what_is_used(module: str, unwanted: tuple[str, ...]) -> None:
    """`import goldpan` loads little, commands start without server and engine, and no search loads AWS."""
    code = f"import sys, {module}; print([name for name in sys.modules if name.startswith({unwanted})])"
    environment = os.environ | {"PYTHONPATH": f"{LIBRARY.parent}{os.pathsep}{LOCAL.parent}"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


@pytest.mark.parametrize("path", HANDLERS, ids=lambda path: path.parent.name)
def test_a_handler_is_thin(path: Path) -> None:
    """A handler parses, calls and dumps, in 40 lines, and imports nothing but the AWS package."""
    assert len(path.read_text("utf-8").splitlines()) <= 40
    assert not {name for name in _imports(path) if name.startswith("goldpan.") and not name.startswith("goldpan.aws")}


def test_the_modules_are_not_entangled() -> None:
    """Each is tested with those below it alone; a deferred import, which hides what is below, says why it is there."""
    files = [path for folder in CODE for path in (ROOT / folder).rglob("*.py")]
    sources = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in files}
    figures = count([*sources])
    for figure in ("modules in a circle of imports", "uses of Any", "deferred imports"):
        assert figures[figure] <= LIMITS[figure], figure
    lines = [f"{name}: {line.strip()}" for name, text in sources.items() for line in text.splitlines()]
    deferred = [line for line in lines if "PLC0415" in line]
    assert deferred
    assert [line for line in deferred if not re.search(r"PLC0415 - \w", line)] == []
