"""Settings from environment variables; a missing or invalid one is named, never replaced by a guess."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, SecretStr, ValidationError

from goldpan.contracts.validation_errors import describe_requirement
from goldpan.errors import Misconfigured


@dataclass(frozen=True)
class OptionalSetting:
    """What works without a setting, but better with one of these; the first one of them is to be set."""

    name: str
    settings: tuple[str, ...]
    purpose: str


LANGUAGE_MODEL = OptionalSetting(
    "language model",
    ("LLM_API_KEY", "DEEPSEEK_API_KEY", "OPENAI_API_KEY"),
    "Reads questions in any language and judges results; without it rules do both.",
)
EMBEDDINGS = OptionalSetting(
    "embeddings", ("EMBEDDING_BASE_URL",), "Compare your library by meaning; without them the shipped word table does."
)
PROVIDERS = {
    "deepseek_api_key": ("https://api.deepseek.com", "deepseek-flash"),
    "openai_api_key": ("https://api.openai.com/v1", "gpt-4.1-mini"),
}
"""The address and the model of each provider, by the setting of its key; the first key that is set counts."""


def _valid_in_a_header(secret: SecretStr) -> SecretStr:
    if not secret.get_secret_value().isascii() or not secret.get_secret_value().isprintable():
        raise ValueError("contains a character that is not allowed in an HTTP header")
    return secret


Secret = Annotated[SecretStr, AfterValidator(_valid_in_a_header)]


def _web_address(address: str) -> str:
    try:
        parts = urlsplit(address)
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # an IPv6 address without its bracket, a port that is no number or beyond 65,535
        is_valid = False
    if not is_valid or any(character.isspace() for character in address):
        raise ValueError("must be a web address such as https://api.example.org/v1")
    return address


Url = Annotated[str, AfterValidator(_web_address)]


def _expanded(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise ValueError("names the home folder of a user that does not exist") from error


UserPath = Annotated[Path, AfterValidator(_expanded)]
"""A path that may begin with `~`."""


class Settings(BaseModel):
    """Base of all settings: each field is read from the environment variable of the same name in capitals."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """Read the settings; an empty variable counts as unset. Raises `Misconfigured` by name."""
        given = {name: value for name in cls.model_fields if (value := environment.get(name.upper(), "").strip())}
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            rows = [(str(row["loc"][0]).upper(), describe_requirement(row)) for row in error.errors()]
            raise Misconfigured("; ".join(f"{name}: {message}" for name, message in rows)) from None


def user_folder(named: str | None, home: str | None, default: str) -> Path | None:
    """Return a folder of the XDG Base Directory Specification: the named one, else that in HOME; None without both."""
    folder = Path(named or "")
    return folder if folder.is_absolute() else Path(home, default) if home else None


class EmbeddingEndpoint(BaseModel):
    """The address, the model and the key of an endpoint for embeddings."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    key: SecretStr
    base_url: str
    model: str


class LLMEndpoint(EmbeddingEndpoint):
    """The same of a language model, and the name of the key's variable."""

    key_name: str


class LLMSettings(Settings):
    """The language model; a key is never sent to the address of another provider."""

    llm_api_key: Secret | None = None
    llm_base_url: Url | None = None
    llm_model: str | None = None
    deepseek_api_key: Secret | None = None
    openai_api_key: Secret | None = None

    def endpoint(self) -> LLMEndpoint | None:
        """Return the endpoint, or None if no key is set. Raises `Misconfigured` for an incomplete endpoint."""
        if key := self.llm_api_key:
            if not self.llm_base_url or not self.llm_model:
                missing = "LLM_BASE_URL" if not self.llm_base_url else "LLM_MODEL"
                raise Misconfigured(f"{missing} is not set: LLM_API_KEY needs LLM_BASE_URL and LLM_MODEL as well")
            return LLMEndpoint(key_name="LLM_API_KEY", key=key, base_url=self.llm_base_url, model=self.llm_model)
        for name, (base_url, model) in PROVIDERS.items():
            if key := getattr(self, name):
                return LLMEndpoint(key_name=name.upper(), key=key, base_url=base_url, model=model)
        if self.llm_base_url:
            message = "LLM_API_KEY is not set: LLM_BASE_URL needs it; a server without authentication accepts any text"
            raise Misconfigured(message)
        return None


class EmbeddingSettings(Settings):
    """The endpoint for embeddings: all three settings or none."""

    embedding_base_url: Url | None = None
    embedding_api_key: Secret | None = None
    embedding_model: str | None = None

    def endpoint(self) -> EmbeddingEndpoint | None:
        """Return the endpoint, or None if nothing is set. Raises `Misconfigured` for an incomplete endpoint."""
        base_url, key, model = self.embedding_base_url, self.embedding_api_key, self.embedding_model
        if base_url and key and model:
            return EmbeddingEndpoint(key=key, base_url=base_url, model=model)
        names = [name.upper() for name in type(self).model_fields]
        missing = [name for name, value in zip(names, (base_url, key, model), strict=True) if not value]
        if len(missing) == len(names):
            return None
        message = (
            f"{missing[0]} is not set: an endpoint for embeddings needs {', '.join(names)} together; a server without "
            "authentication accepts any text as its key"
        )
        raise Misconfigured(message)
