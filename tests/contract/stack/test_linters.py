"""The linters of others find nothing in the template and in the flow."""

from __future__ import annotations

import json
import subprocess
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from cfnlint.api import lint

from tests.contract.stack.documents import FLOW, ROOT, TEMPLATE, flow, warm_up
from tests.contract.stack.inlined import inlined_template, main
from tests.contract.stack.translated import NEEDS_SAM, packaged, translated

REGIONS = ["us-east-1", "eu-central-1"]
VALIDATOR = ROOT / "build" / "npm" / "node_modules" / ".bin" / "asl-validator"


def _said(document: str) -> list[str]:
    return [f"{match.rule.id}: {match.message}" for match in lint(document, regions=REGIONS)]


def test_the_template_is_clean() -> None:
    """cfn-lint finds nothing in the template."""
    assert _said(TEMPLATE.read_text("utf-8")) == []


@NEEDS_SAM
def test_what_cloudformation_is_given_is_clean() -> None:
    """cfn-lint finds nothing in the plain template that a deployment makes."""
    assert _said(json.dumps(translated(packaged()))) == []


def test_the_flows_are_clean_inside_the_template() -> None:
    """cfn-lint, which opens no file of its own, finds nothing in the flows when the template holds them."""
    assert _said(json.dumps(inlined_template())) == []


@pytest.mark.parametrize("broken", [{"StartAt": "Nowhere"}, {"Unheard": 1}])
def test_a_broken_flow_is_seen(broken: dict[str, Any]) -> None:
    """The linter does read each flow that is handed to it."""
    for name, machine in {"SearchMachine": flow(), "WarmUpMachine": warm_up()}.items():
        said = _said(json.dumps(inlined_template(**{name: machine | broken})))
        assert any(line.startswith("E3601") for line in said), name


def _validated(path: Path) -> subprocess.CompletedProcess[str]:
    if not VALIDATOR.exists():
        pytest.skip("no asl-validator: `make template` installs it where npm is")
    command = [str(VALIDATOR), "--json-path", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("name", ["search", "warm_up"])
def test_the_flow_is_valid(name: str, tmp_path: Path) -> None:
    """asl-validator finds nothing in either flow."""
    main(tmp_path)
    run = _validated(tmp_path / f"{name}.asl.json")
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_flow_that_leads_nowhere_is_seen(tmp_path: Path) -> None:
    """asl-validator does follow the flow from state to state."""
    machine = deepcopy(flow())
    first = machine["States"][machine["StartAt"]]
    first["Next"] = "Nowhere"
    (tmp_path / FLOW.name).write_text(json.dumps(machine), "utf-8")
    assert _validated(tmp_path / FLOW.name).returncode != 0
