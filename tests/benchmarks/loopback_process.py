"""GitHub and a language model on loopback ports, with realistic latencies, in their own process.

Prints the two addresses, then answers each line of its input with the requests since the last one.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, cast

from tests.benchmarks.critical_path import Step, TimedRequest
from tests.benchmarks.invented_repositories import invented_repositories
from tests.benchmarks.questions import QUESTIONS
from tests.support.loopback import LoopbackGitHub, LoopbackLLM
from tests.support.loopback.wire import RecordedRequest, Response

GITHUB_SECONDS = (0.4, 1.2)
MODEL_MEDIAN, MODEL_P95 = 1.5, 4.0
SIGMA = math.log(MODEL_P95 / MODEL_MEDIAN) / 1.645
SIMULTANEOUS = 10


class Record:
    """Draws how long each request takes, in the order in which they arrive, and records it.

    The server's own work is part of the drawn time; if it takes longer, it counts as it is.
    """

    def __init__(self, draw: Callable[[], float]) -> None:
        self._draw = draw
        self._lock = threading.Lock()
        self._current = threading.local()
        self._requests: list[TimedRequest] = []

    def begin(self, request: RecordedRequest) -> None:
        """Start a request of this thread."""
        with self._lock:
            self._current.request = (step_of(request.body), time.perf_counter(), self._draw())

    def wait(self) -> float:
        """Return how long the response of this thread has to wait."""
        step, start, drawn = cast("tuple[Step, float, float]", self._current.request)
        spent = time.perf_counter() - start
        with self._lock:
            self._requests.append(TimedRequest(step, start, max(drawn, spent)))
        return max(0.0, drawn - spent)

    def take(self) -> list[TimedRequest]:
        """Return the requests since the last call."""
        with self._lock:
            taken, self._requests = self._requests, []
        return taken


class TimedGitHub(LoopbackGitHub):
    """A GitHub with latency."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        self.record = Record(lambda: chance.uniform(*GITHUB_SECONDS))
        super().__init__(invented_repositories(seed), latency=self.record.wait)

    def answer(self, request: RecordedRequest) -> Response:
        """Answer, and start the time."""
        self.record.begin(request)
        return super().answer(request)


class TimedLLM(LoopbackLLM):
    """A language model with latency, which answers ten calls at once."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed + 1)
        self.record = Record(lambda: chance.lognormvariate(math.log(MODEL_MEDIAN), SIGMA))
        super().__init__(_reply, latency=self.record.wait, limit=SIMULTANEOUS)

    def answer(self, request: RecordedRequest) -> Response:
        """Answer, and start the time."""
        self.record.begin(request)
        return super().answer(request)


def step_of(body: dict[str, Any]) -> Step:
    """Return the step of a request to either server."""
    if "query" in body:
        return "enrich" if body["query"].lstrip().startswith("query Enrich") else "search"
    return "score" if str(body["messages"][0]["content"]).startswith("You judge") else "translate"


def _reply(body: dict[str, Any]) -> str:
    """Answer as a model of these two prompts would."""
    prompt = json.loads(body["messages"][1]["content"])
    question = next(question for question in QUESTIONS if question.text == prompt["question"])
    if step_of(body) == "translate":
        reading = {"keywords": question.keywords, "expanded_keywords": question.expanded, "topics": question.topics}
        return json.dumps({**reading, "language": None})
    description = str(prompt["repository"]["description"])
    share = sum(word in description for word in question.keywords) / len(question.keywords)
    reasoning = f"It covers {share:.0%} of what the question names, and its documentation says how to begin."
    verdict = {"relevance": share, "documentation": 7, "ease_of_use": 8, "reasoning": reasoning}
    return json.dumps({**verdict, "quote": description[:60].rpartition(" ")[0]})


def main() -> None:
    """Serve until the input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with TimedGitHub(options.seed) as github, TimedLLM(options.seed) as llm:
        print(json.dumps({"github": github.url, "llm": llm.base_url}), flush=True)
        for _ in sys.stdin:
            requests = [asdict(row) for row in (*github.record.take(), *llm.record.take())]
            refused = sum(request.status not in (200, None) for request in [*github.requests, *llm.requests])
            github.requests.clear()
            llm.requests.clear()
            print(json.dumps({"requests": requests, "refused": refused}), flush=True)


if __name__ == "__main__":
    main()
