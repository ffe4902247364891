"""The process that makes the calls of a recorded search and does nothing else: httpx2 and threads."""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2

from tests.benchmarks.load_client import Result, serve
from tests.benchmarks.recording import KEY, MARK, TOKEN, Call, mark, read_calls

CALLS_AT_ONCE = {"translate": 1, "search": 3, "enrich": 6, "score": 10}
"""How many calls of a step goldpan makes in parallel."""
HEADERS = {"authorization": f"Bearer {TOKEN}", "user-agent": "bare", "accept": "application/vnd.github+json"}
TIMEOUT = 30.0


class BareClient:
    """Plain clients without a limit of connections."""

    def __init__(self, address: str, calls: list[Call]) -> None:
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
        self._github, self._url = httpx2.Client(limits=limits, timeout=TIMEOUT), f"{address}/graphql"
        self._model, self._completions = httpx2.Client(limits=limits, timeout=TIMEOUT), f"{address}/v1/chat/completions"
        self._steps = {step: [call.body for call in calls if call.step == step] for step in CALLS_AT_ONCE}

    def search(self, number: int) -> Result:
        """Make all calls of a search, step by step."""
        start = time.perf_counter()
        for step, at_once in CALLS_AT_ONCE.items():
            call = self._complete if step in {"translate", "score"} else self._query
            with ThreadPoolExecutor(at_once) as pool:
                list(pool.map(call, self._bodies(step, number)))
        return Result(time.perf_counter() - start)

    def _bodies(self, step: str, number: int) -> list[dict[str, Any]]:
        return [json.loads(json.dumps(body).replace(MARK, mark(number))) for body in self._steps[step]]

    def _complete(self, body: dict[str, Any]) -> object:
        response = self._model.post(self._completions, json=body, headers={"authorization": f"Bearer {KEY}"})
        response.raise_for_status()
        return json.loads(response.json()["choices"][0]["message"]["content"] or "")

    def _query(self, body: dict[str, Any]) -> object:
        response = self._github.post(self._url, json=body, headers=HEADERS)
        response.raise_for_status()
        return response.json()["data"]


if __name__ == "__main__":
    serve(BareClient(sys.argv[1], read_calls(Path(sys.argv[2]))).search)
