"""Secrets are read from SSM by the names that the environment holds, by real calls against a simulated service."""

from __future__ import annotations

import pytest
from goldpan.aws.secrets import resolve_secrets
from goldpan.errors import Misconfigured
from goldpan.settings import GitHubSettings, ModelSettings, ScoutSettings, ScreenerSettings, TranslatorSettings

from tests.unit.aws.ssm import KEY, KEY_NAME, OWN, TABLES, TOKEN, TOKEN_NAME, Ssm


def _scout(**environment: str) -> ScoutSettings:
    return ScoutSettings.from_environment(TABLES | environment)


def _token(settings: GitHubSettings) -> str | None:
    return settings.github_token.get_secret_value() if settings.github_token else None


def test_a_secure_string_is_read_and_decrypted(ssm: Ssm) -> None:
    """The value of a SecureString reaches the settings, not its cipher text, and other settings stay as they are."""
    settings = _scout(GITHUB_TOKEN_PARAMETER=TOKEN_NAME, GITHUB_API_URL="https://github.example.org/api/v3")
    read = resolve_secrets(settings, GitHubSettings)
    assert (_token(read), read.github_api_url) == (TOKEN, "https://github.example.org/api/v3")
    assert ssm.asked == [{"Name": TOKEN_NAME, "WithDecryption": True}]


def test_each_key_is_read_from_its_own_parameter(ssm: Ssm) -> None:
    """Every provider's key has a parameter, and the key's name selects the provider as on one machine."""
    ssm.put("/goldpan/deepseek", "hush-deep")
    settings = ScreenerSettings.from_environment(OWN | {"DEEPSEEK_API_KEY_PARAMETER": "/goldpan/deepseek"})
    endpoint = resolve_secrets(settings, ModelSettings).model_endpoint()
    assert endpoint is not None
    assert (endpoint.key_name, endpoint.key.get_secret_value()) == ("LLM_API_KEY", KEY)
    assert sorted(ssm.names()) == ["/goldpan/deepseek", KEY_NAME]


@pytest.mark.parametrize("environment", [{}, {"GITHUB_TOKEN_PARAMETER": ""}, {"GITHUB_TOKEN_PARAMETER": " "}])
def test_a_name_that_is_absent_means_not_configured(environment: dict[str, str], ssm: Ssm) -> None:
    """Without the name of a parameter nothing is read, and the function goes without the secret."""
    settings = ScreenerSettings.from_environment(TABLES | environment)
    assert _token(resolve_secrets(settings, GitHubSettings)) is None
    assert resolve_secrets(settings, ModelSettings).model_endpoint() is None
    assert ssm.asked == []


def test_a_missing_parameter_is_named(ssm: Ssm) -> None:
    """The message names the setting and the parameter that it points to, so that the operator knows both."""
    with pytest.raises(Misconfigured, match=r"^GITHUB_TOKEN_PARAMETER: /goldpan/no-such could not be read from SSM"):
        resolve_secrets(_scout(GITHUB_TOKEN_PARAMETER="/goldpan/no-such"), GitHubSettings)
    assert ssm.names() == ["/goldpan/no-such"]


@pytest.mark.parametrize("value", [" ", "\n"])
def test_a_parameter_that_holds_nothing_is_refused(value: str, ssm: Ssm) -> None:
    """A parameter that was named and holds only blanks is a mistake, not a wish to go without."""
    ssm.put(TOKEN_NAME, value)
    with pytest.raises(Misconfigured, match=r"^GITHUB_TOKEN_PARAMETER: /goldpan/github-token"):
        resolve_secrets(_scout(GITHUB_TOKEN_PARAMETER=TOKEN_NAME), GitHubSettings)


def test_a_secret_that_no_header_can_carry_is_refused_and_not_shown(ssm: Ssm) -> None:
    """A value with a line's end inside is refused by name; the message holds nothing of it."""
    ssm.put(TOKEN_NAME, "hush\nrest")
    with pytest.raises(Misconfigured, match=r"^GITHUB_TOKEN") as refused:
        resolve_secrets(_scout(GITHUB_TOKEN_PARAMETER=TOKEN_NAME), GitHubSettings)
    assert "hush" not in str(refused.value)


def test_no_secret_is_shown_by_what_holds_it(ssm: Ssm) -> None:
    """Neither the settings nor the names in the environment print a value."""
    settings = TranslatorSettings.from_environment(OWN)
    read = resolve_secrets(settings, ModelSettings)
    assert ssm.names() == [KEY_NAME]
    assert KEY not in f"{settings!r} {read!r} {read.model_endpoint()!r}"
