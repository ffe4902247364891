"""The environment of each function and its settings model say the same."""

from __future__ import annotations

import re
from typing import Any

import pytest
from goldpan.settings import GitHubSettings, ModelSettings, ScoutSettings, ScreenerSettings, TranslatorSettings
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from tests.contract.stack.documents import functions, template
from tests.contract.stack.evaluated import deploys

SETTINGS: dict[str, type[BaseModel]] = {
    "QueryTranslatorFunction": TranslatorSettings,
    "ScoutFunction": ScoutSettings,
    "ScreenerFunction": ScreenerSettings,
}
BY_FUNCTION = pytest.mark.parametrize("function", sorted(SETTINGS))


def _environment(function: str) -> dict[str, Any]:
    variables = functions()[function]["Environment"]["Variables"]
    return {name: value for name, value in variables.items() if not name.startswith("POWERTOOLS_")}


@BY_FUNCTION
def test_a_function_is_told_what_it_reads(function: str) -> None:
    """Every setting is in the environment, and nothing in the environment goes unread."""
    assert set(_environment(function)) == {name.upper() for name in SETTINGS[function].model_fields}


@BY_FUNCTION
def test_a_variable_holds_the_parameter_of_its_name(function: str) -> None:
    """No variable is filled with another's value."""
    for name, value in _environment(function).items():
        assert value["Ref"].lower() == name.replace("_", "").lower()


@pytest.mark.parametrize(("parameter", "field"), [("GitHubApiUrl", "github_api_url"), ("LlmBaseUrl", "llm_base_url")])
@given(address=st.from_regex(r"https?://[a-z.]{1,9}(:[0-9]{2,4})?(/[a-z0-9 ]{0,9})?", fullmatch=True))
def test_an_address_that_deploys_is_one_that_the_function_takes(parameter: str, field: str, address: str) -> None:
    """What the template lets through never stops a function."""
    pattern = template()["Parameters"][parameter]["AllowedPattern"]
    if re.fullmatch(pattern, address):
        model = GitHubSettings if field in GitHubSettings.model_fields else ModelSettings
        model.from_environment({field.upper(): address})


def test_an_address_is_encrypted() -> None:
    """A key never travels in the clear."""
    for parameter in ("GitHubApiUrl", "LlmBaseUrl"):
        assert not re.fullmatch(template()["Parameters"][parameter]["AllowedPattern"], "http://example.org/v1")


def test_the_default_address_of_github_is_the_code_s() -> None:
    """One default, said in two places."""
    assert template()["Parameters"]["GitHubApiUrl"]["Default"] == GitHubSettings().github_api_url


@given(key=st.booleans(), url=st.booleans(), model=st.booleans(), deepseek=st.booleans())
def test_what_the_rules_let_through_is_a_whole_endpoint(*, key: bool, url: bool, model: bool, deepseek: bool) -> None:
    """A stack that deploys never has half an endpoint, which every search would be refused for."""
    values = {
        "LlmApiKeyParameter": "/a/key" if key else "",
        "LlmBaseUrl": "https://example.org/v1" if url else "",
        "LlmModel": "some-model" if model else "",
    }
    let_through = deploys(values)
    assert let_through == (key == url and (model or not key))
    if let_through:
        environment = {"LLM_API_KEY": "a-key" if key else "", "DEEPSEEK_API_KEY": "another" if deepseek else ""}
        environment |= {"LLM_BASE_URL": values["LlmBaseUrl"], "LLM_MODEL": values["LlmModel"]}
        ModelSettings.from_environment(environment).model_endpoint()
