"""The world around a function on loopback ports: GitHub, a model, SSM, and tables that are empty."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.integration.conftest import KEY, MODEL, ROOMY, TOKEN, fresh_repositories, judged
from tests.support.loopback import LoopbackGitHub, LoopbackLLM
from tests.support.loopback.dynamodb_fault import LoopbackDynamoDB
from tests.support.loopback.lambda_parameters import LoopbackParameters

GITHUB_SECRET, MODEL_SECRET = "/goldpan/github-token", "/goldpan/llm-api-key"


@dataclass(frozen=True)
class World:
    """The four servers."""

    github: LoopbackGitHub
    llm: LoopbackLLM
    parameters: LoopbackParameters
    tables: LoopbackDynamoDB

    def without_secrets(self, *, snap_start: bool = False) -> dict[str, str]:
        """Tell a function to ask GitHub without a token, and no model."""
        aws = {"AWS_ENDPOINT_URL_DYNAMODB": self.tables.url} | self.parameters.environment(snap_start=snap_start)
        return {"GITHUB_API_URL": self.github.url, **aws}

    def resolve_secrets(self, *, snap_start: bool = False) -> dict[str, str]:
        """Tell a function to ask GitHub with a token and a model with a key, both read from SSM."""
        return {
            **self.without_secrets(snap_start=snap_start),
            "GITHUB_TOKEN_PARAMETER": GITHUB_SECRET,
            "LLM_API_KEY_PARAMETER": MODEL_SECRET,
            "LLM_BASE_URL": self.llm.base_url,
            "LLM_MODEL": MODEL,
        }

    def secrets_read(self) -> list[str]:
        """Name the secrets that were read, one for each time."""
        bodies = [request.body for request in self.parameters.requests if request.body]
        return [name for body in bodies for name in body.get("Names", [body.get("Name")])]


@contextmanager
def running_world() -> Iterator[World]:
    """Serve the sample repositories, a model that judges them, and the secrets for both."""
    secrets = {GITHUB_SECRET: TOKEN, MODEL_SECRET: KEY}
    with (
        LoopbackGitHub(fresh_repositories(), token=TOKEN, limits=ROOMY) as github,
        LoopbackLLM(judged, key=KEY) as llm,
        LoopbackParameters(secrets) as parameters,
        LoopbackDynamoDB() as tables,
    ):
        yield World(github, llm, parameters, tables)
