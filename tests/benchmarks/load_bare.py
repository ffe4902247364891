"""The process that makes the calls of the recorded search, and does nothing else: httpx2, openai, and threads."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import openai

from tests.benchmarks.load_asker import Ended, serve
from tests.benchmarks.load_recording import KEY, MARK, TOKEN, Call, mark_of, planned

SIDE_BY_SIDE = {"translate": 1, "search": 3, "enrich": 6, "score": 10}
"""As many calls of a step at once as goldpan makes."""
HEADERS = {"authorization": f"Bearer {TOKEN}", "user-agent": "bare", "accept": "application/vnd.github+json"}
PATIENCE = 30.0


class Bare:
    """Plain clients without any limit of connections."""

    def __init__(self, github: str, llm: str, calls: list[Call]) -> None:
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
        self._github, self._url = httpx2.Client(limits=limits, timeout=PATIENCE), f"{github}/graphql"
        client = httpx2.Client(limits=limits, timeout=PATIENCE)
        self._model = openai.OpenAI(api_key=KEY, base_url=llm, max_retries=0, http_client=client)
        self._steps = {step: [call for call in calls if call.step == step] for step in SIDE_BY_SIDE}

    def ask(self, number: int) -> Ended:
        """Make all calls of a search, step by step."""
        began = time.perf_counter()
        for step, at_once in SIDE_BY_SIDE.items():
            call = self._complete if step in {"translate", "score"} else self._query
            with ThreadPoolExecutor(at_once) as pool:
                _all(pool.map(call, self._bodies(step, number)))
        return Ended(time.perf_counter() - began)

    def _bodies(self, step: str, number: int) -> list[dict[str, Any]]:
        mark = mark_of(number)
        return [json.loads(json.dumps(call.body).replace(MARK, mark)) for call in self._steps[step]]

    def _complete(self, body: dict[str, Any]) -> object:
        told = self._model.chat.completions.create(**body)
        return json.loads(told.choices[0].message.content or "")

    def _query(self, body: dict[str, Any]) -> object:
        reply = self._github.post(self._url, json=body, headers=HEADERS)
        reply.raise_for_status()
        return reply.json()["data"]


def _all(results: Iterable[object]) -> None:
    for _ in results:
        pass


def main() -> None:
    """Ask until the input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("github")
    parser.add_argument("llm")
    parser.add_argument("plan", type=Path)
    asked = parser.parse_args()
    ask: Callable[[int], Ended] = Bare(asked.github, asked.llm, planned(asked.plan)).ask
    serve(ask)


if __name__ == "__main__":
    main()
