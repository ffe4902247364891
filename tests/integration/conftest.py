"""GitHub and a language model on loopback ports, and goldpan's clients of them."""

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any

import pytest
from goldpan.engine.dependencies import Runtime
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue
from goldpan.local.bootstrap import local_runtime

from tests.support.loopback import LoopbackGitHub, LoopbackLLM, sample_repositories

KEY, TOKEN, MODEL = "good-key", "good-token", "deepseek-flash"
QUESTION = "React animation library"
READING = {
    "keywords": ["react", "animation", "library"],
    "expanded_keywords": ["motion", "transition"],
    "language": None,
    "topics": ["react", "animation"],
}
ROOMY = 1000
"""Searches a minute without a token that no test needs."""


def fresh_repositories() -> list[dict[str, Any]]:
    """Return the sample repositories with their pushes and releases moved up to today."""
    return sample_repositories(datetime.now(UTC).date())


def many_repositories(count: int = 40) -> list[dict[str, Any]]:
    """Make repositories that all match the question, each with fewer stars than the one before."""
    template = next(facts for facts in fresh_repositories() if facts["full_name"] == "example-org/motion-kit")
    return [
        template | {"full_name": f"example-org/react-animation-{number:02}", "stars": 9000 - 100 * number}
        for number in range(count)
    ]


def judged(body: Mapping[str, Any]) -> str:
    """Answer as a model would: read the question, or score the repository by the length of its name."""
    asked = json.loads(body["messages"][1]["content"])
    if "repository" not in asked:
        return json.dumps(READING)
    name, description = asked["repository"]["name"], asked["repository"]["description"]
    relevance = 0.9 - len(name) / 100
    said = {"relevance": relevance, "documentation": 7, "ease_of_use": 6, "reasoning": f"It is {name}."}
    return json.dumps({**said, "quote": description})


def environment(
    github: LoopbackGitHub, llm: LoopbackLLM | None = None, *, token: str = TOKEN, key: str = KEY
) -> dict[str, str]:
    """Return the settings with which goldpan calls these servers."""
    settings = {"GITHUB_API_URL": github.url, "GITHUB_TOKEN": token}
    model = {"LLM_API_KEY": key, "LLM_BASE_URL": llm.base_url, "LLM_MODEL": MODEL} if llm else {}
    return settings | model


class Clients(ExitStack):
    """Makes runtimes, and closes their connections at the end of a test."""

    def runtime(
        self,
        github: LoopbackGitHub,
        llm: LoopbackLLM | None = None,
        *,
        token: str = TOKEN,
        catalogue: Catalogue | None = None,
    ) -> Runtime:
        """Make the runtime of one machine from its environment."""
        return self.enter_context(local_runtime(environment(github, llm, token=token), catalogue))


@pytest.fixture
def clients() -> Iterator[Clients]:
    """Make clients that are closed at the end."""
    with Clients() as made:
        yield made


@pytest.fixture
def github() -> Iterator[LoopbackGitHub]:
    """Serve the sample repositories, with room for many searches."""
    with LoopbackGitHub(fresh_repositories(), searches_a_minute=ROOMY) as server:
        yield server


@pytest.fixture
def llm() -> Iterator[LoopbackLLM]:
    """Serve a model that reads the question and scores each repository."""
    with LoopbackLLM(judged) as server:
        yield server
