"""checkov finds nothing in the template; a rule that is set aside has a reason, and would be broken otherwise."""

from __future__ import annotations

import json
import re
import subprocess
from functools import cache
from typing import Any

import pytest

from tests.contract.stack.documents import ROOT, TEMPLATE, template

CHECKOV = ROOT / ".venv-checkov" / "bin" / "checkov"
pytestmark = pytest.mark.skipif(not CHECKOV.exists(), reason="no checkov: `make template` sets it up")


@cache
def _report() -> dict[str, Any]:
    """Run checkov as `make template` does; it asks nobody for anything."""
    command = [str(CHECKOV), "--file", str(TEMPLATE), "--framework", "cloudformation", "--skip-download"]
    run = subprocess.run([*command, "--output", "json"], capture_output=True, text=True, check=False, timeout=120)
    told: dict[str, Any] = json.loads(run.stdout)
    return told


def _set_aside() -> set[tuple[str, str]]:
    return {
        (name, row["id"])
        for name, resource in template()["Resources"].items()
        for row in resource.get("Metadata", {}).get("checkov", {}).get("skip", ())
    }


def test_checkov_finds_nothing() -> None:
    """No rule is broken that is not set aside beside its resource."""
    report = _report()
    assert [(row["resource"], row["check_id"]) for row in report["results"]["failed_checks"]] == []
    assert report["summary"]["passed"] > 50
    assert report["summary"]["parsing_errors"] == 0


def test_nothing_is_set_aside_in_vain() -> None:
    """A rule that would not be broken any more is no longer set aside."""
    skipped = {(row["resource"].partition(".")[2], row["check_id"]) for row in _report()["results"]["skipped_checks"]}
    assert skipped == _set_aside()


def test_what_is_set_aside_has_its_reason() -> None:
    """Beside the resource, in a sentence."""
    lines = re.findall(r'\{ id: (CKV\w+), comment: "([^"]+)" \}', TEMPLATE.read_text("utf-8"))
    assert len(lines) == len(_set_aside()) > 0
    assert [known for known, reason in lines if len(reason.split()) < 6] == []


def test_the_makefile_runs_the_same_check() -> None:
    """What a change must pass is what is tested here; the version is pinned, and no server is asked."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert "/bin/checkov --file template.yaml --framework cloudformation --skip-download --quiet --compact" in makefile
    assert re.search(r"^checkov==\d", (ROOT / "constraints-checkov.txt").read_text("utf-8"), re.MULTILINE)
