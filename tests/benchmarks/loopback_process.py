"""GitHub and a language model on loopback ports, with realistic latencies, in a process of their own.

Prints the two addresses, then answers each line on its input with the requests since the last one.
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

from tests.benchmarks.critical_path import Occurred, Step
from tests.benchmarks.invented_repositories import invented_repositories
from tests.benchmarks.questions import QUESTIONS
from tests.support.loopback import LoopbackGitHub, LoopbackLLM
from tests.support.loopback.wire import RecordedRequest, Response

GITHUB_SECONDS = (0.4, 1.2)
MODEL_MEDIAN, MODEL_P95 = 1.5, 4.0
SIGMA = math.log(MODEL_P95 / MODEL_MEDIAN) / 1.645
SIMULTANEOUS = 10


class Record:
    """Draws how long each request takes, in the order in which they come, and remembers it.

    The server's own work is part of the drawn time; where it took longer, it counts as it was.
    """

    def __init__(self, draw: Callable[[], float], step: Callable[[RecordedRequest], Step]) -> None:
        self._draw, self._step = draw, step
        self._turn = threading.Lock()
        self._here = threading.local()
        self._occurred: list[Occurred] = []

    def begin(self, request: RecordedRequest) -> None:
        """Note that a request is being answered by this thread."""
        with self._turn:
            self._here.now = (self._step(request), time.perf_counter(), self._draw())

    def wait(self) -> float:
        """Tell how long this thread's answer has to wait for its time."""
        step, begin, drawn = cast("tuple[Step, float, float]", self._here.now)
        spent = time.perf_counter() - begin
        with self._turn:
            self._occurred.append(Occurred(step, begin, max(drawn, spent)))
        return max(0.0, drawn - spent)

    def take(self) -> list[Occurred]:
        """Give what occurred since the last time."""
        with self._turn:
            taken, self._occurred = self._occurred, []
        return taken


class TimedGitHub(LoopbackGitHub):
    """A GitHub whose requests take their time."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        self.record = Record(lambda: chance.uniform(*GITHUB_SECONDS), _github_step)
        super().__init__(invented_repositories(seed), latency=self.record.wait)

    def answer(self, request: RecordedRequest) -> Response:
        """Answer, from now on."""
        self.record.begin(request)
        return super().answer(request)


class TimedLLM(LoopbackLLM):
    """A language model whose calls take their time."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed + 1)
        self.record = Record(lambda: chance.lognormvariate(math.log(MODEL_MEDIAN), SIGMA), _model_step)
        super().__init__(_said, latency=self.record.wait, limit=SIMULTANEOUS)

    def answer(self, request: RecordedRequest) -> Response:
        """Answer, from now on."""
        self.record.begin(request)
        return super().answer(request)


def _github_step(request: RecordedRequest) -> Step:
    return "enrich" if request.body["query"].lstrip().startswith("query Enrich") else "search"


def _model_step(request: RecordedRequest) -> Step:
    return "score" if _judges(request.body) else "translate"


def _judges(body: dict[str, Any]) -> bool:
    return str(body["messages"][0]["content"]).startswith("You judge")


def _said(body: dict[str, Any]) -> str:
    """Answer as a model of these two prompts would."""
    asked = json.loads(body["messages"][1]["content"])
    question = next(question for question in QUESTIONS if question.text == asked["question"])
    if not _judges(body):
        reading = {"keywords": question.keywords, "expanded_keywords": question.expanded, "topics": question.topics}
        return json.dumps({**reading, "language": None})
    description = str(asked["repository"]["description"])
    share = sum(word in description for word in question.keywords) / len(question.keywords)
    reasoning = f"It covers {share:.0%} of what the question names, and its documentation says how to begin."
    judged = {"relevance": share, "documentation": 7, "ease_of_use": 8, "reasoning": reasoning}
    return json.dumps({**judged, "quote": description[:60].rpartition(" ")[0]})


def main() -> None:
    """Serve until the input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with TimedGitHub(asked.seed) as github, TimedLLM(asked.seed) as llm:
        print(json.dumps({"github": github.url, "llm": llm.base_url}), flush=True)
        for _ in sys.stdin:
            occurred = [*github.record.take(), *llm.record.take()]
            refused = sum(request.status not in (200, None) for request in [*github.requests, *llm.requests])
            github.requests.clear()
            llm.requests.clear()
            print(json.dumps({"occurred": [asdict(row) for row in occurred], "refused": refused}), flush=True)


if __name__ == "__main__":
    main()
