"""One search as it was asked and answered: what the upstreams of the load repeat, and what bare clients ask.

It is recorded from goldpan itself against the faithful fakes, whose work is too heavy for a load. Everything that
belongs to the question carries its mark, so that another question is the same search with another mark.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from goldpan.contracts import Answer, SearchRequest
from goldpan.engine.pipeline import search
from goldpan_local.bootstrap import local_runtime

from tests.benchmarks.invented_repositories import invented_repositories
from tests.benchmarks.questions import QUESTIONS
from tests.support.loopback import LoopbackGitHub, LoopbackLLM
from tests.support.loopback.wire import RecordedRequest, Response

Step = Literal["translate", "search", "enrich", "score"]
MARK, MARKS = "q0000", re.compile(rb"q\d{4}")
_SINCE = re.compile(rb'"since": ?"[^"]*"')
TOKEN, KEY, MODEL = "good-token", "good-key", "deepseek-flash"
CONFIG = {"target_seconds": None}
"""Nothing is cut, so that both sides make the same calls."""


@dataclass(frozen=True)
class Call:
    """A request of the search, and how it was answered."""

    step: Step
    body: dict[str, Any]
    reply: str


def mark_of(number: int) -> str:
    """Give a question's mark, which is as long as any other."""
    return f"q{number:04}"


def request_of(number: int) -> SearchRequest:
    """Make the question of that number."""
    return SearchRequest.model_validate({"query": f"React animation library {mark_of(number)}", "config": CONFIG})


def settings_of(github: str, llm: str, file: Path | str) -> dict[str, str]:
    """Set what goldpan needs."""
    of_model = {"LLM_API_KEY": KEY, "LLM_BASE_URL": llm, "LLM_MODEL": MODEL}
    return {"GITHUB_API_URL": github, "GITHUB_TOKEN": TOKEN, "GOLDPAN_CACHE": str(file), **of_model}


def alike(body: bytes) -> bytes:
    """Give a request's body without its mark and its moment."""
    return _SINCE.sub(b"", MARKS.sub(MARK.encode(), body))


def recorded(plan: Path) -> Answer:
    """Search once, and write down what was asked and answered."""
    calls: list[Call] = []
    with _GitHub(calls) as github, _Model(calls) as llm:
        runtime = local_runtime(settings_of(github.url, llm.base_url, "off"), None)
        answer = search(request_of(0), runtime.dependencies, sources=runtime.sources)
    plan.write_text(json.dumps([asdict(call) for call in calls]))
    return answer


def planned(plan: Path) -> list[Call]:
    """Read the search again."""
    return [Call(**row) for row in json.loads(plan.read_text())]


class _GitHub(LoopbackGitHub):
    """A GitHub whose repositories carry the mark, and which notes what it answers."""

    def __init__(self, calls: list[Call]) -> None:
        found = [row for row in invented_repositories(1) if row["language"] == QUESTIONS[0].language]
        super().__init__([_marked(row) for row in found])
        self._calls = calls

    def answer(self, request: RecordedRequest) -> Response:
        """Answer, and note it."""
        response = super().answer(request)
        step: Step = "enrich" if request.body["query"].lstrip().startswith("query Enrich") else "search"
        self._calls.append(Call(step, request.body, response.body.decode()))
        return response


class _Model(LoopbackLLM):
    """A model that says what fits the question, and notes what it answers."""

    def __init__(self, calls: list[Call]) -> None:
        super().__init__(_said)
        self._calls = calls

    def answer(self, request: RecordedRequest) -> Response:
        """Answer, and note it."""
        response = super().answer(request)
        step: Step = "score" if "repository" in _asked(request.body) else "translate"
        self._calls.append(Call(step, request.body, response.body.decode()))
        return response


def _marked(row: dict[str, Any]) -> dict[str, Any]:
    owner, _, name = str(row["full_name"]).partition("/")
    return row | {"full_name": f"{owner}-{MARK}/{name}", "description": f"{MARK} {row['description']}"}


def _asked(body: dict[str, Any]) -> dict[str, Any]:
    asked: dict[str, Any] = json.loads(body["messages"][1]["content"])
    return asked


def _said(body: dict[str, Any]) -> str:
    asked, question = _asked(body), QUESTIONS[0]
    if "repository" not in asked:
        keywords = [*question.keywords[:2], MARK]
        return json.dumps({"keywords": keywords, "expanded_keywords": question.expanded, "topics": question.topics})
    description = str(asked["repository"]["description"])
    reasoning = "It covers what the question names, and its documentation says how to begin with it."
    judged = {"relevance": 0.7, "documentation": 7, "ease_of_use": 8, "reasoning": reasoning}
    return json.dumps({**judged, "quote": description[:60].rpartition(" ")[0]})
