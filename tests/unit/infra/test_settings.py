"""Settings from environment variables: the base of all, and those of the language model."""

import pytest
from goldpan.errors import Misconfigured
from goldpan.infra.settings import EmbeddingSettings, LLMSettings, Secret, Settings, Url, UserPath


class Example(Settings):
    """Settings of a test."""

    token: Secret | None = None
    address: Url = "https://example.org"
    other_address: Url | None = None
    folder: UserPath | None = None


def test_values_are_trimmed() -> None:
    """Blanks and line breaks around a value are removed; a variable that is empty then leaves the default."""
    token = Example.from_environment({"TOKEN": " good-token\n"}).token
    assert token is not None
    assert token.get_secret_value() == "good-token"
    assert Example.from_environment({"TOKEN": "", "ADDRESS": " \n"}) == Example()


def test_all_wrong_variables_are_named() -> None:
    """Wrong addresses and a path in no home are reported together, each by its variable."""
    for url in ("undefined", "ftp://a.org", "https://", "http://[::1", "http://h:99999", "http://h:0", "http://a b"):
        with pytest.raises(Misconfigured, match=r"^ADDRESS: .*; OTHER_ADDRESS: .*; FOLDER: names the home"):
            Example.from_environment({"ADDRESS": url, "OTHER_ADDRESS": url, "FOLDER": "~nobody-of-this-name/x"})


@pytest.mark.parametrize("secret", ["good\ntoken-rest", "good-t\u00f6ken-rest"])
def test_a_secret_must_fit_into_a_header(secret: str) -> None:
    """A secret with a line break or a letter beyond ASCII is refused by name, and not repeated."""
    with pytest.raises(Misconfigured, match=r"^TOKEN: .*HTTP header") as refused:
        Example.from_environment({"TOKEN": secret})
    assert "rest" not in str(refused.value)


ADDRESS = {"LLM_BASE_URL": "http://127.0.0.1:9/v1", "LLM_MODEL": "own-model"}
OWN = {"LLM_API_KEY": "own-key", **ADDRESS}
DEEPSEEK, OPENAI = {"DEEPSEEK_API_KEY": "deep-key"}, {"OPENAI_API_KEY": "open-key"}


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        (OWN | DEEPSEEK | OPENAI, ("LLM_API_KEY", "own-key", "http://127.0.0.1:9/v1", "own-model")),
        (DEEPSEEK | OPENAI, ("DEEPSEEK_API_KEY", "deep-key", "https://api.deepseek.com", "deepseek-flash")),
        (OPENAI | ADDRESS, ("OPENAI_API_KEY", "open-key", "https://api.openai.com/v1", "gpt-4.1-mini")),
    ],
)
def test_the_name_of_a_key_selects_the_provider(environment: dict[str, str], expected: tuple[object, ...]) -> None:
    """Each key is sent to the address of its own provider only; no setting or endpoint reveals a key when printed."""
    settings = LLMSettings.from_environment(environment)
    endpoint = settings.endpoint()
    assert endpoint is not None
    found = (endpoint.key_name, endpoint.key.get_secret_value(), endpoint.base_url, endpoint.model)
    assert found == expected
    printed = f"{settings!r} {settings} {settings.model_dump_json()} {endpoint!r}"
    assert not any(secret in printed for secret in ("own-key", "deep-key", "open-key"))


EMBEDDING = {"EMBEDDING_BASE_URL": "http://127.0.0.1:9/v1", "EMBEDDING_API_KEY": "own-key", "EMBEDDING_MODEL": "m"}


@pytest.mark.parametrize("missing", [*OWN, *EMBEDDING])
def test_an_incomplete_endpoint_is_refused(missing: str) -> None:
    """All three settings or none; the one that is missing is named, and no endpoint reveals the key."""
    settings, whole = (LLMSettings, OWN) if missing in OWN else (EmbeddingSettings, EMBEDDING)
    with pytest.raises(Misconfigured, match=f"^{missing} is not set: .*BASE_URL"):
        settings.from_environment({**whole, missing: " "}).endpoint()
    assert settings.from_environment({}).endpoint() is None
    endpoint = settings.from_environment(whole).endpoint()
    assert endpoint is not None
    assert "own-key" not in f"{endpoint!r} {endpoint.model_dump_json()}"
