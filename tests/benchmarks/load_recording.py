"""One recorded search: what the upstreams of the load repeat, and what the bare clients send.

It is recorded from goldpan itself against the loopback servers, which work too much for a load. Everything that depends
on the question contains its mark, so that another question is the same search with another mark.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from goldpan.contracts import SearchRequest
from goldpan.engine.search import get_or_search
from goldpan_local.bootstrap import local_runtime

from tests.benchmarks.critical_path import Step
from tests.benchmarks.invented_repositories import invented_repositories
from tests.benchmarks.loopback_process import step_of
from tests.benchmarks.questions import QUESTIONS
from tests.support.loopback import LoopbackGitHub, LoopbackLLM
from tests.support.loopback.wire import RecordedRequest, Response

MARK, MARKS = "q0000", re.compile(rb"q\d{4}")
_SINCE = re.compile(rb'"since": ?"[^"]*"')
TOKEN, KEY, MODEL = "good-token", "good-key", "deepseek-flash"
CONFIG = {"target_seconds": None}
"""Scoring is never stopped, so that both sides make the same calls."""


@dataclass(frozen=True)
class Call:
    """A request of the search, and its response."""

    step: Step
    body: dict[str, Any]
    reply: str


def mark_of(number: int) -> str:
    """Return the mark of a question; all marks have the same length."""
    return f"q{number:04}"


def request_of(number: int) -> SearchRequest:
    """Return the question of that number."""
    return SearchRequest.model_validate({"query": f"React animation library {mark_of(number)}", "config": CONFIG})


def environment_of(github: str, llm: str, file: Path | str) -> dict[str, str]:
    """Return the environment of goldpan."""
    model = {"LLM_API_KEY": KEY, "LLM_BASE_URL": llm, "LLM_MODEL": MODEL}
    return {"GITHUB_API_URL": github, "GITHUB_TOKEN": TOKEN, "GOLDPAN_CACHE": str(file), **model}


def without_mark(body: bytes) -> bytes:
    """Return the body of a request without its mark and its time."""
    return _SINCE.sub(b"", MARKS.sub(MARK.encode(), body))


def record(plan: Path) -> None:
    """Search once, and write the requests and responses to a file."""
    calls: list[Call] = []

    class GitHub(LoopbackGitHub):
        def answer(self, request: RecordedRequest) -> Response:
            return _recorded(calls, request, super().answer(request))

    class Model(LoopbackLLM):
        def answer(self, request: RecordedRequest) -> Response:
            return _recorded(calls, request, super().answer(request))

    rows = [_marked(row) for row in invented_repositories(1) if row["language"] == QUESTIONS[0].language]
    with (
        GitHub(rows) as github,
        Model(_reply) as llm,
        local_runtime(environment_of(github.url, llm.base_url, "off")) as runtime,
    ):
        get_or_search(request_of(0), runtime)
    plan.write_text(json.dumps([asdict(call) for call in calls]))


def read_plan(plan: Path) -> list[Call]:
    """Read the recorded calls."""
    return [Call(**row) for row in json.loads(plan.read_text())]


def _recorded(calls: list[Call], request: RecordedRequest, response: Response) -> Response:
    calls.append(Call(step_of(request.body), request.body, response.body.decode()))
    return response


def _marked(row: dict[str, Any]) -> dict[str, Any]:
    owner, _, name = str(row["full_name"]).partition("/")
    return row | {"full_name": f"{owner}-{MARK}/{name}", "description": f"{MARK} {row['description']}"}


def _reply(body: dict[str, Any]) -> str:
    question = QUESTIONS[0]
    if step_of(body) == "translate":
        keywords = [*question.keywords[:2], MARK]
        return json.dumps({"keywords": keywords, "expanded_keywords": question.expanded, "topics": question.topics})
    description = str(json.loads(body["messages"][1]["content"])["repository"]["description"])
    reasoning = "It covers what the question names, and its documentation says how to begin with it."
    verdict = {"relevance": 0.7, "documentation": 7, "ease_of_use": 8, "reasoning": reasoning}
    return json.dumps({**verdict, "quote": description[:60].rpartition(" ")[0]})
