"""The settings of the deployed functions; of a secret the environment has the name, and SSM the value."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, TypeVar

from aws_lambda_powertools.utilities.parameters import SSMProvider
from aws_lambda_powertools.utilities.parameters.exceptions import GetParameterError
from botocore.config import Config
from pydantic import Field
from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_random

from goldpan.errors import Misconfigured, Overloaded
from goldpan.infra.settings import EmbeddingEndpoint, EmbeddingSettings, Settings

Target = TypeVar("Target", bound=Settings)
NAME_ENDING = "_PARAMETER"
"""The end of a variable that has the name of a secret in SSM."""
RETRY_SECONDS, RETRY_WAITS = 2.0, (0.05, 0.5)
"""How long a throttled read is retried: many functions that start at once exceed SSM's 40 parameters a second."""


class TranslatorSettings(Settings):
    """The tables that all functions share; query_translator needs these and the settings of the kinds."""

    cache_table: str
    budget_table: str


class ScoutSettings(TranslatorSettings):
    """The settings of scout, which alone reads libraries: their bucket, and the storage for copies."""

    library_bucket: str | None = None
    library_storage_mb: Annotated[int, Field(ge=512, le=10_240)] = 512
    """MiB; Lambda's limits: https://docs.aws.amazon.com/lambda/latest/dg/configuration-ephemeral-storage.html"""
    catalogue_update_hours: Annotated[int, Field(ge=0, le=168)] = 0
    """How often a schedule replaces the catalogue in that bucket; 0 for never, so that the embedded one is searched."""


class EncoderSettings(EmbeddingSettings):
    """What encodes the queries of libraries: an endpoint, or the layer with the sentence encoder by its ARN alone."""

    @property
    def has_layer(self) -> bool:
        """Whether `EMBEDDING_MODEL` is the ARN of the layer, which the template attaches to scout."""
        is_alone = self.embedding_base_url is None and self.embedding_api_key is None
        return is_alone and (self.embedding_model or "").startswith("arn:")

    def endpoint(self) -> EmbeddingEndpoint | None:
        """Return the endpoint, or None without one. Raises `Misconfigured` for an incomplete endpoint."""
        return None if self.has_layer else super().endpoint()


class RefreshSettings(Settings):
    """The settings of the function that refreshes the files that kinds search."""

    library_bucket: str


class ScreenerSettings(TranslatorSettings):
    """The settings of screener."""

    popularity_table: str


def with_secret_names(environment: Mapping[str, str]) -> dict[str, str]:
    """Add the variable `<NAME>_PARAMETER` of each secret that `SECRETS` lists below `SECRETS_PREFIX`."""
    listed = [name for name in environment.get("SECRETS", "").split(",") if name]
    prefix = environment.get("SECRETS_PREFIX", "")
    named = {f"{name.upper().replace('-', '_')}{NAME_ENDING}": f"{prefix}/{name}" for name in listed}
    return {**environment, **named}


def read_settings(environment: Mapping[str, str], target: type[Target]) -> Target:
    """Read settings: each field from its variable, or from the SSM parameter that `<NAME>_PARAMETER` names.

    Raises `Misconfigured` by the name of the setting, or `Overloaded` if SSM is throttled.
    """
    resolved = dict(environment)
    for field in target.model_fields:
        setting = f"{field.upper()}{NAME_ENDING}"
        if environment.get(setting):
            resolved[field.upper()] = _secret(setting, environment[setting])
    return target.from_environment(resolved)


def with_placeholders(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with a placeholder for each secret, and make what reads secrets, without a call."""
    named = {name for name, value in environment.items() if name.endswith(NAME_ENDING) and value}
    if named:
        _provider()
    placeholders = {name.removesuffix(NAME_ENDING): "placeholder" for name in named}
    return {name: value for name, value in environment.items() if name not in named} | placeholders


@cache
def _provider() -> SSMProvider:
    """Make the parameter provider, once: a client takes 0.1 s. A read ends within the function's own timeout."""
    return SSMProvider(boto_config=Config(connect_timeout=1, read_timeout=2, retries={"total_max_attempts": 2}))


def close_connections() -> None:
    """Close the connections to SSM: those of a snapshot are dead."""
    if _provider.cache_info().currsize:
        _provider().client.close()


def _secret(setting: str, parameter: str) -> str:
    """Read one SecureString without any cache: it may have been renewed."""
    wait, stop = wait_random(*RETRY_WAITS), stop_after_delay(RETRY_SECONDS)
    retrying = Retrying(retry=retry_if_exception(_is_throttled), stop=stop, wait=wait, reraise=True)
    try:
        value = str(retrying(_provider().get, parameter, decrypt=True, force_fetch=True))
    except GetParameterError as error:
        if _is_throttled(error):
            raise Overloaded(f"{setting}: too many functions read their secrets from SSM at once") from error
        raise Misconfigured(f"{setting}: {parameter} could not be read from SSM ({error})") from error
    if not value.strip():
        raise Misconfigured(f"{setting}: {parameter} is empty")
    return value


def _is_throttled(error: BaseException) -> bool:
    """Return whether SSM throttled the read; Powertools passes on the text of the error only."""
    return "ThrottlingException" in str(error)
