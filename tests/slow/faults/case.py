"""A case of the campaign, the upstreams that fail in it, and a runtime that knows only their addresses."""

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from goldpan.aws.bootstrap import screener_dependencies
from goldpan.contracts import SearchRequest, parse_request
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Runtime
from goldpan.engine.problem_details import answered, problem
from goldpan.errors import GoldpanError
from goldpan.infra.http_client import HttpClient
from goldpan.local import entry_points as library
from goldpan.local.bootstrap import local_runtime

from tests.integration.conftest import QUESTION, ROOMY, environment, fresh_repositories, judged
from tests.support.loopback import Aim, LoopbackFault, LoopbackGitHub, LoopbackLLM

TOKEN, KEY = "token-4711-of-the-campaign", "key-4711-of-the-campaign"
SECONDS = 15
CONFIG = {"llm_timeout_seconds": 3, "llm_concurrency": 40}
Calls = tuple[int, int]
ALWAYS: Aim = {"times": None}


def every(status: str, **others: str) -> dict[str, str]:
    """Return a status for every strategy, except for those that are named."""
    return dict.fromkeys(("stars", "recency", "expanded"), status) | others


@dataclass(frozen=True)
class Problem:
    """The search has no answer, but problem details."""

    name: str
    status: int
    says: tuple[str, ...] = ()
    """Patterns, each of which occurs in the detail."""
    retry_after: Calls | None = None
    """The smallest and the largest number of seconds; None if there must be no Retry-After."""


@dataclass(frozen=True)
class Answered:
    """The search has an answer with these rows, warnings and errors, and no others."""

    rows: Mapping[str, str] = field(default_factory=lambda: every("ok"))
    """The status of each strategy."""
    details: Mapping[str, str] = field(default_factory=dict)
    """A pattern for the detail of a strategy, or of all (`*`); any other row has none."""
    warnings: tuple[str, ...] = ()
    """Patterns: each occurs in a warning, and each warning has one."""
    errors: Mapping[str, str] = field(default_factory=dict)
    """The same for the errors, by their stage."""
    basis: tuple[str, ...] = ("rules",)
    logs: tuple[str, ...] = ()
    """The same for the warnings in the log."""


@dataclass(frozen=True)
class Case:
    """One fault of one upstream."""

    upstream: str
    fault: str
    result: str
    expect: Problem | Answered
    calls: Calls
    """The fewest and the most requests that the upstream may receive for one search."""
    github: tuple[LoopbackFault, ...] = ()
    model: tuple[LoopbackFault, ...] | None = None
    """The faults of the language model; None if none is configured."""
    token: bool = True
    request: Mapping[str, object] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    deployed: bool = False
    """Whether the search has the dependencies of a function, with DynamoDB, instead of those of one machine."""
    around: Callable[["World"], AbstractContextManager[object]] | None = None
    """What happens beside the search, to a file or a table."""
    after: Callable[["World", "Seen"], None] | None = None
    """What else must hold: of the results, or of the next search."""
    short: bool = False
    """Whether `make test` runs the case, too: one of each kind of fault."""

    @property
    def title(self) -> str:
        """Identify the case."""
        return f"{self.upstream}: {self.fault}"


@dataclass(frozen=True)
class Seen:
    """The result of a search, and what the upstreams received of it."""

    status: int
    retry_after: str
    body: dict[str, Any]
    max_seconds: int
    seconds: float
    github_calls: int
    model_calls: int
    logs: list[str]
    """The warnings in the log."""


@dataclass
class World:
    """The upstreams of a case, and its runtime."""

    case: Case
    folder: Path
    github: LoopbackGitHub
    llm: LoopbackLLM
    runtime: Runtime = field(init=False)

    def environment(self) -> dict[str, str]:
        """Return the environment of the process."""
        llm, token = None if self.case.model is None else self.llm, TOKEN if self.case.token else ""
        settings = environment(self.github, llm, token=token, key=KEY) | {"GOLDPAN_CACHE": "off"}
        return settings | {name: text.format(folder=self.folder) for name, text in self.case.environment.items()}

    def new_runtime(self) -> Runtime:
        """Make a runtime from the environment, as another process would."""
        if not self.case.deployed:
            return local_runtime(self.environment())
        dependencies = screener_dependencies(self.environment())
        return Runtime(dependencies, ("github",), WallClock(), "deployed", (lambda: close(dependencies),))

    def request(self) -> SearchRequest:
        """Return the request of the case."""
        return parse_request({"query": QUESTION, "max_seconds": SECONDS, "config": CONFIG, **self.case.request})

    def search(self) -> Seen:
        """Search through the library; return the result as the API would."""
        request = self.request()
        github, model, started_at = len(self.github.requests), len(self.llm.requests), time.monotonic()
        with logged_warnings() as logs:
            try:
                response = answered(library.search(request, runtime=self.runtime).to_json())
            except GoldpanError as error:
                response = problem(error, self.runtime.clock.now())
        return Seen(
            status=response.statusCode,
            retry_after=response.retryAfter,
            body=json.loads(response.body),
            max_seconds=request.max_seconds,
            seconds=time.monotonic() - started_at,
            github_calls=len(self.github.requests) - github,
            model_calls=len(self.llm.requests) - model,
            logs=logs,
        )


@contextmanager
def world_of(case: Case, folder: Path) -> Iterator[World]:
    """Start the upstreams of a case with their faults."""
    with ExitStack() as stack:
        github = stack.enter_context(LoopbackGitHub(fresh_repositories(), token=TOKEN, searches_a_minute=ROOMY))
        llm = stack.enter_context(LoopbackLLM(judged, key=KEY))
        github.inject(*case.github)
        llm.inject(*case.model or ())
        world = World(case, folder, github, llm)
        if case.around is not None:
            stack.enter_context(case.around(world))
        world.runtime = world.new_runtime()
        stack.callback(world.runtime.close)
        yield world


@contextmanager
def logged_warnings() -> Iterator[list[str]]:
    """Collect the warnings that goldpan logs."""
    messages: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("goldpan")
    logger.addHandler(handler)
    try:
        yield messages
    finally:
        logger.removeHandler(handler)


def close(value: object) -> None:
    """Close the connections of all clients inside the dependencies of a function."""
    if isinstance(value, HttpClient):
        value.close()
    elif type(value).__module__.partition(".")[0] == "botocore":
        cast("Any", value).close()
    elif isinstance(value, Mapping):
        for inner in value.values():
            close(inner)
    elif hasattr(value, "__dict__") and type(value).__module__.partition(".")[0] == "goldpan":
        for inner in vars(value).values():
            close(inner)
