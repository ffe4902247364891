"""Secrets of a deployed function: names in its environment, values in SSM."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from goldpan.errors import Misconfigured, Overloaded
from goldpan.settings import Settings

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.parameters import SSMProvider
    from tenacity import Retrying

Target = TypeVar("Target", bound=Settings)
BUSY_SECONDS, WAITS = 2.0, (0.05, 0.5)
"""How long SSM is asked again where many functions that begin at once read more than its 40 parameters a second."""


def resolve_secrets(settings: BaseModel, target: type[Target]) -> Target:
    """Read what the target needs: each field as it is set, or from the SSM parameter that `<field>_parameter` names.

    Raises `Misconfigured` by the name of the setting, or `Overloaded` where SSM has too much to do.
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
        value = str(_patiently()(_provider().get, parameter, decrypt=True, force_fetch=True))
    except GetParameterError as error:
        if _is_throttled(error):
            message = f"{setting}: too many functions read their secrets from SSM at once"
            raise Overloaded(message) from error
        message = f"{setting}: {parameter} could not be read from SSM ({error})"
        raise Misconfigured(message) from error
    if not value.strip():
        message = f"{setting}: {parameter} holds nothing"
        raise Misconfigured(message)
    return value


def _patiently() -> Retrying:
    """Ask again for a while where SSM has too much to do."""
    from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_random  # noqa: PLC0415 - when it is used

    wait, stop = wait_random(*WAITS), stop_after_delay(BUSY_SECONDS)
    return Retrying(retry=retry_if_exception(_is_throttled), stop=stop, wait=wait, reraise=True)


def _is_throttled(error: BaseException) -> bool:
    """Tell SSM's limit from all else that may be wrong; Powertools hands on the text alone."""
    return "ThrottlingException" in str(error)
