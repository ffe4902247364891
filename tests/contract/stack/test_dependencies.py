"""The dependencies are pinned, come from the package index, and are audited; the layer holds what the library needs."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts import audit
from tests.contract.stack.documents import ROOT, read, text

PROJECT: dict[str, Any] = tomllib.loads(text("pyproject.toml"))
GROUPS = PROJECT["dependency-groups"]
RUNTIME = [Requirement(each) for each in PROJECT["project"]["dependencies"]]
AWS = [Requirement(each) for each in GROUPS["aws"]]
DECLARED = [
    Requirement(each) for each in chain(PROJECT["build-system"]["requires"], *GROUPS.values()) if isinstance(each, str)
]
PACKAGES = ("goldpan-data/src", "layers/goldpan", "local")
MAX_BYTES = 65_000_000
ONE_MACHINE = {"bibtexparser", "pylatexenc", "pypdf", "pyyaml", "rich", "rispy", "starlette", "typer", "uvicorn"}
PROVIDED_BY_LAMBDA = {"boto3", "botocore", "snapshot-restore-py"}
ON_LAMBDA = {"python_version": "3.13", "python_full_version": "3.13.0", "platform_machine": "aarch64", "extra": ""}


def _pins(name: str) -> dict[str, str]:
    """Read a list of exact versions by name; any other line is an error."""
    lines = [line for line in text(name).splitlines() if line.strip() and not line.startswith("#")]
    found = [re.fullmatch(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([0-9][0-9a-z.+]*)", line) for line in lines]
    assert all(found), [line for line, match in zip(lines, found, strict=True) if not match]
    pins = {str(canonicalize_name(match[1])): str(match[2]) for match in found if match}
    assert len(pins) == len(lines) > 0, "a name occurs twice"
    return pins


def _needed(requirement: Requirement, environment: dict[str, str] | None, found: set[tuple[str, str]]) -> Iterator[str]:
    """Yield a package and all its dependencies, by what is installed."""
    name = canonicalize_name(requirement.name)
    for extra in ("", *requirement.extras):
        if (name, extra) in found:
            continue
        found.add((name, extra))
        yield name
        for inner in map(Requirement, distribution(name).requires or ()):
            if inner.marker is None or inner.marker.evaluate({**(environment or {}), "extra": extra}):
                yield from _needed(inner, environment, found)


def test_everything_installed_is_pinned_within_its_range() -> None:
    """An installation with the constraints is the tested one, with indirect dependencies; the command has no AWS."""
    assert all(_pins(name) for name in audit.PINNED)
    updates = read(ROOT / ".github" / "dependabot.yml")["updates"]
    [updated] = [each for each in updates if each["package-ecosystem"] == "pip"]
    assert {ROOT / each[1:] for each in updated["directories"]} == {path.parent for path in audit.LISTS}
    known, seen = _pins("constraints.txt"), set[tuple[str, str]]()
    for requirement in (*RUNTIME, *DECLARED):
        assert requirement.url is None
        assert requirement.specifier.contains(known[canonicalize_name(requirement.name)]), requirement
        assert set(_needed(requirement, None, seen)) <= known.keys()
    assert not [each.name for each in RUNTIME if each.name.startswith(("aws", "boto"))]
    installs = re.findall(r"pip install .*", text("Makefile"))
    assert [line for line in installs if "constraint" not in line.lower()] == []


def test_the_default_installation_is_small() -> None:
    """Compiled files add about 40 % to these sizes; docs/benchmarks.md has the measured size."""
    needed = {name for each in RUNTIME for name in _needed(each, None, set())}
    assert not needed & {"boto3", "mcp", "numpy", "openai"}
    installed = {Path(str(file.locate())) for name in needed for file in distribution(name).files or ()}
    own = {path for folder in PACKAGES for path in (ROOT / folder).rglob("*")}
    sizes = [path.stat().st_size for path in installed | own if path.is_file() and path.suffix != ".pyc"]
    assert sum(sizes) < MAX_BYTES


def test_the_layer_holds_what_the_library_needs_on_lambda() -> None:
    """No import fails on AWS, the versions are the tested ones, and nothing else is carried along."""
    seen = {(name, "") for name in PROVIDED_BY_LAMBDA}
    roots = [each for each in (*RUNTIME, *AWS) if each.name not in ONE_MACHINE]
    needed = {name for each in roots for name in _needed(each, ON_LAMBDA, seen)}
    layer, known = _pins("layers/goldpan/requirements.txt"), _pins("constraints.txt")
    assert set(layer) == needed
    assert layer.items() <= known.items()
    encoder = {
        canonicalize_name(Requirement(each).name) for each in PROJECT["project"]["optional-dependencies"]["encoder"]
    }
    assert _pins("encoder/packages/requirements.txt") == {name: known[name] for name in encoder}


@pytest.mark.enable_socket
def test_an_audit_without_a_network_is_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    """It says so, and that nothing was audited."""
    assert audit.main("http://127.0.0.1:9/v1/query") == 0
    assert re.match(r"skipped: the vulnerability database .* nothing was audited", capsys.readouterr().out)
