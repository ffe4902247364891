"""The template as AWS makes plain CloudFormation of it, by SAM's own translator, without asking AWS."""

from __future__ import annotations

import json
import subprocess
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.contract.stack.documents import CONTRACT, ROOT, read, template

SAM_PYTHON = ROOT / ".venv-sam" / "bin" / "python"
SCRIPT = Path(__file__).with_name("sam_translate.py")
NEEDS_SAM = pytest.mark.skipif(not SAM_PYTHON.exists(), reason="no SAM CLI: `make template` sets it up")


def packaged(layer: str = "one", code: str = "one", contract: str = "") -> dict[str, Any]:
    """Give the template as SAM is given it by CloudFormation: with the address of each content, which has its hash.

    What AWS::Include names is in its place by then, since transforms inside a template come before the one around it.
    """
    document = deepcopy(template())
    api = document["Resources"]["SearchApi"]["Properties"]
    assert api["DefinitionBody"]["Fn::Transform"]["Name"] == "AWS::Include"
    api["DefinitionBody"] = read(contract or CONTRACT.read_text("utf-8"))
    addresses = {"CodeUri": f"function-{code}", "ContentUri": f"layer-{layer}", "DefinitionUri": "flow"}
    for resource in document["Resources"].values():
        for key in addresses.keys() & resource["Properties"].keys():
            resource["Properties"][key] = f"s3://bucket/{addresses[key]}"
    return document


def translated(document: dict[str, Any]) -> dict[str, Any]:
    """Give the template that CloudFormation works with."""
    command = [str(SAM_PYTHON), str(SCRIPT)]
    run = subprocess.run(command, input=json.dumps(document), capture_output=True, text=True, check=True, timeout=60)
    made: dict[str, Any] = json.loads(run.stdout)
    return made
