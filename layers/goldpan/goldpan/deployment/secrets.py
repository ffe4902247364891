"""Secrets of a deployed function: names in its environment, values in SSM."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from goldpan.errors import Misconfigured
from goldpan.settings import Settings

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.parameters import SSMProvider

Target = TypeVar("Target", bound=Settings)


def with_secrets(settings: BaseModel, target: type[Target]) -> Target:
    """Read what the target needs: each field as it is set, or from the SSM parameter that `<field>_parameter` names.

    Raises `Misconfigured` by the name of the setting.
    """
    given = {}
    for field in target.model_fields:
        parameter = getattr(settings, f"{field}_parameter", None)
        value = _secret(f"{field}_parameter".upper(), parameter) if parameter else getattr(settings, field, None)
        given[field.upper()] = value or ""
    return target.from_environment(given)


@cache
def _provider() -> SSMProvider:
    """Make the reader of parameters, once: a client takes 0.1 s. A read ends within the function's time."""
    from aws_lambda_powertools.utilities.parameters import SSMProvider  # noqa: PLC0415 - loads boto3
    from botocore.config import Config  # noqa: PLC0415

    return SSMProvider(boto_config=Config(connect_timeout=1, read_timeout=2, retries={"total_max_attempts": 2}))


def drop_connections() -> None:
    """Let the connections to SSM go: those of a snapshot are dead."""
    if _provider.cache_info().currsize:
        _provider().client.close()


def _secret(setting: str, parameter: str) -> str:
    """Read one SecureString, past every cache: it may have been renewed since."""
    from aws_lambda_powertools.utilities.parameters.exceptions import GetParameterError  # noqa: PLC0415

    try:
        value = str(_provider().get(parameter, decrypt=True, force_fetch=True))
    except GetParameterError as error:
        message = f"{setting}: {parameter} could not be read from SSM ({error})"
        raise Misconfigured(message) from error
    if not value.strip():
        message = f"{setting}: {parameter} holds nothing"
        raise Misconfigured(message)
    return value
