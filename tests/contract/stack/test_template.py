"""The parameters, conditions and outputs of the template are used, bounded and documented."""

from __future__ import annotations

import re

from tests.contract.stack.documents import CONTRACT, read, strings, template, text

PARAMETERS = template()["Parameters"]
LISTED = (
    "AWS::Serverless::LayerVersion", "AWS::Serverless::StateMachine", "AWS::Logs::LogGroup", "AWS::DynamoDB::Table",
    "AWS::ApiGateway::ApiKey", "AWS::ApiGateway::UsagePlan",
)  # fmt: skip
"""The types of resources that an operator or another stack addresses, so that each is an output."""


def test_every_parameter_explains_itself() -> None:
    """Every parameter has a default, a description, bounds, and a text for a value outside of them."""
    for name, parameter in PARAMETERS.items():
        assert parameter["Description"], name
        bounds = ({"AllowedPattern"}, {"AllowedValues"}, {"MinValue", "MaxValue"})
        assert any(bound <= set(parameter) for bound in bounds), name
        assert parameter["ConstraintDescription"].startswith("must "), name
        assert "Default" in parameter, f"{name}: the stack must deploy without an answer"


def test_no_parameter_accepts_a_secret() -> None:
    """A secret is given by its name in SSM: the patterns reject the keys of known providers."""
    names = [name for name in PARAMETERS if name.endswith("Parameter")]
    assert len(names) == 4
    for name in names:
        pattern = re.compile(PARAMETERS[name]["AllowedPattern"])
        assert pattern.fullmatch("/goldpan/a-name"), name
        assert not pattern.fullmatch("sk-proj-abc"), name
        assert not pattern.fullmatch("github_pat_abc"), name


def test_every_parameter_and_condition_is_used() -> None:
    """Every parameter is read by a resource, a condition or the API; every condition by a resource."""
    used = {name for part in ("Resources", "Globals", "Conditions") for name in _words(template()[part])}
    assert set(PARAMETERS) <= used | _words(read(CONTRACT))
    assert set(template()["Conditions"]) <= _words(template()["Resources"])


def _words(part: object) -> set[str]:
    return {name for each in strings(part) for name in re.findall(r"\w+", each)}


def test_every_figure_has_its_reason() -> None:
    """Above each memory size and timeout, and beside each threshold of an alarm, a comment gives the reason."""
    source = text("template.yaml")
    assert len(re.findall(r"# .*\n +(?:MemorySize|Timeout): \d", source)) == 6
    assert re.findall(r"^ +Threshold: [\d.]+$", source, re.MULTILINE) == []


def test_every_addressable_resource_is_an_output() -> None:
    """The stack outputs its URL, its key, machines, layer, aliases, log groups and tables, each with a description."""
    outputs = template()["Outputs"]
    assert all(output["Description"] for output in outputs.values())
    resources = template()["Resources"].items()
    aliases = {f"{name}.Alias" for name, made in resources if made["Type"] == "AWS::Serverless::Function"}
    expected = aliases | {name for name, made in resources if made["Type"] in LISTED}
    assert {output["Value"]["Ref"] for name, output in outputs.items() if name != "SearchUrl"} == expected


def test_the_url_is_that_of_the_contract() -> None:
    """The output SearchUrl leads to the path that the API serves, in the stage that is deployed."""
    url = template()["Outputs"]["SearchUrl"]["Value"]["Fn::Sub"]
    before, _, path = url.partition("${ApiStage}")
    assert before == "https://${SearchApi}.execute-api.${AWS::Region}.${AWS::URLSuffix}/"
    assert "post" in read(CONTRACT)["paths"][path]
