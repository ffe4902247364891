"""Settings from environment variables; a missing or invalid one is named, never replaced by a guess."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError

from goldpan.errors import Misconfigured


def _valid_in_a_header(secret: SecretStr) -> SecretStr:
    if not secret.get_secret_value().isascii() or not secret.get_secret_value().isprintable():
        message = "contains a character that is not allowed in an HTTP header"
        raise ValueError(message)
    return secret


Secret = Annotated[SecretStr, AfterValidator(_valid_in_a_header)]
Url = Annotated[str, Field(pattern=r"^https?://[^\s/]+(/\S*)?$")]


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
            rows = (f"{str(row['loc'][0]).upper()}: {row['msg']}" for row in error.errors())
            raise Misconfigured("; ".join(rows)) from None
