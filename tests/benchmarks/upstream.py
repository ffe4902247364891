"""GitHub and the language model of a benchmark, in a process of their own: each request takes a time of its own.

Ten questions, the invented repositories that answer them, and how a model would read and judge both.
"""

import json
import math
import random
import re
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple

from goldpan.kinds.repositories.models import KnownFacts
from goldpan.kinds.repositories.sources.catalogue.reader import open_sample

from tests.benchmarks.frame import run_main
from tests.support.loopback import LoopbackGitHub, LoopbackLLM, LoopbackServer, RecordedRequest, Response
from tests.support.loopback.sample_repositories import size_facts

GITHUB_SECONDS = (0.4, 1.2)
MODEL_MEDIAN, MODEL_P95 = 1.5, 4.0
TOKEN, KEY, MODEL = "good-token", "good-key", "deepseek-flash"
_MARKS, _SINCE = re.compile(r"q\d{4}"), re.compile(r'"since": "[^"]*"')
Step = Literal["translate", "search", "enrich", "score"]


@dataclass(frozen=True)
class Question:
    """A question, its translation, and the language of the repositories for it."""

    text: str
    keywords: tuple[str, ...]
    expanded: tuple[str, ...]
    language: str


QUESTIONS = (
    Question(
        "React animation library", ("react", "animation", "library"), ("motion", "transition", "spring"), "TypeScript"
    ),
    Question("Rust web framework", ("rust", "web", "framework"), ("http", "router", "server"), "Rust"),
    Question(
        "Python ML tool", ("python", "machine learning", "tool"), ("deep learning", "training", "model"), "Python"
    ),
    Question("Svelte drag and drop", ("svelte", "drag and drop"), ("sortable", "dnd", "reorder"), "TypeScript"),
    Question("Go microservices", ("go", "microservices"), ("rpc", "service mesh", "distributed"), "Go"),
    Question("TypeScript ORM", ("typescript", "orm"), ("database", "query builder", "sql"), "TypeScript"),
    Question("Vue 3 component library", ("vue", "component", "library"), ("ui kit", "design system", "widgets"), "Vue"),
    Question("CLI tool for developers", ("cli", "developers", "tool"), ("terminal", "command line", "shell"), "Go"),
    Question("GraphQL client for React", ("react", "graphql", "client"), ("apollo", "query", "cache"), "TypeScript"),
    Question("Open source CRM", ("open source", "crm"), ("customer relationship", "sales", "contacts"), "PHP"),
)
MARK = "q0000"
"""What a search has in its question, and all that it finds in its name: a cache has nothing for the next mark."""
MATCHING, RELATED, MIN_STARS, MORE_STARS = 40, 10, 60, 1.1
"""Repositories with all keywords of a question, those with each expanded word, the fewest stars, and their growth."""
SENTENCES = (
    "Install it with one command and start from one of the examples in the folder.",
    "The guide explains every option, what it costs, and when another tool is the better choice.",
    "It has no dependencies at run time and is tested on all versions that are still maintained.",
    "Contributions are welcome: open an issue first if the change is larger than a few lines.",
)
SECTIONS = ("Installation", "Usage", "Examples", "API", "Contributing", "License")
README = "# Install\n\nOne command installs it.\n\n## Usage\n\nThe guide explains every option.\n"


def repositories() -> Iterator[dict[str, Any]]:
    """Yield the repositories that answer the questions, and those of the embedded catalogue, with a push of today."""
    for question in QUESTIONS:
        related = ((question.keywords[0], word) for word in question.expanded * RELATED)
        for place, words in enumerate([*[question.keywords] * MATCHING, *related]):
            yield _repository(question, words, place)
    now = datetime.now(UTC).isoformat()
    with closing(open_sample(None)) as catalogue:
        for catalogued in catalogue.repositories():
            yield facts(catalogued) | {"readme": README, "pushed_at": now}


def _repository(question: Question, words: tuple[str, ...], place: int) -> dict[str, Any]:
    name = "-".join((*words[:2], str(place))).replace(" ", "-")
    description = f"{MARK} {' '.join(words)}, number {place} of many: {SENTENCES[place % len(SENTENCES)]}"
    sections = (f"## {section}\n\n{' '.join(SENTENCES)}\n\n```\n{name} {section}\n```\n" for section in SECTIONS)
    today = datetime.now(UTC).date()
    pushed = (today - timedelta(days=2 * place + 1)).isoformat()
    return {
        "full_name": f"invented-{place}-{MARK}/{name}",
        "description": description,
        "language": question.language,
        "topics": [word.replace(" ", "-") for word in question.keywords],
        "readme": "\n".join([f"# {name}\n\n{description}\n", *sections]),
        "pushed_at": pushed,
        **size_facts(round(MIN_STARS * MORE_STARS**place), pushed, today),
    }


def facts(repository: KnownFacts) -> dict[str, Any]:
    """Return what GitHub has of a repository; what is not known keeps the server's default."""
    names = ("full_name", "description", "language", "topics", "stars", "forks", "archived", "license", "homepage")
    dates = ("pushed_at", "created_at", "latest_release_at")
    known = repository.model_dump(mode="json", include={*names, *dates}, exclude_none=True)
    return dict(known)


def completion(body: dict[str, Any]) -> str:
    """Answer as a model would: the words of a question, or how many of them the description of a repository has."""
    prompt: dict[str, Any] = json.loads(body["messages"][1]["content"])
    question = next(question for question in QUESTIONS if prompt["question"].startswith(question.text))
    if "repository" not in prompt:
        return json.dumps({"keywords": [*question.keywords[:2], MARK], "expanded_keywords": question.expanded})
    description = str(prompt["repository"]["description"])
    share = sum(word in description for word in question.keywords) / len(question.keywords)
    reasoning = f"It covers {share:.0%} of what the question names, and its documentation explains how to begin."
    judgement = {"relevance": share, "documentation": 7, "ease_of_use": 8, "reasoning": reasoning}
    return json.dumps({**judgement, "quote": description[:60].rpartition(" ")[0]})


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
