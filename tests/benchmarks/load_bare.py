"""Makes the calls of the recorded search and nothing else: httpx2, openai, and threads."""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import openai

from tests.benchmarks.load_client import Ended, serve
from tests.benchmarks.load_recording import KEY, MARK, TOKEN, Call, mark_of, read_plan

CONCURRENCY = {"translate": 1, "search": 3, "enrich": 6, "score": 10}
"""As many calls of a step at once as goldpan makes."""
HEADERS = {"authorization": f"Bearer {TOKEN}", "user-agent": "bare", "accept": "application/vnd.github+json"}
SECONDS = 30.0


class Bare:
    """Plain clients without any limit of connections."""

    def __init__(self, github: str, llm: str, calls: list[Call]) -> None:
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
        self._github, self._url = httpx2.Client(limits=limits, timeout=SECONDS), f"{github}/graphql"
        client = httpx2.Client(limits=limits, timeout=SECONDS)
        self._model = openai.OpenAI(api_key=KEY, base_url=llm, max_retries=0, http_client=client)
        self._steps = {step: [call for call in calls if call.step == step] for step in CONCURRENCY}

    def search(self, number: int) -> Ended:
        """Make all calls of a search, step by step."""
        start, mark = time.perf_counter(), mark_of(number)
        for step, at_once in CONCURRENCY.items():
            call = self._complete if step in {"translate", "score"} else self._query
            bodies = [json.loads(json.dumps(each.body).replace(MARK, mark)) for each in self._steps[step]]
            with ThreadPoolExecutor(at_once) as pool:
                deque(pool.map(call, bodies), maxlen=0)
        return Ended(time.perf_counter() - start)

    def _complete(self, body: dict[str, Any]) -> object:
        completion = self._model.chat.completions.create(**body)
        return json.loads(completion.choices[0].message.content or "")

    def _query(self, body: dict[str, Any]) -> object:
        response = self._github.post(self._url, json=body, headers=HEADERS)
        response.raise_for_status()
        return response.json()["data"]


if __name__ == "__main__":
    serve(Bare(sys.argv[1], sys.argv[2], read_plan(Path(sys.argv[3]))).search)
