"""What the environment sets, one frozen model a function; a missing setting is named, never defaulted to nonsense."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError

from goldpan.errors import Misconfigured

DEEPSEEK_URL, DEEPSEEK_MODEL = "https://api.deepseek.com", "deepseek-flash"
GITHUB_URL = "https://api.github.com"
OPENAI_URL, OPENAI_MODEL = "https://api.openai.com/v1", "gpt-4.1-mini"
CACHE_FILE, CACHE_OFF = "goldpan/cache.sqlite", "off"
SEARCHES_WITH_TOKEN, SEARCHES_WITHOUT = 15, 5
"""How many searches of GitHub a question may cost: without a token GitHub allows 10 a minute."""


def _fit_for_a_header(secret: SecretStr) -> SecretStr:
    if not secret.get_secret_value().isascii() or not secret.get_secret_value().isprintable():
        message = "holds a character that no HTTP header can carry"
        raise ValueError(message)
    return secret


Secret = Annotated[SecretStr, AfterValidator(_fit_for_a_header)]
Url = Annotated[str, Field(pattern=r"^https?://[^\s/]+(/\S*)?$")]


class ModelEndpoint(BaseModel):
    """Which language model is asked, where, and with which key."""

    model_config = ConfigDict(frozen=True)

    key_name: str
    key: SecretStr
    base_url: str
    model: str
    thinking: bool = True
    """False where the provider needs to be told not to think aloud."""


class Settings(BaseModel):
    """The common part: read from environment variables of the same names, in capitals."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """Read the settings; an empty variable counts as not set. Raises `Misconfigured` by name."""
        given = {name: value for name in cls.model_fields if (value := environment.get(name.upper(), "").strip())}
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            rows = (f"{str(row['loc'][0]).upper()}: {row['msg']}" for row in error.errors())
            raise Misconfigured("; ".join(rows)) from None


class ModelSettings(Settings):
    """The language model; the key's name selects the provider, and a key never goes to another's address."""

    llm_api_key: Secret | None = None
    llm_base_url: Url | None = None
    llm_model: str | None = None
    deepseek_api_key: Secret | None = None
    openai_api_key: Secret | None = None

    def model_endpoint(self) -> ModelEndpoint | None:
        """Choose the provider; None where no key is set. Raises `Misconfigured` for half an endpoint."""
        if self.llm_api_key:
            if not self.llm_base_url or not self.llm_model:
                missing = "LLM_BASE_URL" if not self.llm_base_url else "LLM_MODEL"
                message = f"{missing} is not set: LLM_API_KEY needs LLM_BASE_URL and LLM_MODEL beside it"
                raise Misconfigured(message)
            return ModelEndpoint(
                key_name="LLM_API_KEY", key=self.llm_api_key, base_url=self.llm_base_url, model=self.llm_model
            )
        if self.deepseek_api_key:
            return ModelEndpoint(
                key_name="DEEPSEEK_API_KEY",
                key=self.deepseek_api_key,
                base_url=DEEPSEEK_URL,
                model=DEEPSEEK_MODEL,
                thinking=False,
            )
        if self.openai_api_key:
            return ModelEndpoint(
                key_name="OPENAI_API_KEY", key=self.openai_api_key, base_url=OPENAI_URL, model=OPENAI_MODEL
            )
        if self.llm_base_url:
            message = "LLM_API_KEY is not set: LLM_BASE_URL needs it; a server that checks none takes any text"
            raise Misconfigured(message)
        return None


class GitHubSettings(Settings):
    """GitHub; an Enterprise address is the one of its API, such as https://github.example.org/api/v3."""

    github_token: Secret | None = None
    github_api_url: Url = GITHUB_URL


class LocalSettings(ModelSettings, GitHubSettings):
    """All that one machine needs.

    What it remembers lies in one file: `GOLDPAN_CACHE` names it, `off` keeps nothing; else it lies where caches lie.
    """

    goldpan_cache: str | None = None
    xdg_cache_home: str | None = None
    home: str | None = None

    def cache_file(self) -> Path | None:
        """Tell where the file lies (XDG Base Directory Specification); None where nothing is to be kept."""
        if self.goldpan_cache:
            return None if self.goldpan_cache == CACHE_OFF else Path(self.goldpan_cache).expanduser()
        if self.xdg_cache_home:
            return Path(self.xdg_cache_home, CACHE_FILE)
        return Path(self.home, ".cache", CACHE_FILE) if self.home else None


class ModelParameters(Settings):
    """The language model of a deployed function: each `_parameter` is the name of an SSM SecureString."""

    llm_api_key_parameter: str | None = None
    llm_base_url: Url | None = None
    llm_model: str | None = None
    deepseek_api_key_parameter: str | None = None
    openai_api_key_parameter: str | None = None


class StoreSettings(Settings):
    """The tables that all functions share."""

    cache_table: str
    budget_table: str


class TranslatorSettings(ModelParameters, StoreSettings):
    """What query_translator needs; of GitHub's token only whether there is one, which decides how much to plan."""

    github_token_parameter: str | None = None


class GitHubParameters(Settings):
    """GitHub of a deployed function, and how much of its limits warm-ups may spend."""

    github_token_parameter: str | None = None
    github_api_url: Url = GITHUB_URL
    warm_up_share: Annotated[float, Field(ge=0, le=1)] = 0.25


class ScoutSettings(GitHubParameters, StoreSettings):
    """What scout needs."""


class ScreenerSettings(ModelParameters, GitHubParameters, StoreSettings):
    """What screener needs."""

    popularity_table: str
