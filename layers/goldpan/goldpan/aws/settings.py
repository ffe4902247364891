"""The settings of the deployed functions; of a secret the environment has the name, and SSM the value."""

import logging
from collections.abc import Mapping
from functools import cache, partial
from typing import Annotated, TypeVar

from aws_lambda_powertools.utilities.parameters import SSMProvider
from aws_lambda_powertools.utilities.parameters.exceptions import GetParameterError
from botocore.config import Config
from pydantic import Field
from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_random

from goldpan.errors import Misconfigured, Overloaded
from goldpan.infra.settings import EmbeddingEndpoint, EmbeddingSettings, Settings
from goldpan.infra.threads import start

Target = TypeVar("Target", bound=Settings)
RETRY_SECONDS, RETRY_WAITS = 2.0, (0.05, 0.5)
"""How long a failed read is retried: many functions that start at once exceed SSM's 40 parameters a second."""
WRONG = ("ParameterNotFound", "ParameterVersionNotFound", "AccessDenied", "InvalidKeyId", "ValidationException")
"""The errors of SSM that come again until the operator corrects something; all others pass.

https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetParameter.html
"""
LAST_READ: dict[str, str] = {}
"""The secrets as this function last read them, by their parameters."""
_LOG = logging.getLogger(__name__)


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


class Environment:
    """The environment of a function: `SECRETS` lists the secrets that SSM has below `SECRETS_PREFIX`."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        listed, prefix = variables.get("SECRETS", "").split(","), variables.get("SECRETS_PREFIX", "")
        self._variables = variables
        self._secrets = {name.upper().replace("-", "_"): f"{prefix}/{name}" for name in listed if name}

    def read(self, target: type[Target]) -> Target:
        """Read settings, their own secrets from SSM.

        Raises `Misconfigured` by the name of the setting, or `Overloaded` if SSM fails before a secret was ever read.
        """
        names = [name for field in target.model_fields if (name := field.upper()) in self._secrets]
        reads = [(name, start(partial(_secret, _provider(), name, self._secrets[name]))) for name in names]
        secrets = {name: read.result() for name, read in reads}  # side by side: a call waits for the slowest alone
        return target.from_environment({**self._variables, **secrets})

    def without_secrets(self) -> dict[str, str]:
        """Return it with a placeholder for each secret, and make what reads secrets, without a call."""
        if self._secrets:
            _provider()
        return {**self._variables, **dict.fromkeys(self._secrets, "placeholder"), "SECRETS": ""}


@cache
def _provider() -> SSMProvider:
    """Make the parameter provider, once: a client takes 0.1 s. Reads are repeated by `_secret` alone."""
    return SSMProvider(boto_config=Config(connect_timeout=1, read_timeout=1, retries={"total_max_attempts": 1}))


def close_connections() -> None:
    """Close the connections to SSM: those of a snapshot are dead."""
    if _provider.cache_info().currsize:
        _provider().client.close()


def _secret(provider: SSMProvider, setting: str, parameter: str) -> str:
    """Read one SecureString, since it may have been renewed; while SSM fails, it is as it was read before."""
    wait, stop = wait_random(*RETRY_WAITS), stop_after_delay(RETRY_SECONDS)
    retrying = Retrying(retry=retry_if_exception(_is_temporary), stop=stop, wait=wait, reraise=True)
    try:
        LAST_READ[parameter] = str(retrying(provider.get, parameter, decrypt=True, force_fetch=True))
    except GetParameterError as error:
        said = f"{setting}: {parameter} could not be read from SSM ({error})"
        if not _is_temporary(error):
            raise Misconfigured(said) from error
        if parameter not in LAST_READ:
            raise Overloaded(said) from error
        _LOG.warning("%s; it is used as it was read before", said)
    if not LAST_READ[parameter].strip():
        raise Misconfigured(f"{setting}: {parameter} is empty")
    return LAST_READ[parameter]


def _is_temporary(error: BaseException) -> bool:
    """Return whether a later read may succeed; Powertools passes on the text of the error only."""
    return not any(name in str(error) for name in WRONG)
