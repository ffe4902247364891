"""Sources and servers for the tests of the command and of `goldpan serve`, all in this process."""

import asyncio
import json
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.engine.dependencies import Dependencies, Runtime
from goldpan.errors import Cancelled
from goldpan.kinds.answer import Answer
from goldpan.kinds.repositories.models import RepositorySearch
from goldpan.kinds.repositories.ports import Found, RepositorySource
from goldpan.kinds.repositories.sources.catalogue.build import Record
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue
from goldpan_local.server.app import make_app
from goldpan_local.server.requests import ServerSettings
from goldpan_local.server.searches import Searches
from httpx2 import Response
from starlette.testclient import TestClient

from tests.contract.openapi.contract import as_written
from tests.support.factories import ListedSource
from tests.support.sample import catalogue_in_memory

PATIENCE = 60
QUESTION = {"query": "React animation library"}
HOSTILE = (
    "[red]x[/red]\x1b[31m<script>alert(1)</script> \x1b]8;;http://evil.example\x07motion\x1b]8;;\x07 [a](javascript:b)"
)
ANSWER: dict[str, Any] = {
    "query": "React animation",
    "mode": "balanced",
    "repositories": {
        "total_candidates": 1057,
        "shortlisted": 25,
        "results": [
            {
                "repo": "motion/react-motion", "name": "react-motion", "description": "Springs for *React*.",
                "url": "https://github.com/motion/react-motion", "stars": 21456, "language": "TypeScript",
                "relevance": 0.92, "radar_chart_data": [], "reasoning": "It animates with springs.", "basis": "llm",
                "scores": {
                    "maturity": 9.8, "activity": 3.1, "documentation": 7.0, "community": 6.5, "ease_of_use": 6.0,
                    "maintenance": 4.2, "overall": 7.4,
                },
                "found_by": [{"strategy": "stars", "rank": 1}], "caveats": ["No push for 11 months."],
            },
            {
                "repo": "glide/glide", "name": "glide", "description": None, "url": "javascript:alert(1)",
                "stars": None, "language": None, "relevance": 0.4, "radar_chart_data": [], "basis": "rules",
                "reasoning": "Matches “animation” in the name.", "scores": {}, "found_by": [],
            },
        ],
    },
    "sources": [
        {"kind": "repositories", "strategy": "stars", "source": "github", "status": "ok", "kept": 40},
        {"kind": "repositories", "strategy": "recency", "source": "github", "status": "ok"},
        {
            "kind": "repositories", "strategy": "expanded", "source": "github", "status": "rate_limited",
            "detail": "no searches left", "retry_at": "2026-01-02T03:05:00Z",
        },
    ],
    "errors": [{"stage": "scout", "error": "expanded failed", "timestamp": "2026-01-02T03:04:05Z"}],
    "warnings": ["One strategy failed."],
    "execution_time_ms": {"query_translator": 100, "scout": 900, "screener": 240, "total": 1240},
    "usage": {"llm_calls": 3, "input_tokens": 1500, "output_tokens": 100, "cost_usd": 0.00123},
    "answered_at": "2026-01-02T03:04:05Z",
}  # fmt: skip
"""An answer as JSON: one result with all facts and one with the least, successful and failed sources."""
FACTS = (
    ("motion/react-motion", "React animation library with springs.", 21_000),
    ("glide/glide", "Animation library for React lists and pages.", 3_400),
    ("weblate/other", "Continuous localisation of software.", 900),
)


def answer(**changes: Any) -> Answer:
    """Make the example answer with changes; None removes a field."""
    return Answer.model_validate({name: value for name, value in {**ANSWER, **changes}.items() if value is not None})


def records(description: str | None = None) -> tuple[Record, ...]:
    """Make three records; a description is appended to that of the first one."""
    made = [Record(full_name=name, description=text, stars=stars, language="TypeScript") for name, text, stars in FACTS]
    if description is not None:
        made[0] = made[0].model_copy(update={"description": f"React animation library {description}"})
    return tuple(made)


