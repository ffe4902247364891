"""A deployment publishes a function version when something of it changed, and reaches the stage of the API."""

import hashlib
import json
import re
import subprocess
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.contract.stack.documents import GATEWAY, ROOT, evaluate, functions, read, strings, template

SAM_PYTHON = ROOT / ".venv-sam" / "bin" / "python"
NOT_FROZEN = {
    "AutoPublishAlias", "CodeUri", "Description", "ReservedConcurrentExecutions", "Tags", "VersionDeletionPolicy",
    "VersionDescription",
}  # fmt: skip
"""What a version does not freeze, or what SAM itself compares."""
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


def _published(resources: dict[str, Any]) -> set[str]:
    """Return what makes each version: with another logical id or another description it is published anew."""
    versions = _versions(resources).values()
    return {f"{name} {json.dumps(resources[name]['Properties']['Description'])}" for name in versions}


@pytest.mark.parametrize("changed", ["ContentUri", "CodeUri"])
def test_a_changed_layer_or_handler_publishes_every_function(changed: str) -> None:
    """A change of the library alone reaches each function, and its answers are cached under another key."""
    before, after = _made(), _translate(_packaged(**{changed: "two"}))
    assert set(_versions(before)) == set(_versions(after)) == set(functions())
    assert not _published(before) & _published(after)
    for resources in (before, after):
        _, names = resources["SearchMachine"]["Properties"]["DefinitionSubstitutions"]["SearchVersion"]["Fn::Join"]
        assert {name["Ref"] for name in names} == set(_versions(resources).values())


@pytest.mark.parametrize("changes", [{}, {"Tags": {"team": "search"}}, {"ReservedConcurrentExecutions": 7}], ids=str)
def test_tags_and_reserved_concurrency_publish_nothing(changes: dict[str, Any]) -> None:
    """Lambda finds nothing new to publish in them, and would refuse the deployment."""
    document = _packaged()
    for name in functions():
        document["Resources"][name]["Properties"] |= changes
    assert _published(_translate(document)) == _published(_made())


@pytest.mark.parametrize("name", sorted(functions()))
def test_another_property_that_a_version_freezes_publishes_it(name: str) -> None:
    """Such as the timeout or the runtime: the description has a digest of them, which a change here must renew."""
    frozen = {key: value for key, value in functions()[name].items() if key not in NOT_FROZEN}
    digest = hashlib.sha256(json.dumps(frozen, sort_keys=True).encode()).hexdigest()[:4]
    pattern, _ = functions()[name]["VersionDescription"]["Fn::Sub"]
    assert pattern.split()[1] == digest, f"write {digest} into the VersionDescription of {name}"


def test_an_execution_calls_the_versions_of_one_deployment() -> None:
    """They stay until the next deployment; the machine calls new ones when their secrets have been read."""
    machine, release = _made()["SearchMachine"], _made()["Release"]["Properties"]
    assert machine["DependsOn"] in ("Release", ["Release"])
    called = [machine["Properties"]["DefinitionSubstitutions"][name] for name in functions()]
    assert called == release["Versions"] == [{"Ref": _versions(_made())[name]} for name in functions()]
    for name, function in functions().items():
        version = _made()[_versions(_made())[name]]
        assert (version["DeletionPolicy"], version["UpdateReplacePolicy"]) == ("Retain", "Retain")
        assert "DeletionPolicy" not in _made()[name], "a function is deleted with its stack"
        assert _made()[name]["Properties"]["Environment"] == function["Environment"], "SAM merges the globals"


def test_a_gradual_deployment_keeps_most_searches_on_the_version_before() -> None:
    """With DeploymentMinutes the API starts searches by an alias that shifts, and that alarms shift back; else not."""
    [(name, alias)] = [
        (name, each["Properties"]) for name, each in _made().items() if each["Type"].endswith("::StateMachineAlias")
    ]
    _, named = _made()["SearchApi"]["Properties"]["Body"]["paths"]["/search"]["post"][
        "x-amazon-apigateway-integration"
    ]["requestTemplates"]["application/json"]["Fn::Sub"]
    assert named == {"Machine": {"Ref": name}}, "also before the first gradual deployment, so that it is gradual"
    preference = alias["DeploymentPreference"]
    assert preference.pop("StateMachineVersionArn") == {"Ref": "SearchMachineVersion"}
    assert _made()["SearchMachineVersion"]["DeletionPolicy"] == "Retain", "running searches and a rollback need it"
    alarms = ("DefectsAlarm", "SearchesFailAlarm", "FunctionErrorsAlarm")
    values = {**{name: name for name in alarms}, "AWS::NoValue": None}
    for minutes, kind in ((0, "ALL_AT_ONCE"), (30, "CANARY")):
        given = {key: evaluate(value, {**values, "DeploymentMinutes": minutes}) for key, value in preference.items()}
        assert given["Type"] == kind
        assert given["Interval"] == (minutes or None)
    assert [evaluate(alarm, values) for alarm in given["Alarms"]] == [*alarms]


def test_the_contract_reaches_the_stage_unchanged_with_its_placeholders_filled() -> None:
    """SAM compares texts only: AlwaysDeploy deploys a parameter behind one; the stage waits for role and group."""
    body = _made()["SearchApi"]["Properties"]["Body"]
    assert body == _packaged()["Resources"]["SearchApi"]["Properties"]["DefinitionBody"]
    names = {name.partition(".")[0] for text in strings(body) for name in re.findall(r"\$\{([^}]+)\}", text)}
    assert names <= {*template()["Parameters"], *_made(), "AWS::Partition", "AWS::Region", "Machine"}
    assert template()["Resources"]["SearchApi"]["Properties"]["AlwaysDeploy"] is True
    [stage] = [each["Properties"] for each in _made().values() if each["Type"] == "AWS::ApiGateway::Stage"]
    assert stage["Variables"]["logRole"]["Fn::If"][1] == {"Ref": "ApiGatewayAccount"}
