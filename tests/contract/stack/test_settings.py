"""The environment of each function is what its code reads, and a changed parameter reaches the functions."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Any

from goldpan.aws.settings import RefreshSettings, ScoutSettings, ScreenerSettings, TranslatorSettings
from goldpan.infra.settings import EmbeddingSettings, LLMSettings, Settings
from goldpan.kinds.registry import all_kinds
from hypothesis import example, given
from hypothesis import strategies as st

from tests.contract.stack.documents import functions, resources, template
from tests.contract.stack.evaluated import Values, deploys, evaluate

KINDS = tuple(kind.connector().settings for kind in all_kinds())
SETTINGS: dict[str, tuple[type[Settings], ...]] = {
    "QueryTranslatorFunction": (TranslatorSettings, LLMSettings),
    "ScoutFunction": (ScoutSettings, EmbeddingSettings, *KINDS),
    "ScreenerFunction": (ScreenerSettings, LLMSettings, *KINDS),
}
PARAMETERS = template()["Parameters"]
DEFAULTS = {name: row["Default"] for name, row in PARAMETERS.items()}
MODEL_KEYS = ("LLM_API_KEY_PARAMETER", "DEEPSEEK_API_KEY_PARAMETER", "OPENAI_API_KEY_PARAMETER")
POLICY = resources("AWS::IAM::ManagedPolicy")["SourcesPolicy"]


def _environment(function: str) -> dict[str, Any]:
    variables = functions()[function]["Environment"]["Variables"]
    return {name: value for name, value in variables.items() if not name.startswith("POWERTOOLS_")}


def _variables(settings: type[Settings]) -> set[str]:
    """Return the variables of a settings model; a secret is given by the name of its SSM parameter."""
    fields = settings.model_fields.items()
    return {f"{name.upper()}{'_PARAMETER' if 'Secret' in str(field.annotation) else ''}" for name, field in fields}


SOURCE_KEYS = {name for each in KINDS for name in _variables(each) if name.endswith("_PARAMETER")}


def test_the_environment_is_what_the_code_reads() -> None:
    """Each variable is a setting of the function, of a kind or of the language model, and holds its parameter."""
    assert _variables(LLMSettings) == {*MODEL_KEYS, "LLM_BASE_URL", "LLM_MODEL"}, "a secret is named by its parameter"
    for function, models in SETTINGS.items():
        expected = {name for settings in models for name in _variables(settings)}
        expected |= SOURCE_KEYS if function == "QueryTranslatorFunction" else set()  # plans more with them
        assert set(_environment(function)) == expected
        for name, value in _environment(function).items():
            assert value["Ref"].lower() == name.replace("_", "").lower()


def test_the_update_of_the_catalogue_has_its_settings() -> None:
    """It calls GitHub as scout does, and replaces the file of the bucket that scout reads."""
    variables = resources("AWS::Lambda::Function")["RefreshFunction"]["Environment"]["Variables"]
    assert set(variables) == _variables(RefreshSettings) | {"GITHUB_TOKEN_PARAMETER", "GITHUB_API_URL"}
    assert variables == {name: _environment("ScoutFunction")[name] for name in variables}


def test_a_deployment_checks_every_setting() -> None:
    """The release reads the settings of all kinds, of the language model and of embeddings, as the functions do."""
    variables = resources("AWS::Lambda::Function")["ReleaseFunction"]["Environment"]["Variables"]
    models: tuple[type[Settings], ...] = (LLMSettings, EmbeddingSettings, *KINDS)
    assert set(variables) == {name for settings in models for name in _variables(settings)}
    deployed = _environment("ScreenerFunction") | _environment("ScoutFunction")
    assert variables == {name: deployed[name] for name in variables}


def test_a_stack_deploys_without_an_answer_and_accepts_no_secret() -> None:
    """Every parameter has a default; where a name in SSM is expected, the keys of known providers are rejected."""
    assert all({"Default", "ConstraintDescription"} <= set(parameter) for parameter in PARAMETERS.values())
    patterns = [re.compile(row["AllowedPattern"]) for name, row in PARAMETERS.items() if name.endswith("Parameter")]
    assert len(patterns) == 8
    for pattern in patterns:
        accepted = [bool(pattern.fullmatch(each)) for each in ("/goldpan/a-name", "sk-proj-abc", "github_pat_abc")]
        assert accepted == [True, False, False]


URLS = {
    value["Ref"]: name
    for name, value in (_environment("ScreenerFunction") | _environment("ScoutFunction")).items()
    if value["Ref"].endswith("Url")
}
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
    models: tuple[type[Settings], ...] = (LLMSettings, EmbeddingSettings, *KINDS)
    for settings in models:
        given_values = {URLS[name]: url for name in accepted if URLS[name].lower() in settings.model_fields}
        settings.from_environment(given_values)


@given(key=st.booleans(), url=st.booleans(), model=st.booleans(), deepseek=st.booleans())
def test_an_endpoint_that_deploys_is_complete(*, key: bool, url: bool, model: bool, deepseek: bool) -> None:
    """No stack deploys with an endpoint that the functions would refuse at every search."""
    given_values = {
        "LLM_API_KEY": "/a/key" if key else "",
        "LLM_BASE_URL": "https://example.org/v1" if url else "",
        "LLM_MODEL": "some-model" if model else "",
    }
    names = ("LlmApiKeyParameter", "LlmBaseUrl", "LlmModel")
    accepted = deploys(DEFAULTS | dict(zip(names, given_values.values(), strict=True)))
    assert accepted == (key == url and (model or not key))
    if accepted:
        LLMSettings.from_environment({**given_values, "DEEPSEEK_API_KEY": "a" if deepseek else ""}).endpoint()


@given(key=st.sampled_from(["", "/a/key"]), url=st.sampled_from(["", "https://a.org/v1"]), model=st.sampled_from("m "))
def test_an_endpoint_for_embeddings_that_deploys_is_complete(key: str, url: str, model: str) -> None:
    """All three parameters or none, as the function that searches libraries requires."""
    given_values = {"EmbeddingApiKeyParameter": key, "EmbeddingBaseUrl": url, "EmbeddingModel": model.strip()}
    assert deploys(DEFAULTS | given_values) == (all(given_values.values()) or not any(given_values.values()))


def _samples(name: str) -> list[str]:
    """Return few values of a parameter, so that two deployments often share some; none if it is no setting."""
    numbers = {"LibraryStorageMb": (2048, 10240), "CatalogueUpdateHours": (6, 24)}
    if name not in numbers and "MaxLength" not in PARAMETERS[name]:
        return []
    texts = ["https://a.example", "https://b.example"] if name.endswith("Url") else ["/a", "/b"]
    return [str(value) for value in numbers.get(name, texts)]


def _values(names: Iterable[str], *, defaults: bool, samples: bool) -> st.SearchStrategy[Values]:
    """Draw a value of each parameter from its default, its samples, or both."""
    return st.fixed_dictionaries(
        {
            name: st.sampled_from([*([str(DEFAULTS[name])] if defaults else []), *(_samples(name) if samples else [])])
            for name in names
        }
    )


ENDPOINTS = tuple((f"{name}ApiKeyParameter", f"{name}BaseUrl", f"{name}Model") for name in ("Llm", "Embedding"))
"""Parameters that deploy together or not at all."""
GROUPS = (
    *ENDPOINTS,
    *((name,) for name in sorted(PARAMETERS) if name not in {one for each in ENDPOINTS for one in each}),
)
VALUES = st.tuples(
    *(
        _values(names, defaults=True, samples=False) | _values(names, defaults=False, samples=True)
        if names in ENDPOINTS
        else _values(names, defaults=True, samples=True)
        for names in GROUPS
    )
).map(lambda drawn: {name: value for values in drawn for name, value in values.items()})
LAYER = {
    name: f"arn:aws:lambda:eu-west-1:123456789012:layer:{name}:99999"
    for name in resources("AWS::Serverless::LayerVersion")
}
FIXED = {"AWS::StackName": "goldpan", **dict.fromkeys(resources("AWS::DynamoDB::Table"), "a-table")}
FIXED |= dict.fromkeys(resources("AWS::S3::Bucket"), "a-bucket")


def _deployed(values: Values) -> Values:
    """Add what CloudFormation knows of a deployment: another description of the policy is a policy with another id."""
    described = str(evaluate(POLICY["Description"], values))
    policy_id = f"ANPA{hashlib.sha256(described.encode()).hexdigest()[:17].upper()}"
    return {**values, **FIXED, **LAYER, "SourcesPolicy.PolicyId": policy_id}


def _described(function: str, values: Values) -> str:
    return str(evaluate(functions()[function]["VersionDescription"], _deployed(values)))


def _effective(function: str, values: Values) -> dict[str, Any]:
    """Return the settings that change what a function does: only the first configured model key counts.

    The query translator only needs to know whether a key of a source is set.
    """
    set_to = {name: evaluate(value, _deployed(values)) for name, value in _environment(function).items()}
    if function == "QueryTranslatorFunction":
        set_to |= {name: bool(set_to[name]) for name in SOURCE_KEYS}
    first = next((name for name in MODEL_KEYS if set_to.get(name)), None)
    unused = {*MODEL_KEYS, "LLM_MODEL"} - ({first, "LLM_MODEL"} if first == MODEL_KEYS[0] else {first})
    return {name: value for name, value in set_to.items() if name not in unused}


@given(before=VALUES, others=VALUES, changes=st.sets(st.sampled_from(GROUPS), max_size=3))
def test_other_settings_publish_another_version(before: Values, others: Values, changes: set[tuple[str, ...]]) -> None:
    """The description of a version changes if and only if an effective setting does, so CloudFormation publishes."""
    after = {**before, **{name: others[name] for names in changes for name in names}}
    assert deploys(before)
    assert deploys(after)
    for function in SETTINGS:
        described = [_described(function, values) for values in (before, after)]
        assert (described[0] != described[1]) == (_effective(function, before) != _effective(function, after)), function


def test_the_longest_settings_fit_into_the_description() -> None:
    """No allowed parameters make a description that Lambda refuses, or IAM."""
    longest = {
        name: "x"
        * int(row.get("MaxLength", max(len(str(each)) for each in row.get("AllowedValues", [row.get("MaxValue", "")]))))
        for name, row in PARAMETERS.items()
    }
    for function in functions():
        assert len(_described(function, longest)) <= 256
    assert len(str(evaluate(POLICY["Description"], longest))) <= 1000
