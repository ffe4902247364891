"""A simulated SSM that holds two secrets, and watches what is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aws_lambda_powertools.utilities.parameters.constants import DEFAULT_PROVIDERS
from botocore.client import BaseClient

TOKEN, KEY = "hush-token-1", "hush-key-1"
TOKEN_NAME, KEY_NAME = "/goldpan/github-token", "/goldpan/llm-key"
TABLES = {"CACHE_TABLE": "cache", "BUDGET_TABLE": "budget", "POPULARITY_TABLE": "popularity"}
OWN = {
    **TABLES,
    "LLM_API_KEY_PARAMETER": KEY_NAME,
    "LLM_BASE_URL": "https://llm.example.org/v1",
    "LLM_MODEL": "own-model",
}
REGION = "eu-west-1"


class Ssm:
    """The parameter store, and what was asked of it."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.asked: list[dict[str, Any]] = []

    def put(self, name: str, value: str) -> None:
        """Store a secret, or rotate it."""
        self._client.put_parameter(Name=name, Value=value, Type="SecureString", Overwrite=True)

    def names(self) -> list[str]:
        """Name the parameters that were read."""
        return [call["Name"] for call in self.asked]


@contextmanager
def watched(client: Any) -> Iterator[Ssm]:
    """Store a token and a key, and watch what is read until the end of the block."""
    store, call = Ssm(client), BaseClient._make_api_call
    store.put(TOKEN_NAME, TOKEN)
    store.put(KEY_NAME, KEY)

    def watching(asking: Any, operation: str, params: dict[str, Any]) -> Any:
        if operation == "GetParameter":
            store.asked.append(params)
        return call(asking, operation, params)

    BaseClient._make_api_call = watching
    yield store
    BaseClient._make_api_call = call
    DEFAULT_PROVIDERS.clear()
