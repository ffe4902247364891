"""The name of a key selects the provider; an incomplete endpoint is refused by name."""

from __future__ import annotations

import pytest
from goldpan.errors import Misconfigured
from goldpan.infra.llm.settings import LLMSettings

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