def catalogue(description: str | None = None) -> Catalogue:
    """Make a catalogue of the records."""
    return catalogue_in_memory(records(description), title="the test catalogue")


class BlockingSource(ListedSource):
    """A source whose searches block until `release`; one that ignores cancellation blocks on, as a connection does."""

    def __init__(self, *, ignores_cancellation: bool = False) -> None:
        super().__init__()
        self.ignores_cancellation = ignores_cancellation
        self.release, self.cancelled, self.started = threading.Event(), threading.Event(), threading.Semaphore(0)

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Search the test catalogue when released."""
        self.started.release()
        try:
            while not self.release.is_set():
                self.release.wait(0.01) if self.ignores_cancellation else deadline.clock.wait(0.01)
        except Cancelled:
            self.cancelled.set()
            raise
        return catalogue().search(searches, deadline)


def use_runtime(monkeypatch: pytest.MonkeyPatch, source: RepositorySource) -> WallClock:
    """Let the command search this source only; returns its clock."""
    clock = WallClock()
    runtime = Runtime(Dependencies(clock=clock, sources={"catalogue": source}), ("catalogue",), clock)
    monkeypatch.setattr("goldpan.local.bootstrap.open_runtime", lambda *_, **__: runtime)
    return clock


def github_runtime(source: RepositorySource | None = None) -> Runtime:
    """Make a runtime with a source in place of GitHub, by default the test catalogue."""
    sources = {"github": source or catalogue()}
    clock = WallClock()
    return Runtime(Dependencies(clock=clock, sources=sources), (*sources,), clock)


def client(
    runtime: Runtime | None = None,
    keys: str = "",
    limit: int = 64,
    *,
    hosts: frozenset[str] | None = None,
    cors: str = "",
) -> TestClient:
    """Make a client of the server's application, which runs in this process."""
    settings = ServerSettings.from_environment({"GOLDPAN_API_KEYS": keys, "GOLDPAN_CORS_ORIGINS": cors})
    searches = Searches(runtime or github_runtime(), limit)
    return TestClient(make_app(searches, settings.api_keys(), hosts, settings.goldpan_cors_origins))


def problem_of(response: Response) -> dict[str, Any]:
    """Return the problem details of a response, after checking them against the contract and the status."""
    assert response.headers["content-type"] == "application/problem+json"
    details: dict[str, Any] = response.json()
    as_written("Problem").validate(details)
    assert details["status"] == response.status_code
    return details


def timeless(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without the fields that differ between two runs."""
    sources = [{**row, "duration_ms": None} for row in answer["sources"]]
    kept = {name: part for name, part in answer.items() if name not in {"answered_at", "execution_time_ms"}}
    return {**kept, "sources": sources}


async def post_search(
    searches: Searches, disconnect: asyncio.Event, body: bytes | None = None, accept: bytes = b"*/*"
) -> list[dict[str, Any]]:
    """Call the application over ASGI as a client that may disconnect, which no test client can; returns what was sent.

    `body` is the first part of a body that never ends; by default, the question is sent.
    """
    question = {"body": json.dumps(QUESTION).encode(), "more_body": False}
    messages = [{"type": "http.request", **(question if body is None else {"body": body, "more_body": True})}]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop()
        await disconnect.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json"), (b"accept", accept)]
    scope = {"type": "http", "method": "POST", "path": "/search", "headers": headers, "query_string": b""}
    await make_app(searches, None)(scope, receive, send)
    return sent


async def wait_for(condition: threading.Event | threading.Semaphore) -> None:
    """Wait in the event loop for a thread."""
    wait = condition.wait if isinstance(condition, threading.Event) else condition.acquire
    assert await asyncio.to_thread(wait, timeout=PATIENCE)


def join_searches() -> None:
    """Wait until no thread of a search runs."""
    for thread in threading.enumerate():
        if thread.name == "goldpan":
            thread.join(PATIENCE)
