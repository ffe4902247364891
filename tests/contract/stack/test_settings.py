"""The environment of each function is what its code reads, and a changed parameter reaches the functions."""

import re
from types import SimpleNamespace

import pytest
from goldpan.aws import settings as of_aws
from goldpan.infra.settings import EmbeddingSettings, LLMSettings, Settings
from goldpan.kinds.registry import all_kinds
from hypothesis import example, given
from hypothesis import strategies as st

from tests.contract.stack.documents import Values, deploys, evaluate, functions, resources, template
from tests.contract.stack.test_functions import ENCODER

KINDS = tuple(kind.connector().settings for kind in all_kinds())
MODELS: tuple[type[Settings], ...] = (LLMSettings, EmbeddingSettings, *KINDS)
"""What sources and endpoints need; every function has all of it, and the secrets by name."""
PARAMETERS = template()["Parameters"]
DEFAULTS = {name: row["Default"] for name, row in PARAMETERS.items()} | {"Secrets": []}
VARIABLES = {
    name: value
    for name, value in template()["Globals"]["Function"]["Environment"]["Variables"].items()
    if not name.startswith("POWERTOOLS_")
}
POLICY = resources("AWS::IAM::ManagedPolicy")["SourcesPolicy"]


def _secrets(*models: type[Settings]) -> set[str]:
    """Return the names in SSM of the secrets of settings, below the prefix."""
    fields = (field for model in models for field in model.model_fields.items())
    return {name.replace("_", "-") for name, field in fields if "Secret" in str(field.annotation)}


def _variables(*models: type[Settings]) -> set[str]:
    """Return the variables of settings that are no secrets; the addresses of public sources keep their defaults."""
    names = {name for model in models for name in model.model_fields} - {"osv_url"}
    addresses = {name for name in names if name.endswith("_url") and name.removesuffix("_url") in SOURCES}
    return {name.upper() for name in names - addresses} - {_variable(name) for name in _secrets(*models)}


def _variable(secret: str) -> str:
    return secret.upper().replace("-", "_")


SOURCES = {"openalex", "crossref", "arxiv", "semantic_scholar", "europe_pmc", "serpapi"}


def test_every_function_has_every_setting() -> None:
    """With the value of its parameter; a deployment checks every one, and the update of the catalogue calls GitHub."""
    of_functions = (of_aws.TranslatorSettings, of_aws.ScoutSettings, of_aws.ScreenerSettings)
    assert set(VARIABLES) == _variables(*of_functions, *MODELS) | {"SECRETS", "SECRETS_PREFIX"}
    assert all("Environment" not in template()["Resources"][name]["Properties"] for name in functions())
    for name, value in VARIABLES.items():
        [named] = value["Fn::Join"][1:] if name == "SECRETS" else [value]
        assert named["Ref"].lower() == name.replace("_", "").lower()
    secrets = {"SECRETS", "SECRETS_PREFIX"}
    expected = {
        "ReleaseFunction": _variables(*MODELS) | secrets,
        "RefreshFunction": _variables(of_aws.RefreshSettings) | {"GITHUB_API_URL"} | secrets,
    }
    for name, variables in expected.items():
        given_to_it = resources("AWS::Lambda::Function")[name]["Environment"]["Variables"]
        assert given_to_it == {each: VARIABLES[each] for each in variables}


