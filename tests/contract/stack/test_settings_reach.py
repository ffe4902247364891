"""A change of a parameter reaches the functions, because the description of a version tells its settings."""

from __future__ import annotations

from typing import Any

import pytest
from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.contract.stack.documents import functions, resources, template
from tests.contract.stack.evaluated import Values, deploys, evaluated

PARAMETERS = template()["Parameters"]
LONGEST = 256
"""Characters that Lambda takes as the description of a version."""
KEYS = ("LLM_API_KEY_PARAMETER", "DEEPSEEK_API_KEY_PARAMETER", "OPENAI_API_KEY_PARAMETER")
BY_FUNCTION = pytest.mark.parametrize("function", sorted(functions()))


def _texts(name: str) -> st.SearchStrategy[str]:
    """Give values of a parameter: few and alike, so that deployments share some, and confuse some if they can."""
    if name.endswith("Url"):
        samples = ["https://a.example", "https://b.example"]
    elif name == "WarmUpShare":
        samples = [str(value) for value in PARAMETERS[name]["AllowedValues"]]
    else:
        samples = ["/a", "/b"] if "MaxLength" in PARAMETERS[name] else []
    return st.sampled_from([str(PARAMETERS[name]["Default"]), *samples])


VALUES = st.fixed_dictionaries({name: _texts(name) for name in PARAMETERS}).filter(deploys)


NAMES = {"AWS::StackName": "goldpan", **{name: f"goldpan-{name}" for name in resources("AWS::DynamoDB::Table")}}
"""They stay, whatever the parameters: a table is renamed in the template when it has to be made anew."""


def _description(function: str, values: Values) -> str:
    return str(evaluated(functions()[function]["VersionDescription"], values))


def _effective(function: str, values: Values) -> dict[str, Any]:
    """Give what a function does by its settings: of the keys of language models only the first one counts."""
    variables = functions()[function]["Environment"]["Variables"]
    told = {name: evaluated(value, {**values, **NAMES}) for name, value in variables.items()}
    first = next((name for name in KEYS if told.get(name)), None)
    unused = {*KEYS, "LLM_MODEL"} - ({first, "LLM_MODEL"} if first == KEYS[0] else {first})
    return {name: value for name, value in told.items() if name not in unused}


@BY_FUNCTION
@given(before=VALUES, others=VALUES, changes=st.sets(st.sampled_from(sorted(PARAMETERS)), max_size=3))
def test_other_settings_are_another_version(function: str, before: Values, others: Values, changes: set[str]) -> None:
    """Who names a token or another model in a second deployment gets it, and who changes nothing gets nothing new."""
    after = {**before, **{name: others[name] for name in changes}}
    assume(deploys(after))
    changed = _effective(function, before) != _effective(function, after)
    assert changed == (_description(function, before) != _description(function, after))


def _longest(parameter: dict[str, Any]) -> int:
    return int(parameter.get("MaxLength", max(len(str(value)) for value in parameter.get("AllowedValues", [""]))))


def test_the_longest_settings_are_taken() -> None:
    """No allowed parameters make a description that Lambda refuses."""
    longest = {name: "x" * _longest(parameter) for name, parameter in PARAMETERS.items()}
    assert max(len(_description(function, longest)) for function in functions()) <= LONGEST


def test_a_version_is_published_anew_when_its_description_changes() -> None:
    """CloudFormation cannot change a description, so it makes another version; Lambda takes so many characters."""
    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", "AWS::Lambda::Version").schema
    assert "/properties/Description" in schema["createOnlyProperties"]
    assert schema["properties"]["Description"]["maxLength"] == LONGEST
