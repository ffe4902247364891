"""What surrounds a built function on loopback ports, and the events of its stages."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.integration.conftest import KEY, MODEL, ROOMY, TOKEN, fresh_repositories, judged
from tests.support import handlers
from tests.support.loopback import LoopbackGitHub, LoopbackLLM
from tests.support.loopback.aws import LoopbackDynamoDB, LoopbackParameters
from tests.support.loopback.lambda_template import BuiltFunction

Functions = dict[str, BuiltFunction]
GITHUB_SECRET, MODEL_SECRET = "/goldpan/github-token", "/goldpan/llm-api-key"
PATIENT = 60.0
"""Seconds for an invocation whose time is not tested: a busy machine is slower than Lambda."""
TIMES = {
    "duration_ms", "ended_at", "scouted_at", "translated_at", "started_at", "answered_at", "timestamp",
    "execution_time_ms",
}  # fmt: skip


@dataclass(frozen=True)
class World:
    """GitHub, a language model, SSM and empty tables."""

    github: LoopbackGitHub
    llm: LoopbackLLM
    parameters: LoopbackParameters
    tables: LoopbackDynamoDB

    def without_secrets(self, *, snap_start: bool = False) -> dict[str, str]:
        """Return the environment of a function without a token and without a language model."""
        aws = {"AWS_ENDPOINT_URL_DYNAMODB": self.tables.url} | self.parameters.environment(snap_start=snap_start)
        return {"GITHUB_API_URL": self.github.url, **aws}

    def with_secrets(self, *, snap_start: bool = False) -> dict[str, str]:
        """Return the environment of a function with a token and a model key, both in SSM."""
        return {
            **self.without_secrets(snap_start=snap_start),
            "SECRETS": "github-token,llm-api-key",
            "SECRETS_PREFIX": "/goldpan",
            "LLM_BASE_URL": self.llm.base_url,
            "LLM_MODEL": MODEL,
        }


@contextmanager
def running_world() -> Iterator[World]:
    """Serve the sample repositories, a model that scores them, the secrets for both, and tables."""
    with (
        LoopbackGitHub(fresh_repositories(), token=TOKEN, searches_a_minute=ROOMY) as github,
        LoopbackLLM(judged, key=KEY) as llm,
        LoopbackParameters({GITHUB_SECRET: TOKEN, MODEL_SECRET: KEY}) as parameters,
        LoopbackDynamoDB() as tables,
    ):
        yield World(github, llm, parameters, tables)


def event_of(stage: str) -> dict[str, Any]:
    """Read the event of a stage; a score event asks the language model."""
    read = handlers.event(stage)
    return read | {"task": read["task"] | {"ask_llm": True}} if stage == "score" else read


def without_times(value: Any) -> Any:
    """Return a result without its times; a body is JSON in a string."""
    if isinstance(value, dict):
        kept = {name: without_times(inner) for name, inner in value.items() if name not in TIMES}
        return kept | ({"body": without_times(json.loads(value["body"]))} if "body" in value else {})
    return [without_times(inner) for inner in value] if isinstance(value, list) else value
