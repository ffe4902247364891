"""A simulated SSM with two secrets, which records what is read and can fail."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from aws_lambda_powertools.utilities.parameters.constants import DEFAULT_PROVIDERS
from botocore.client import BaseClient
from botocore.exceptions import ClientError

TOKEN, KEY = "hush-token", "hush-key"
TOKEN_NAME, KEY_NAME = "/goldpan/github-token", "/goldpan/llm-key"


@dataclass
class Ssm:
    """The parameter store: what was read, and how many of the next reads fail with an error of that name."""

    client: Any
    reads: list[dict[str, Any]] = field(default_factory=list)
    failing: int = 0
    error: str = "ThrottlingException"

    def put(self, name: str, value: str) -> None:
        """Store or renew a secret."""
        self.client.put_parameter(Name=name, Value=value, Type="SecureString", Overwrite=True)

    def names(self) -> list[str]:
        """Return the names of the parameters that were read."""
        return sorted(read["Name"] for read in self.reads)


@contextmanager
def recorded_ssm(client: Any) -> Iterator[Ssm]:
    """Store a token and a key, and record every read."""
    store, call = Ssm(client), BaseClient._make_api_call
    store.put(TOKEN_NAME, TOKEN)
    store.put(KEY_NAME, KEY)

    def recording(own: Any, operation: str, parameters: dict[str, Any]) -> Any:
        if operation == "GetParameter":
            store.reads.append(parameters)
            if len(store.reads) <= store.failing:
                raise ClientError({"Error": {"Code": store.error, "Message": "Rate exceeded"}}, operation)
        return call(own, operation, parameters)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseClient, "_make_api_call", recording)
        yield store
    DEFAULT_PROVIDERS.clear()
