"""What goldpan depends on is pinned, comes from nowhere unusual, and is audited or said not to be."""

from __future__ import annotations

import json
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
from tests.contract.stack.documents import ROOT
from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
GROUPED = [entry for entry in chain(*PROJECT["dependency-groups"].values()) if isinstance(entry, str)]
DECLARED = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"], *GROUPED]
LISTS = pytest.mark.parametrize("name", audit.PINNED)
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
BAD, GOOD = "anyio==4.16.0\nidna==3.20\n", "idna==3.20\n"


def lines(name: str) -> list[str]:
    """Give the lines of a list that say something; none is left out because it looks odd."""
    text = (ROOT / name).read_text("utf-8")
    return [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def pins(name: str) -> dict[str, str]:
    """Read a list as versions by name."""
    read = [Requirement(line) for line in lines(name)]
    return {canonicalize_name(one.name): next(iter(one.specifier)).version for one in read}


@LISTS
def test_every_version_is_exact(name: str) -> None:
    """A line is a name and one exact version: no range, option, address, extra, condition or editable folder."""
    assert lines(name)
    for line in lines(name):
        assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*==[0-9][0-9a-z.+]*", line), line
        requirement = Requirement(line)
        assert (requirement.url, requirement.marker, requirement.extras) == (None, None, set())
    assert len(pins(name)) == len(lines(name)), "a name stands there twice"


@LISTS
def test_no_list_says_where_to_look(name: str) -> None:
    """Neither a list nor its comments name a host; where packages come from is the operator's own setting."""
    text = (ROOT / name).read_text("utf-8")
    assert not re.search(r"://|\bindex-url\b|\bfind-links\b|\btrusted-host\b|\.(?:org|com|io|net|dev)\b", text)


def test_what_is_declared_is_declared_by_name() -> None:
    """The project asks for packages by their names, from nowhere in particular; no other tool reads other sources."""
    assert not [requirement for requirement in map(Requirement, DECLARED) if requirement.url or requirement.marker]
    assert not {"dependency-links", "uv", "poetry", "pdm"} & PROJECT["tool"].keys()


def test_every_declared_package_is_pinned_within_its_range() -> None:
    """The tested version of each package is one that the project allows."""
    known = pins("constraints.txt")
    for requirement in map(Requirement, DECLARED):
        assert requirement.specifier.contains(known[canonicalize_name(requirement.name)]), requirement


def needed(name: str, extras: frozenset[str], seen: set[tuple[str, frozenset[str]]]) -> Iterator[str]:
    """List a package and all that it needs here, by what is installed."""
    if (name, extras) in seen:
        return
    seen.add((name, extras))
    yield name
    for text in distribution(name).requires or ():
        inner = Requirement(text)
        wanted = [{"extra": extra} for extra in (*extras, "")]
        if inner.marker is None or any(inner.marker.evaluate(dict(one)) for one in wanted):
            yield from needed(canonicalize_name(inner.name), frozenset(inner.extras), seen)


def test_nothing_comes_in_without_a_pin() -> None:
    """What the declared packages need in turn is pinned too, so that an installation is the tested one."""
    known, seen = pins("constraints.txt"), set[tuple[str, frozenset[str]]]()
    declared = [*map(Requirement, DECLARED)]
    found = {name for one in declared for name in needed(canonicalize_name(one.name), frozenset(one.extras), seen)}
    assert len(found) > len(declared)
    assert found - known.keys() == set()


def test_the_layer_holds_the_tested_versions_alone() -> None:
    """Each line of the layer's list is one of the constraints."""
    assert pins("layers/goldpan/requirements.txt").items() <= pins("constraints.txt").items()


def test_every_installation_is_a_constrained_one() -> None:
    """The Makefile installs nothing that is not pinned."""
    installs = re.findall(r"(?:pip|npm) install .*", MAKEFILE)
    assert installs
    for line in installs:
        exact = (
            re.search(r"\b[a-z-]+@\d+\.\d+\.\d+\b", line) if line.startswith("npm") else "constraint" in line.lower()
        )
        assert exact, line


def test_what_is_ignored_has_a_reason() -> None:
    """A finding is set aside by its id and with a sentence that says why."""
    for known, reason in audit.IGNORED.items():
        assert re.fullmatch(r"[A-Z]+-[\w-]+", known)
        assert len(reason.split()) > 5


class Feed(LoopbackServer):
    """A vulnerability service that knows something against one package, or fails."""

    def __init__(self, against: str = "", status: int = 200) -> None:
        super().__init__()
        self._against, self._status = against, status

    def answer(self, request: RecordedRequest) -> Response:
        """Answer as OSV does."""
        vuln = {"id": "GHSA-xxxx-yyyy-zzzz", "summary": "It is broken.", "affected": [], "aliases": ["CVE-2026-1"]}
        about = request.body["package"]["name"]
        return Response.of_json(self._status, {"vulns": [vuln]} if about == self._against else {})

    def refuse(self, _request: RecordedRequest) -> Response:
        """Refuse nobody."""
        raise AssertionError


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    """Write a list of two versions."""
    file = tmp_path / "two.txt"
    file.write_text(BAD, "utf-8")
    return file


@pytest.mark.enable_socket
def test_a_clean_audit_passes_and_asks_for_every_version(listed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing is known against any version the audit passes, after it asked for each."""
    with Feed() as feed:
        assert audit.main(f"{feed.url}/v1/query", [listed]) == audit.CLEAN
        asked = {(row.body["package"]["name"], row.body["version"]) for row in feed.requests}
    assert asked >= {("anyio", "4.16.0"), ("idna", "3.20")}
    assert capsys.readouterr().out == "two.txt: 2 versions, nothing known against them\n"


@pytest.mark.enable_socket
def test_a_finding_fails_the_audit_by_name(listed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One finding in one of several lists is enough."""
    clean = listed.with_name("one.txt")
    clean.write_text(GOOD, "utf-8")
    with Feed("anyio") as feed:
        assert audit.main(f"{feed.url}/v1/query", [listed, clean]) == audit.FOUND
    assert "two.txt: anyio 4.16.0: " in capsys.readouterr().err


@pytest.mark.enable_socket
def test_a_service_out_of_reach_skips_the_audit_and_says_so(listed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody there: the audit is skipped with its reason, and claims nothing."""
    assert audit.main("http://127.0.0.1:9/v1/query", [listed]) == audit.CLEAN
    told = capsys.readouterr().out
    assert told.startswith("skipped: the vulnerability service cannot be reached (")
    assert "nothing was audited" in told


@pytest.mark.enable_socket
@pytest.mark.parametrize("status", [403, 500, 503])
def test_a_service_that_fails_is_no_pass(listed: Path, status: int, capsys: pytest.CaptureFixture[str]) -> None:
    """A service that is there and does not answer the question fails the audit, and is no finding either."""
    with Feed(status=status) as feed:
        assert audit.main(f"{feed.url}/v1/query", [listed]) == audit.UNASKED
    assert "pip-audit gave no report" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("code", "report", "ending"),
    [
        (0, {"dependencies": []}, audit.UNASKED),
        (0, {"dependencies": [{"name": "x", "skip_reason": "not found"}]}, audit.UNASKED),
        (1, {"dependencies": [{"name": "x", "version": "1", "vulns": []}]}, audit.UNASKED),
        (0, {}, audit.UNASKED),
        (0, [], audit.UNASKED),
        (0, {"dependencies": [{"name": "x", "version": "1", "vulns": [{"id": "A"}]}]}, audit.FOUND),
        (0, {"dependencies": [{"name": "x", "version": "1", "vulns": []}]}, audit.CLEAN),
    ],
)
def test_only_a_whole_and_empty_report_is_clean(code: int, report: object, ending: int) -> None:
    """Whatever else pip-audit ends with, the audit does not pass."""
    assert audit.told("a.txt", code, json.dumps(report), "") == ending