def test_a_stack_deploys_without_an_answer_and_accepts_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every parameter has a default; those that name secrets accept the names of settings, and no key of a provider."""
    assert all({"Default", "Description"} <= set(parameter) for parameter in PARAMETERS.values())
    refusing = [each for each in PARAMETERS.values() if {"AllowedPattern", "AllowedValues"} & set(each)]
    assert all("ConstraintDescription" in each for each in refusing), "CloudFormation names bounds alone by itself"
    assert {*PARAMETERS["Secrets"]["AllowedValues"]} == _secrets(*MODELS) | {""}
    read = dict[str, str]()
    provider = SimpleNamespace(get=lambda name, **_: read.setdefault(name, name))
    monkeypatch.setattr("goldpan.aws.settings._provider", lambda: provider)
    named = of_aws.Environment({"SECRETS": ",".join(_secrets(*MODELS)), "SECRETS_PREFIX": DEFAULTS["SecretsPrefix"]})
    for model in MODELS:
        named.read(model)
    assert sorted(read) == sorted(f"/goldpan/{name}" for name in _secrets(*MODELS))
    pattern, prefixes = PARAMETERS["SecretsPrefix"]["AllowedPattern"], ("/a/b", "sk-proj-abc", "/", "")
    assert [each for each in prefixes if re.fullmatch(pattern, each)] == ["/a/b"]


URLS = {value["Ref"]: name for name, value in VARIABLES.items() if name.endswith("_URL")}
"""The variable of each parameter that is an address."""


@given(
    url=st.from_regex(
        r"https?://([a-z:[\]]{1,4}@)?[a-z.]{1,9}[:[\]]?(:[0-9]{1,5})?(/[a-z0-9 [\]]{0,9})?", fullmatch=True
    )
)
@example(url="https://a:0")
@example(url="https://a:65536")
@example(url="https://[@a")
def test_a_url_that_deploys_is_valid_for_the_function(url: str) -> None:
    """No URL that the template accepts stops a function, and none is unencrypted."""
    accepted = [name for name in URLS if re.fullmatch(PARAMETERS[name]["AllowedPattern"], url)]
    assert not accepted or url.startswith("https://")
    for settings in MODELS:
        given_values = {URLS[name]: url for name in accepted if URLS[name].lower() in settings.model_fields}
        settings.from_environment(given_values)


@given(key=st.booleans(), url=st.booleans(), model=st.booleans(), deepseek=st.booleans())
def test_an_endpoint_that_deploys_is_complete(*, key: bool, url: bool, model: bool, deepseek: bool) -> None:
    """No stack deploys with an endpoint that the functions would refuse at every search."""
    values = {"LlmBaseUrl": "https://example.org/v1" if url else "", "LlmModel": "some-model" if model else ""}
    listed = [*(["llm-api-key"] if key else []), *(["deepseek-api-key"] if deepseek else [])]
    accepted = deploys(DEFAULTS | values | {"Secrets": listed})
    assert accepted == (key == url and (model or not key))
    if accepted:
        given_values = {"LLM_BASE_URL": values["LlmBaseUrl"], "LLM_MODEL": values["LlmModel"]}
        LLMSettings.from_environment(given_values | {_variable(name): "a" for name in listed}).endpoint()


@given(key=st.booleans(), url=st.sampled_from(["", "https://a.org/v1"]), model=st.sampled_from(["m", ENCODER, ""]))
def test_an_endpoint_for_embeddings_that_deploys_is_complete(*, key: bool, url: str, model: str) -> None:
    """All three, or a layer, or nothing, as scout requires; any other layer than the encoder's is refused by Lambda."""
    values = {"EmbeddingBaseUrl": url, "EmbeddingModel": model, "Secrets": ["embedding-api-key"] if key else []}
    accepted = deploys(DEFAULTS | values)
    assert accepted == (key == bool(url) and bool(model or not url))
    if accepted and (url or model != "m"):
        given_values = {"EMBEDDING_BASE_URL": url, "EMBEDDING_MODEL": model, "EMBEDDING_API_KEY": "a" if key else ""}
        settings = of_aws.EncoderSettings.from_environment(given_values)
        assert (settings.endpoint() is not None, settings.has_layer) == (bool(url), model == ENCODER and not url)


LAYER = {
    name: f"arn:aws:lambda:eu-west-1:123456789012:layer:{name}:99999"
    for name in resources("AWS::Serverless::LayerVersion")
}


def _described(values: Values) -> str:
    return str(evaluate(POLICY["Description"], values))


@pytest.mark.parametrize("variable", sorted(VARIABLES))
def test_another_setting_publishes_every_function(variable: str) -> None:
    """The id of the policy with all settings, which changes with its description, is in that of every version."""
    for function in functions().values():
        assert "${SourcesPolicy.PolicyId}" in function["VersionDescription"]["Fn::Sub"][0]
    value = VARIABLES[variable]
    name = (value["Fn::Join"][1] if variable == "SECRETS" else value)["Ref"]
    if name in PARAMETERS:  # a table or a bucket that is replaced has another name, which SAM sees in the template
        other = ["github-token"] if name == "Secrets" else "another"
        assert _described(DEFAULTS | {name: other}) != _described(DEFAULTS)
    inserted = set(re.findall(r"\$\{(\w+)\}", POLICY["Description"]["Fn::Sub"][0]))
    settings = {each["Ref"] for each in VARIABLES.values() if "Ref" in each} | {"Names"}
    assert inserted <= settings, "what changes no setting must not publish: Lambda finds nothing new in it"


def test_the_longest_settings_fit_into_the_description() -> None:
    """No allowed parameters make a description that Lambda refuses, or IAM."""
    longest: Values = {
        name: "x"
        * int(row.get("MaxLength", max(len(str(each)) for each in row.get("AllowedValues", [row.get("MaxValue", "")]))))
        for name, row in PARAMETERS.items()
    }
    longest = {**longest, "Secrets": PARAMETERS["Secrets"]["AllowedValues"]}
    assert len(_described(longest)) <= 1000
    for function in functions().values():
        policy = {"SourcesPolicy.PolicyId": f"ANPA{'A' * 17}"}
        assert len(str(evaluate(function["VersionDescription"], {**longest, **LAYER, **policy}))) <= 256
