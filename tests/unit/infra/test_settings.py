"""What the environment sets: the provider that a key's name selects, and settings that are refused by name."""

from __future__ import annotations

import pytest
from goldpan.errors import Misconfigured
from goldpan.settings import (
    DEEPSEEK_MODEL,
    DEEPSEEK_URL,
    OPENAI_MODEL,
    OPENAI_URL,
    GitHubSettings,
    LocalSettings,
    ModelSettings,
)

OWN = {"LLM_API_KEY": "own-key", "LLM_BASE_URL": "http://127.0.0.1:9/v1", "LLM_MODEL": "own-model"}
DEEPSEEK, OPENAI = {"DEEPSEEK_API_KEY": "deep-key"}, {"OPENAI_API_KEY": "open-key"}


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        (OWN | DEEPSEEK | OPENAI, ("LLM_API_KEY", "own-key", "http://127.0.0.1:9/v1", "own-model", True)),
        (DEEPSEEK | OPENAI, ("DEEPSEEK_API_KEY", "deep-key", DEEPSEEK_URL, DEEPSEEK_MODEL, False)),
        (OPENAI, ("OPENAI_API_KEY", "open-key", OPENAI_URL, OPENAI_MODEL, True)),
    ],
)
def test_the_keys_name_selects_the_provider(environment: dict[str, str], expected: tuple[object, ...]) -> None:
    """Each key goes to its own provider's address, the asker's own endpoint first."""
    endpoint = ModelSettings.from_environment(environment).model_endpoint()
    assert endpoint is not None
    told = (endpoint.key_name, endpoint.key.get_secret_value(), endpoint.base_url, endpoint.model, endpoint.thinking)
    assert told == expected


def test_a_key_never_goes_to_anothers_address() -> None:
    """An address without its own key does not receive the key of another provider."""
    address = {name: OWN[name] for name in ("LLM_BASE_URL", "LLM_MODEL")}
    endpoint = ModelSettings.from_environment(address | OPENAI).model_endpoint()
    assert endpoint is not None
    assert (endpoint.key_name, endpoint.base_url, endpoint.model) == ("OPENAI_API_KEY", OPENAI_URL, OPENAI_MODEL)


def test_no_key_is_no_model() -> None:
    """Without any key there is no model, and that is no error."""
    assert ModelSettings.from_environment({}).model_endpoint() is None


@pytest.mark.parametrize("missing", ["LLM_BASE_URL", "LLM_MODEL"])
def test_half_an_endpoint_is_refused_by_name(missing: str) -> None:
    """A key without an address or a model is refused, and the missing variable is named first."""
    with pytest.raises(Misconfigured, match=f"^{missing} is not set"):
        ModelSettings.from_environment({**OWN, missing: ""} | OPENAI).model_endpoint()


@pytest.mark.parametrize("empty", ["", "  ", "\n"])
def test_an_empty_variable_is_not_set(empty: str) -> None:
    """A variable that is empty or blank counts as not set."""
    settings = LocalSettings.from_environment({"GITHUB_TOKEN": empty, "GITHUB_API_URL": empty, "LLM_API_KEY": empty})
    assert (settings.github_token, settings.llm_api_key) == (None, None)
    assert settings.github_api_url == "https://api.github.com"


def test_a_value_is_trimmed() -> None:
    """Blanks and a line's end around a token, as files and shells leave them, do no harm."""
    token = GitHubSettings.from_environment({"GITHUB_TOKEN": " good-token\n"}).github_token
    assert token is not None
    assert token.get_secret_value() == "good-token"


@pytest.mark.parametrize("name", ["GITHUB_API_URL", "LLM_BASE_URL"])
@pytest.mark.parametrize("url", ["github.example.org", "ftp://github.example.org", "https://", "undefined"])
def test_a_bad_address_is_named(name: str, url: str) -> None:
    """An address that is none is refused by the name of its variable."""
    with pytest.raises(Misconfigured, match=f"^{name}: "):
        LocalSettings.from_environment({name: url})


def test_all_bad_settings_are_named_at_once() -> None:
    """Two bad settings are told together."""
    with pytest.raises(Misconfigured, match="LLM_BASE_URL: ") as refused:
        LocalSettings.from_environment({"LLM_BASE_URL": "x", "GITHUB_API_URL": "y"})
    assert "GITHUB_API_URL: " in str(refused.value)


def test_secrets_are_never_shown() -> None:
    """Neither settings nor an endpoint show a secret when they are printed."""
    settings = LocalSettings.from_environment({**OWN, **DEEPSEEK, **OPENAI, "GITHUB_TOKEN": "hub-token"})
    shown = f"{settings!r} {settings} {settings.model_dump_json()} {settings.model_endpoint()!r}"
    assert "SecretStr" in shown
    assert not any(secret in shown for secret in ("own-key", "deep-key", "open-key", "hub-token"))


@pytest.mark.parametrize("secret", ["good\ntoken-rest", "good-t\u00f6ken-rest"])
@pytest.mark.parametrize("name", ["GITHUB_TOKEN", "LLM_API_KEY"])
def test_a_secret_that_no_header_can_carry_is_refused(name: str, secret: str) -> None:
    """A secret with a line's end or a letter beyond ASCII inside is refused by name, and not shown."""
    with pytest.raises(Misconfigured, match=f"^{name}: ") as refused:
        LocalSettings.from_environment({name: secret})
    assert "rest" not in str(refused.value)
