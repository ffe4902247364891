"""GitHub and the language model of a benchmark: replays recorded calls for any mark, each after a time of its own."""

import asyncio
import json
import math
import random
import re
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import astuple, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks.frame import run_main
from tests.benchmarks.recording import MARK, MARKS, Call, TimedRequest, normalized, read_calls

GITHUB_SECONDS = (0.4, 1.2)
MODEL_MEDIAN, MODEL_P95 = 1.5, 4.0
SIGMA = math.log(MODEL_P95 / MODEL_MEDIAN) / 1.645
HEADERS = b"x-ratelimit-limit: 10000000\r\nx-ratelimit-remaining: 10000000\r\nx-ratelimit-reset: 4000000000\r\n"


@dataclass
class Replay:
    """The recorded calls, and the requests since the last report."""

    calls: list[Call]
    seed: int
    at_once: bool
    """Whether it responds without any delay."""
    requests: list[TimedRequest] = field(default_factory=list)
    unknown: int = 0

    def __post_init__(self) -> None:
        """Index the calls by their bodies as clients write them, and what was enriched by repository."""
        self._places = {normalized(_written(call.body)): place for place, call in enumerate(self.calls)}
        self._enriched = {
            name: (place, reply)
            for place, call in enumerate(self.calls)
            if call.step == "enrich"
            for name, reply in zip(_names(call.body), json.loads(call.reply)["data"].values(), strict=True)
        }

    def respond(self, body: bytes, start: float) -> tuple[bytes, float]:
        """Return the response to a request, and the seconds that it takes."""
        found, asked = MARKS.search(body), normalized(body)
        place, reply = self._replayed(asked)
        if found is None or place is None:
            self.unknown += 1
            return _http(500, b'{"message": "no such call in the recording"}'), 0.0
        chance = random.Random(f"{self.seed} {found.group()!r} {place}")
        seconds = self._draw(self.calls[place], chance)
        self.requests.append(TimedRequest(self.calls[place].step, start, seconds))
        return _http(200, reply.encode().replace(MARK.encode(), found.group())), seconds

    def _replayed(self, asked: bytes) -> tuple[int | None, str]:
        """Return the place of a recorded call, and its reply; which repositories are enriched depends on the cache."""
        place = self._places.get(asked)
        if place is not None or b"query Enrich" not in asked:
            return place, "" if place is None else self.calls[place].reply
        names = _names(json.loads(asked.replace(b"{,", b"{")))  # the time is left out
        if not all(name in self._enriched for name in names):
            return None, ""
        rows = [self._enriched[name] for name in names]
        return rows[0][0], json.dumps({"data": {f"r{number}": reply for number, (_, reply) in enumerate(rows)}})

    def _draw(self, call: Call, chance: random.Random) -> float:
        if self.at_once:
            return 0.0
        if call.step in {"search", "enrich"}:
            return chance.uniform(*GITHUB_SECONDS)
        return chance.lognormvariate(math.log(MODEL_MEDIAN), SIGMA)

    def report(self) -> dict[str, object]:
        """Return the requests since the last report, and how many were not recorded."""
        requests, unknown = self.requests, self.unknown
        self.requests, self.unknown = [], 0
        return {"requests": [astuple(each) for each in requests], "unknown": unknown}


def _names(body: Mapping[str, Any]) -> list[tuple[str, str]]:
    variables, count = body["variables"], len(body["variables"]) // 2
    return [(variables[f"o{number}"], variables[f"n{number}"]) for number in range(count)]


def _written(body: object) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _http(status: int, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
    return head.encode() + HEADERS + b"\r\n" + body


async def answer(replay: Replay, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the requests of one connection, one at a time, until the client closes it."""
    loop = asyncio.get_running_loop()
    with suppress(asyncio.IncompleteReadError, ConnectionError), closing(writer):
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
            body, start = await reader.readexactly(int(length[1]) if length else 0), loop.time()
            response, seconds = replay.respond(body, start)
            await asyncio.sleep(seconds)
            writer.write(response)


async def serve(replay: Replay) -> None:
    """Print the address, then a report for each line of input."""
    server = await asyncio.start_server(partial(answer, replay), "127.0.0.1", 0, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(replay.report()), flush=True)


def main(recording: Path, seed: int = 1, *, at_once: bool = False) -> int:
    """Serve until the input ends."""
    asyncio.run(serve(Replay(read_calls(recording), seed, at_once)))
    return 0


if __name__ == "__main__":
    run_main(main)
