"""A deployment publishes a function version when something of it changed, and reaches the stage of the API.

SAM's own translator makes plain CloudFormation of the template, as AWS does, without calling AWS.
"""

from __future__ import annotations

import json
import re
import subprocess
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.contract.stack.documents import GATEWAY, ROOT, functions, read, strings, template

SAM_PYTHON = ROOT / ".venv-sam" / "bin" / "python"
SCRIPT = Path(__file__).with_name("sam_translate.py")
pytestmark = pytest.mark.skipif(not SAM_PYTHON.exists(), reason="no SAM CLI: `make template` installs it")


def _packaged(**contents: str) -> dict[str, Any]:
    """Return the template as CloudFormation passes it to SAM: included files are in place, contents have addresses."""
    document = deepcopy(template())
    document["Resources"]["SearchApi"]["Properties"]["DefinitionBody"] = deepcopy(read(GATEWAY))
    for resource in document["Resources"].values():
        for key in resource.get("Properties", {}).keys() & {"CodeUri", "ContentUri", "DefinitionUri"}:
            resource["Properties"][key] = f"s3://bucket/{key}-{contents.get(key, 'one')}"
    return document


def _translate(document: dict[str, Any]) -> dict[str, Any]:
    command = [str(SAM_PYTHON), str(SCRIPT)]
    run = subprocess.run(command, input=json.dumps(document), capture_output=True, text=True, check=True)
    resources: dict[str, Any] = json.loads(run.stdout)["Resources"]
    return resources


@cache
def _made() -> dict[str, Any]:
    return _translate(_packaged())


def _versions(resources: dict[str, Any]) -> dict[str, str]:
    """Return the logical id of the version of each function; another id is another version."""
    return {
        resource["Properties"]["FunctionName"]["Ref"]: name
        for name, resource in resources.items()
        if resource["Type"] == "AWS::Lambda::Version"
    }


@pytest.mark.parametrize("changed", ["ContentUri", "CodeUri"])
def test_a_changed_layer_or_handler_publishes_every_function(changed: str) -> None:
    """A change of the library alone reaches each function, and its answers are cached under another key."""
    before, after = _made(), _translate(_packaged(**{changed: "two"}))
    assert set(_versions(before)) == set(_versions(after)) == set(functions())
    assert not set(_versions(before).values()) & set(_versions(after).values())
    for resources in (before, after):
        _, names = resources["SearchMachine"]["Properties"]["DefinitionSubstitutions"]["SearchVersion"]["Fn::Join"]
        assert {name["Ref"] for name in names} == set(_versions(resources).values())


def test_an_unchanged_function_is_not_published() -> None:
    """The same content has the same versions; the machine calls the aliases that a deployment moves."""
    assert _versions(_translate(_packaged())) == _versions(_made())
    substitutions = _made()["SearchMachine"]["Properties"]["DefinitionSubstitutions"]
    for name, function in functions().items():
        version = _made()[_versions(_made())[name]]
        assert version["Properties"]["Description"] == function["VersionDescription"]
        assert version["DeletionPolicy"] == "Delete", "a snapshot is billed as long as its version exists"
        alias = _made()[substitutions[name]["Ref"]]
        assert (alias["Type"], alias["Properties"]["FunctionName"]) == ("AWS::Lambda::Alias", {"Ref": name})
        assert _made()[name]["Properties"]["Environment"] == function["Environment"], "SAM merges the globals"


def test_the_contract_is_deployed_unchanged_with_its_placeholders_filled() -> None:
    """What the tests of the contract show holds for the deployed API; every placeholder is a known name."""
    body = _made()["SearchApi"]["Properties"]["Body"]
    assert body == _packaged()["Resources"]["SearchApi"]["Properties"]["DefinitionBody"]
    names = {name.partition(".")[0] for text in strings(body) for name in re.findall(r"\$\{([^}]+)\}", text)}
    assert names <= {*template()["Parameters"], *_made(), "AWS::Partition", "AWS::Region"}


def test_every_deployment_reaches_the_stage() -> None:
    """SAM compares texts only: AlwaysDeploy deploys a parameter behind a text; the stage waits for role and group."""
    assert template()["Resources"]["SearchApi"]["Properties"]["AlwaysDeploy"] is True
    [stage] = [each["Properties"] for each in _made().values() if each["Type"] == "AWS::ApiGateway::Stage"]
    assert stage["Variables"]["executionLogs"] == {"Ref": "SearchApiExecutionLogs"}
    assert stage["Variables"]["logRole"]["Fn::If"][1] == {"Ref": "ApiGatewayAccount"}
