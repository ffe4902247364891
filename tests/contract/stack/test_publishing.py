"""A deployment publishes a new version of a function when something of it changed, and only then."""

from __future__ import annotations

from typing import Any

from tests.contract.stack.documents import functions
from tests.contract.stack.translated import NEEDS_SAM, packaged, translated

pytestmark = NEEDS_SAM


def _versions(document: dict[str, Any]) -> dict[str, str]:
    """Give the logical id of the version that each function publishes; a new id is a new version."""
    return {
        resource["Properties"]["FunctionName"]["Ref"]: name
        for name, resource in translated(document)["Resources"].items()
        if resource["Type"] == "AWS::Lambda::Version"
    }


def test_the_same_content_publishes_nothing() -> None:
    """A deployment without a change leaves the aliases where they are."""
    assert _versions(packaged()) == _versions(packaged())


def test_another_layer_alone_publishes_every_function() -> None:
    """A change of the library reaches each function, though no function's own code changed."""
    before, after = _versions(packaged()), _versions(packaged(layer="two"))
    assert set(before) == set(after) == set(functions())
    assert [name for name in before if before[name] == after[name]] == []


def test_other_code_publishes() -> None:
    """A change of a door reaches its function."""
    before, after = _versions(packaged()), _versions(packaged(code="two"))
    assert [name for name in before if before[name] == after[name]] == []


def test_the_layer_is_what_makes_the_difference() -> None:
    """Without the template's two settings the layer's change would go unnoticed: they are not there for show."""
    documents = [packaged(), packaged(layer="two")]
    for document in documents:
        del document["Globals"]["LayerVersion"]["PublishLambdaVersion"]
    before, after = (_versions(document) for document in documents)
    assert before == after


def test_an_old_version_goes_and_its_snapshot_with_it() -> None:
    """Each snapshot is paid for as long as its version exists; one version a function is kept."""
    versions = [
        resource
        for resource in translated(packaged())["Resources"].values()
        if resource["Type"] == "AWS::Lambda::Version"
    ]
    assert [version["DeletionPolicy"] for version in versions] == ["Delete"] * len(functions())


def test_a_function_s_own_words_are_added_to_the_shared_ones() -> None:
    """Globals are merged map by map, as the other tests read them: nothing of them is lost."""
    made = translated(packaged())["Resources"]
    for name, function in functions().items():
        deployed = made[name]["Properties"]
        assert deployed["LoggingConfig"] == function["LoggingConfig"]
        assert deployed["Environment"] == function["Environment"]
        assert deployed["TracingConfig"] == {"Mode": function["Tracing"]}


def test_a_version_is_described_by_its_settings() -> None:
    """The description, whose change publishes anew, is that of the version and not of the function."""
    for resource in translated(packaged())["Resources"].values():
        if resource["Type"] == "AWS::Lambda::Version":
            function = functions()[resource["Properties"]["FunctionName"]["Ref"]]
            assert resource["Properties"]["Description"] == function["VersionDescription"]


def test_the_machine_calls_the_published_version() -> None:
    """The flow is given the aliases that the deployment moves."""
    made = translated(packaged())["Resources"]
    given = made["SearchMachine"]["Properties"]["DefinitionSubstitutions"]
    for name in functions():
        alias = made[given[name]["Ref"]]
        assert alias["Type"] == "AWS::Lambda::Alias"
        assert alias["Properties"]["Name"] == "live"
        assert alias["Properties"]["FunctionName"] == {"Ref": name}


def test_the_answers_of_another_version_are_not_read_again() -> None:
    """The flow is told which versions are published, so that their answers are remembered under keys of their own."""
    told = []
    for document in (packaged(), packaged(layer="two")):
        made = translated(document)["Resources"]
        _, names = made["SearchMachine"]["Properties"]["DefinitionSubstitutions"]["SearchVersion"]["Fn::Join"]
        assert [made[name["Ref"]]["Type"] for name in names] == ["AWS::Lambda::Version"] * len(functions())
        told.append({name["Ref"] for name in names})
    assert not told[0] & told[1]
