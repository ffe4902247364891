"""The dependencies are pinned, come from the package index, and are audited; the layer holds what the library needs."""

from __future__ import annotations

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

from tests.contract.stack import audit
from tests.contract.stack.documents import text
from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

PROJECT: dict[str, Any] = tomllib.loads(text("pyproject.toml"))
GROUPS = PROJECT["dependency-groups"]
RUNTIME = [Requirement(each) for each in PROJECT["project"]["dependencies"]]
AWS = [Requirement(each) for each in GROUPS["aws"]]
DECLARED = [
    Requirement(each) for each in chain(PROJECT["build-system"]["requires"], *GROUPS.values()) if isinstance(each, str)
]
ONE_MACHINE = {"pyyaml", "rich", "starlette", "typer", "uvicorn"}
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
    known, seen = _pins("constraints.txt"), set[tuple[str, str]]()
    for requirement in (*RUNTIME, *DECLARED):
        assert requirement.url is None
        assert requirement.specifier.contains(known[canonicalize_name(requirement.name)]), requirement
        assert set(_needed(requirement, None, seen)) <= known.keys()
    assert not [each.name for each in RUNTIME if each.name.startswith(("aws", "boto"))]
    installs = re.findall(r"pip install .*", text("Makefile"))
    assert [line for line in installs if "constraint" not in line.lower()] == []


def test_the_layer_holds_what_the_library_needs_on_lambda() -> None:
    """No import fails on AWS, the versions are the tested ones, and nothing else is carried along."""
    seen = {(name, "") for name in PROVIDED_BY_LAMBDA}
    roots = [each for each in (*RUNTIME, *AWS) if each.name not in ONE_MACHINE]
    needed = {name for each in roots for name in _needed(each, ON_LAMBDA, seen)}
    layer, known = _pins("layers/goldpan/requirements.txt"), _pins("constraints.txt")
    assert set(layer) == needed
    assert layer.items() <= known.items()


class VulnerabilityDatabase(LoopbackServer):
    """Knows a vulnerability of one package."""

    def answer(self, request: RecordedRequest) -> Response:
        """Answer as OSV does."""
        found = {"id": "GHSA-xxxx-yyyy-zzzz", "summary": "It is broken.", "affected": [], "aliases": ["CVE-2026-1"]}
        return Response.of_json(200, {"vulns": [found]} if request.body["package"]["name"] == "anyio" else {})


@pytest.mark.enable_socket
def test_a_finding_fails_the_audit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The audit asks for every version; a finding in one of several lists fails it by name."""
    for name, pins in {"two.txt": "anyio==4.16.0\nidna==3.20\n", "one.txt": "idna==3.20\n"}.items():
        (tmp_path / name).write_text(pins, "utf-8")
    with VulnerabilityDatabase() as database:
        assert audit.main(f"{database.url}/v1/query", sorted(tmp_path.iterdir())) == 1
        requested = {(row.body["package"]["name"], row.body["version"]) for row in database.requests}
    assert requested >= {("anyio", "4.16.0"), ("idna", "3.20")}
    printed = capsys.readouterr()
    assert printed.out == "one.txt: 1 versions, no known vulnerability\n"
    assert printed.err.startswith("two.txt: anyio 4.16.0: ")


@pytest.mark.enable_socket
def test_an_unreachable_database_skips_the_audit(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a network the audit passes and prints that; a report without every version fails it."""
    assert audit.main("http://127.0.0.1:9/v1/query", []) == 0
    assert re.match(r"skipped: the vulnerability database .* nothing was audited", capsys.readouterr().out)
    skipped = '{"dependencies": [{"name": "x", "skip_reason": "not found"}]}'
    assert [audit.summarize(0, report)[0] for report in ('{"dependencies": []}', skipped, "{}", "")] == [2] * 4
