"""Settings from environment variables: the base of all, and those of the language model."""

from __future__ import annotations

import pytest
from goldpan.errors import Misconfigured
from goldpan.infra.settings import LLMSettings, Secret, Settings, Url


class Example(Settings):
    """Settings of a test."""

    token: Secret | None = None
    address: Url = "https://example.org"
    other_address: Url | None = None


@pytest.mark.parametrize("empty", ["", "  ", "\n"])
def test_an_empty_variable_is_not_set(empty: str) -> None:
    """A variable that is empty or blank leaves the default."""
    assert Example.from_environment({"TOKEN": empty, "ADDRESS": empty}) == Example()


def test_a_value_is_trimmed() -> None:
    """Blanks and a line break around a value, as files and shells leave them, are removed."""
    token = Example.from_environment({"TOKEN": " good-token\n"}).token
    assert token is not None
    assert token.get_secret_value() == "good-token"


@pytest.mark.parametrize("address", ["example.org", "ftp://example.org", "https://", "undefined"])
def test_all_wrong_variables_are_named(address: str) -> None:
    """Two wrong addresses are reported together, each by its variable."""
    with pytest.raises(Misconfigured, match=r"^ADDRESS: .*; OTHER_ADDRESS: "):
        Example.from_environment({"ADDRESS": address, "OTHER_ADDRESS": address})


@pytest.mark.parametrize("secret", ["good\ntoken-rest", "good-t\u00f6ken-rest"])
def test_a_secret_must_fit_into_a_header(secret: str) -> None:
    """A secret with a line break or a letter beyond ASCII is refused by name, and not repeated."""
    with pytest.raises(Misconfigured, match=r"^TOKEN: .*HTTP header") as refused:
        Example.from_environment({"TOKEN": secret})
    assert "rest" not in str(refused.value)


OWN = {"LLM_API_KEY": "own-key", "LLM_BASE_URL": "http://127.0.0.1:9/v1", "LLM_MODEL": "own-model"}
DEEPSEEK, OPENAI = {"DEEPSEEK_API_KEY": "deep-key"}, {"OPENAI_API_KEY": "open-key"}
AT_OPENAI = ("OPENAI_API_KEY", "open-key", "https://api.openai.com/v1", "gpt-4.1-mini", True)


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        (OWN | DEEPSEEK | OPENAI, ("LLM_API_KEY", "own-key", "http://127.0.0.1:9/v1", "own-model", True)),
        (DEEPSEEK | OPENAI, ("DEEPSEEK_API_KEY", "deep-key", "https://api.deepseek.com", "deepseek-flash", False)),
        (OPENAI, AT_OPENAI),
        (OPENAI | {name: OWN[name] for name in ("LLM_BASE_URL", "LLM_MODEL")}, AT_OPENAI),
    ],
)
def test_the_name_of_a_key_selects_the_provider(environment: dict[str, str], expected: tuple[object, ...]) -> None:
    """Each key is sent to the address of its own provider only; the caller's own endpoint comes first."""
    endpoint = LLMSettings.from_environment(environment).endpoint()
    assert endpoint is not None
    found = (endpoint.key_name, endpoint.key.get_secret_value(), endpoint.base_url, endpoint.model, endpoint.thinking)
    assert found == expected


def test_without_a_key_there_is_no_endpoint() -> None:
    """A missing key is no error."""
    assert LLMSettings.from_environment({}).endpoint() is None


@pytest.mark.parametrize("missing", ["LLM_BASE_URL", "LLM_MODEL", "LLM_API_KEY"])
def test_an_incomplete_endpoint_is_refused(missing: str) -> None:
    """A key without an address or a model, or an address without a key, is refused by the missing variable."""
    with pytest.raises(Misconfigured, match=f"^{missing} is not set: .*LLM_BASE_URL"):
        LLMSettings.from_environment({**OWN, missing: ""}).endpoint()


def test_secrets_are_not_printed() -> None:
    """Neither the settings nor the endpoint reveal a key."""
    settings = LLMSettings.from_environment({**OWN, **DEEPSEEK, **OPENAI})
    printed = f"{settings!r} {settings} {settings.model_dump_json()} {settings.endpoint()!r}"
    assert "SecretStr" in printed
    assert not any(secret in printed for secret in ("own-key", "deep-key", "open-key"))
