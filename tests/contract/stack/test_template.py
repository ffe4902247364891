"""The template reads as a document: its order, its words, its reasons."""

from __future__ import annotations

import re
from itertools import pairwise

from tests.contract.stack.documents import CONTRACT, TEMPLATE, read, strings, template

TEXT = TEMPLATE.read_text("utf-8")
LINES = TEXT.splitlines()


def test_the_sections_stand_in_their_order() -> None:
    """Parameters, rules, conditions, globals, resources, outputs."""
    order = ["Parameters", "Rules", "Conditions", "Globals", "Resources", "Outputs"]
    assert [section for section in template() if section in order] == order


def test_every_section_and_every_part_has_its_signpost() -> None:
    """A reader who scrolls finds a heading above each part, all of one width."""
    signposts = [line for line in LINES if "── " in line]
    assert len(signposts) == 12
    assert {len(line) for line in signposts} == {120}


def test_every_parameter_explains_itself() -> None:
    """Who deploys reads what a parameter is, and what was wrong with a value."""
    for name, parameter in template()["Parameters"].items():
        assert parameter["Description"], name
        bounds = ({"AllowedPattern"}, {"AllowedValues"}, {"MinValue", "MaxValue"})
        assert any(bound <= set(parameter) for bound in bounds), name
        assert parameter["ConstraintDescription"].startswith("must "), name
        assert "Default" in parameter, f"{name}: the stack deploys without an answer"


def test_no_parameter_holds_a_secret() -> None:
    """A secret is given by its name in SSM: the patterns let no key of a provider through, and no text of one."""
    for name, parameter in template()["Parameters"].items():
        if name.endswith("Parameter"):
            pattern = re.compile(parameter["AllowedPattern"])
            assert pattern.fullmatch("/goldpan/a-name"), name
            assert not pattern.fullmatch("sk-proj-abc"), name
            assert not pattern.fullmatch("github_pat_abc"), name


def test_every_parameter_and_condition_is_used() -> None:
    """No knob that nothing reads: what stands in the resources, in the conditions they name, and in the API's file."""
    used = {name for part in ("Resources", "Globals", "Conditions") for name in _words(template()[part])}
    used |= _words(CONTRACT.read_text("utf-8"))
    assert set(template()["Parameters"]) <= used
    assert set(template()["Conditions"]) <= _words(template()["Resources"])


def _words(part: object) -> set[str]:
    return {name for text in strings(part) for name in re.findall(r"\w+", text)}


def test_every_memory_size_and_timeout_has_its_reason() -> None:
    """A figure without its reason cannot be changed."""
    figures = [(above, line) for above, line in pairwise(LINES) if re.search(r"\b(MemorySize|Timeout): \d", line)]
    assert len(figures) == 6
    assert [line for above, line in figures if not above.strip().startswith("# ")] == []


def test_a_function_says_only_what_is_different() -> None:
    """What the globals say is not said again."""
    shared = template()["Globals"]["Function"]
    for name, resource in template()["Resources"].items():
        if resource["Type"] == "AWS::Serverless::Function":
            same = {key for key, value in resource["Properties"].items() if shared.get(key) == value}
            assert not same, name


def test_the_parts_of_a_function_stand_together() -> None:
    """A function, a machine or the API, its log group and its role follow each other."""
    names = list(template()["Resources"])
    for before, after in pairwise(names):
        if before.endswith(("Function", "Machine", "SearchApi")):
            assert after == f"{before.removesuffix('Function')}Logs"
        if before.endswith("Logs") and f"{before.removesuffix('Logs')}Role" in names:
            assert after == f"{before.removesuffix('Logs')}Role"


GIVEN = (
    "AWS::Serverless::Function", "AWS::Serverless::LayerVersion", "AWS::Serverless::StateMachine",
    "AWS::Logs::LogGroup", "AWS::DynamoDB::Table", "AWS::ApiGateway::ApiKey", "AWS::ApiGateway::UsagePlan",
)  # fmt: skip
"""What an operator or another stack asks for by its name; alarms are seen where they are, roles are nobody's."""


def test_every_output_explains_itself() -> None:
    """The stack gives its address, its key, machines, layer, aliases, log groups and tables, each with a sentence."""
    outputs = template()["Outputs"]
    assert all(output["Description"] for output in outputs.values())
    given = {output["Value"]["Ref"] for name, output in outputs.items() if name != "SearchUrl"}
    expected = {
        name if resource["Type"] != "AWS::Serverless::Function" else f"{name}.Alias"
        for name, resource in template()["Resources"].items()
        if resource["Type"] in GIVEN
    }
    assert given == expected


def test_the_address_is_that_of_the_contract() -> None:
    """The output leads to the path on which the API answers, in the stage that is deployed."""
    address = template()["Outputs"]["SearchUrl"]["Value"]["Fn::Sub"]
    path = address.partition("${ApiStage}")[2]
    assert address.startswith("https://${SearchApi}.execute-api.${AWS::Region}.${AWS::URLSuffix}/${ApiStage}/")
    assert "post" in read(CONTRACT.read_text("utf-8"))["paths"][path]
