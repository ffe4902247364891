"""Secrets of a deployed function: their names are in its environment, their values in SSM."""

from collections.abc import Mapping
from functools import cache
from typing import TypeVar

from aws_lambda_powertools.utilities.parameters import SSMProvider
from aws_lambda_powertools.utilities.parameters.exceptions import GetParameterError
from botocore.config import Config
from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_random

from goldpan.errors import Misconfigured, Overloaded
from goldpan.infra.settings import Settings

Target = TypeVar("Target", bound=Settings)
NAME_ENDING = "_PARAMETER"
"""The end of a variable that has the name of a secret in SSM."""
RETRY_SECONDS, RETRY_WAITS = 2.0, (0.05, 0.5)
"""How long a throttled read is retried: many functions that start at once exceed SSM's 40 parameters a second."""


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
