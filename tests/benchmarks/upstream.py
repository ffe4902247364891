"""GitHub and the language model of a benchmark: replays recorded calls for any mark, each after a time of its own."""

import json
import math
import random
import sys
import time
from collections.abc import Mapping
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

from tests.benchmarks.frame import run_main
from tests.benchmarks.recording import MARK, MARKS, Call, Step, TimedRequest, normalized, read_calls
from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

GITHUB_SECONDS = (0.4, 1.2)
MODEL_MEDIAN, MODEL_P95 = 1.5, 4.0
SIGMA = math.log(MODEL_P95 / MODEL_MEDIAN) / 1.645
HEADERS = {"x-ratelimit-limit": "10000000", "x-ratelimit-remaining": "10000000", "x-ratelimit-reset": "4000000000"}


class Replay(LoopbackServer):
    """Serves the recorded calls, without any delay if `at_once`; keeps the times of requests since the last report."""

    def __init__(self, calls: list[Call], seed: int, *, at_once: bool) -> None:
        super().__init__()
        self._calls, self._seed, self._at_once = calls, seed, at_once
        self._timed, self._unknown = list[TimedRequest](), 0
        self._places = {normalized(call.body): place for place, call in enumerate(calls)}
        self._enriched = {
            name: (place, reply)
            for place, call in enumerate(calls)
            if call.step == "enrich"
            for name, reply in zip(_names(call.body), json.loads(call.reply)["data"].values(), strict=True)
        }

    def answer(self, request: RecordedRequest) -> Response:
        """Answer a request after its seconds."""
        self.requests.clear()  # there are more than fit into the memory
        start, found = time.monotonic(), MARKS.search(request.text.encode())
        place, reply = self._replayed(request.body)
        if found is None or place is None:
            self._unknown += 1
            return Response.of_json(500, {"message": "no such call in the recording"})
        step = self._calls[place].step
        chance = random.Random(f"{self._seed} {found.group()!r} {place}")
        seconds = 0.0 if self._at_once else _seconds_of(step, chance)
        self._timed.append(TimedRequest(step, start, seconds))
        time.sleep(seconds)
        body = reply.encode().replace(MARK.encode(), found.group())
        return Response(200, body, {"content-type": "application/json"})

    def dress(self, _request: RecordedRequest, response: Response) -> Response:
        """Add a rate limit that is never reached."""
        return replace(response, headers={**HEADERS, **response.headers})

    def _replayed(self, body: Any) -> tuple[int | None, str]:
        """Return the place of a recorded call, and its reply; which repositories are enriched depends on the cache."""
        place = self._places.get(normalized(body))
        if place is not None or "query Enrich" not in body.get("query", ""):
            return place, "" if place is None else self._calls[place].reply
        names = _names(json.loads(normalized(body)))
        if not all(name in self._enriched for name in names):
            return None, ""
        rows = [self._enriched[name] for name in names]
        return rows[0][0], json.dumps({"data": {f"r{number}": reply for number, (_, reply) in enumerate(rows)}})

    def report(self) -> dict[str, object]:
        """Return the requests since the last report, and how many were not recorded."""
        timed, unknown = self._timed, self._unknown
        self._timed, self._unknown = [], 0
        return {"requests": [astuple(each) for each in timed], "unknown": unknown}


def _seconds_of(step: Step, chance: random.Random) -> float:
    if step in {"search", "enrich"}:
        return chance.uniform(*GITHUB_SECONDS)
    return chance.lognormvariate(math.log(MODEL_MEDIAN), SIGMA)


def _names(body: Mapping[str, Any]) -> list[tuple[str, str]]:
    variables, count = body["variables"], len(body["variables"]) // 2
    return [(variables[f"o{number}"], variables[f"n{number}"]) for number in range(count)]


def main(recording: Path, seed: int = 1, *, at_once: bool = False) -> int:
    """Print the address, then a report for each line of input."""
    with Replay(read_calls(recording), seed, at_once=at_once) as server:
        print(server.url, flush=True)
        for _ in sys.stdin:
            print(json.dumps(server.report()), flush=True)
    return 0


if __name__ == "__main__":
    run_main(main)
