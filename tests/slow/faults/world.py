"""The world of a case: GitHub and a model on loopback ports, and goldpan pointed at them by its environment."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from goldpan.bootstrap import DEPLOYED_SOURCES, local_runtime, screener_ports
from goldpan.contracts import SearchRequest, parse_request
from goldpan.engine import library
from goldpan.engine.deadlines import WallClock
from goldpan.engine.problem_details import respond
from goldpan.engine.runtime import Runtime
from goldpan.infra.http import HttpClient
from goldpan.infra.llm.openai import OpenAIModel

from tests.integration.conftest import MODEL, QUESTION, ROOMY, fresh_repositories, judged
from tests.slow.faults.case import Case
from tests.support.loopback import LoopbackGitHub, LoopbackLLM

TOKEN, KEY = "token-4711-of-the-campaign", "key-4711-of-the-campaign"
SECONDS = 5
CONFIG = {"llm_timeout_seconds": 3, "llm_concurrency": 40}


@dataclass(frozen=True)
class Seen:
    """What came back, and what the upstreams saw of the search."""

    status: int
    retry_after: str
    body: dict[str, Any]
    seconds: float
    github_calls: int
    model_calls: int
    logs: list[str]
    """The warnings of the log."""


@dataclass
class World:
    """Upstreams, and a runtime that knows their addresses alone."""

    case: Case
    folder: Path
    github: LoopbackGitHub
    llm: LoopbackLLM
    runtime: Runtime = field(init=False)

    def environment(self) -> dict[str, str]:
        """Write the environment of the program."""
        written = {"GITHUB_API_URL": self.github.url, "GITHUB_TOKEN": TOKEN if self.case.token else ""}
        written["GOLDPAN_CACHE"] = "off"
        if self.case.model is not None:
            written |= {"LLM_API_KEY": KEY, "LLM_BASE_URL": self.llm.base_url, "LLM_MODEL": MODEL}
        return written | {name: text.format(folder=self.folder) for name, text in self.case.environment.items()}

    def fresh_runtime(self) -> Runtime:
        """Make a runtime from the environment, as another process would."""
        if not self.case.deployed:
            return local_runtime(self.environment(), None)
        dependencies = screener_ports(self.environment())
        return Runtime(dependencies, DEPLOYED_SOURCES, (), WallClock(), "deployed", (lambda: close(dependencies),))

    def request(self, **more: object) -> SearchRequest:
        """Make the request of the case."""
        asked: Mapping[str, object] = {"query": QUESTION, "max_seconds": SECONDS, "config": CONFIG}
        return parse_request({**asked, **self.case.request, **more})

    def ask(self, **more: object) -> Seen:
        """Search through the library, and say how it ended as the API would."""
        request = self.request(**more)
        github, model, began = len(self.github.requests), len(self.llm.requests), time.monotonic()
        with warnings_of_the_log() as logs:
            told = respond(lambda: library.search(request, runtime=self.runtime), self.runtime.clock.now)
        return Seen(
            status=told.statusCode,
            retry_after=told.retryAfter,
            body=json.loads(told.body),
            seconds=time.monotonic() - began,
            github_calls=len(self.github.requests) - github,
            model_calls=len(self.llm.requests) - model,
            logs=logs,
        )


@contextmanager
def world_of(case: Case, folder: Path) -> Iterator[World]:
    """Make the world of a case, with its faults in place."""
    with ExitStack() as stack:
        github = stack.enter_context(LoopbackGitHub(fresh_repositories(), token=TOKEN, limits=ROOMY))
        llm = stack.enter_context(LoopbackLLM(judged, key=KEY))
        github.inject(*case.github)
        llm.inject(*case.model or ())
        made = World(case, folder, github, llm)
        if case.around is not None:
            stack.enter_context(case.around(made))
        made.runtime = made.fresh_runtime()
        stack.callback(made.runtime.close)
        yield made


@contextmanager
def warnings_of_the_log() -> Iterator[list[str]]:
    """Collect what goldpan warns of in its log."""
    told: list[str] = []

    class Collecting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.append(record.getMessage())

    logger, handler = logging.getLogger("goldpan"), Collecting(logging.WARNING)
    logger.addHandler(handler)
    try:
        yield told
    finally:
        logger.removeHandler(handler)


def close(thing: object) -> None:
    """Close the connections of all clients that something of a function holds, however they are wrapped."""
    if isinstance(thing, HttpClient | OpenAIModel):
        thing.close()
    elif type(thing).__module__.partition(".")[0] == "botocore":
        cast("Any", thing).close()
    elif isinstance(thing, Mapping):
        for value in thing.values():
            close(value)
    elif type(thing).__module__.partition(".")[0] == "goldpan":
        for value in vars(thing).values():
            close(value)
