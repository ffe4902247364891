"""GitHub and the language model of a benchmark, in a process of their own: each request takes a time of its own."""

import json
import math
import random
import re
import sys
import time
from dataclasses import replace
from typing import Literal, NamedTuple

from tests.benchmarks.frame import run_main
from tests.benchmarks.invented import MARK, Question, completion, repositories
from tests.support.loopback import LoopbackGitHub, LoopbackLLM, LoopbackServer, RecordedRequest, Response

GITHUB_SECONDS = (0.4, 1.2)
MODEL_MEDIAN, MODEL_P95 = 1.5, 4.0
TOKEN, KEY, MODEL = "good-token", "good-key", "deepseek-flash"
_MARKS, _SINCE = re.compile(r"q\d{4}"), re.compile(r'"since": "[^"]*"')
Step = Literal["translate", "search", "enrich", "score"]


class TimedRequest(NamedTuple):
    """A request at the server: its step, when it came, and how many seconds its response takes."""

    step: Step
    start: float
    seconds: float


def marked(question: Question, number: int) -> str:
    """Return the text of a question with the mark of that number; all have the same length."""
    return f"{question.text} q{number:04}"


def settings(url: str) -> dict[str, str]:
    """Return the environment in which goldpan calls this server, and caches nothing."""
    model = {"LLM_API_KEY": KEY, "LLM_BASE_URL": f"{url}/v1", "LLM_MODEL": MODEL}
    return {"GITHUB_API_URL": url, "GITHUB_TOKEN": TOKEN, "GOLDPAN_CACHE": "off", **model}


def lognormal(chance: random.Random, median: float, p95: float) -> float:
    """Draw the seconds of a model's response."""
    return chance.lognormvariate(math.log(median), math.log(p95 / median) / 1.645)


class Upstream(LoopbackServer):
    """Answers a search with any mark as the one with the first mark, without delay if `at_once`."""

    def __init__(self, seed: int, *, at_once: bool) -> None:
        super().__init__()
        self._github = LoopbackGitHub(repositories(), token=TOKEN, graphql_calls_an_hour=10**9)
        self._model = LoopbackLLM(completion, key=KEY)
        self._seed, self._at_once = seed, at_once
        self._answered: dict[str, Response] = {}
        self.timed: list[TimedRequest] = []
        """The requests since the last report."""

    def answer(self, request: RecordedRequest) -> Response:
        """Answer a request after its seconds."""
        self.requests.clear()  # there are more than fit into the memory
        start, found = time.monotonic(), _MARKS.search(request.text)
        body, own = _SINCE.sub('"since": ""', _MARKS.sub(MARK, json.dumps(request.body))), found[0] if found else MARK
        step, chance = _step_of(body), random.Random(f"{self._seed} {own} {body}")
        seconds = 0.0 if self._at_once else _seconds_of(step, chance)
        self.timed.append(TimedRequest(step, start, seconds))
        if body not in self._answered:
            server = self._github if step in {"search", "enrich"} else self._model
            normalized = replace(request, body=json.loads(body))
            self._answered[body] = server.dress(normalized, server.answer(normalized))
        time.sleep(max(0, start + seconds - time.monotonic()))
        response = self._answered[body]
        return replace(response, body=response.body.replace(MARK.encode(), own.encode()))


def _step_of(body: str) -> Step:
    if '"messages"' in body:
        return "score" if r"\"repository\"" in body else "translate"
    return "enrich" if "query Enrich" in body else "search"


def _seconds_of(step: Step, chance: random.Random) -> float:
    if step in {"search", "enrich"}:
        return chance.uniform(*GITHUB_SECONDS)
    return lognormal(chance, MODEL_MEDIAN, MODEL_P95)


def main(seed: int = 1, *, at_once: bool = False) -> int:
    """Print the address, then the requests since the last report for each line of input."""
    with Upstream(seed, at_once=at_once) as server:
        print(server.url, flush=True)
        for _ in sys.stdin:
            timed, server.timed = server.timed, []
            print(json.dumps(timed), flush=True)
    return 0


if __name__ == "__main__":
    run_main(main)
