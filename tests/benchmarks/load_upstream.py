"""GitHub or a language model for the load: repeats a recorded search for any mark, each call with a time of its own.

It does no work but to find the reply, so that it is not what binds; it tells how late its replies were. How long a call
takes is drawn from its question and its place in the search, so that both sides wait for the same.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from tests.benchmarks.load_recording import MARK, MARKS, Call, alike, planned
from tests.benchmarks.loopback_process import GITHUB_SECONDS, MODEL_MEDIAN, MODEL_P95, SIGMA

LIMITS = b"x-ratelimit-limit: 10000000\r\nx-ratelimit-remaining: 10000000\r\nx-ratelimit-reset: 4000000000\r\n"


@dataclass
class Replies:
    """What is answered to which request, and what occurred."""

    calls: list[Call]
    seed: int
    times: float
    answered: int = 0
    unknown: int = 0
    late: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Find each call by its body as clients write it."""
        self._places = {alike(_written(call.body)): place for place, call in enumerate(self.calls)}

    def reply(self, body: bytes) -> tuple[bytes, float]:
        """Give the reply to a request, and the seconds that it takes."""
        mark = MARKS.search(body)
        place = self._places.get(alike(body))
        if mark is None or place is None:
            self.unknown += 1
            return _http(500, b'{"message": "no such call in the plan"}'), 0.0
        call = self.calls[place]
        chance = random.Random(f"{self.seed} {mark.group()!r} {place}")
        return _http(200, call.reply.encode().replace(MARK.encode(), mark.group())), self.times * _seconds(call, chance)


def _written(body: object) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _seconds(call: Call, chance: random.Random) -> float:
    """Draw the time of a call; the model's slowest twentieth is cut, so that no deadline shortens either side."""
    if call.step in {"search", "enrich"}:
        return chance.uniform(*GITHUB_SECONDS)
    return min(MODEL_P95, chance.lognormvariate(math.log(MODEL_MEDIAN), SIGMA))


def _http(status: int, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
    return head.encode() + LIMITS + b"\r\n" + body


class Connection(asyncio.Protocol):
    """A connection that is kept open; one request at a time is on it."""

    def __init__(self, replies: Replies) -> None:
        self._replies, self._heard = replies, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to listen."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Hear a request, and answer it when its time has come."""
        self._heard += data
        head, end, body = self._heard.partition(b"\r\n\r\n")
        if not end or len(body) < _length(head):
            return
        self._heard = b""
        reply, seconds = self._replies.reply(body)
        loop = asyncio.get_running_loop()
        loop.call_at(loop.time() + seconds, self._answer, reply, loop.time() + seconds)

    def _answer(self, reply: bytes, due: float) -> None:
        self._replies.answered += 1
        self._replies.late.append(asyncio.get_running_loop().time() - due)
        self._transport.write(reply)


def _length(head: bytes) -> int:
    lines = head.lower().split(b"\r\n")
    return next((int(line[15:]) for line in lines if line.startswith(b"content-length:")), 0)


async def serve(replies: Replies) -> None:
    """Tell the port, and then for each line of input what occurred since the last."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(replies), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        late, replies.late = sorted(replies.late) or [0.0], []
        told = {"answered": replies.answered, "unknown": replies.unknown, "cpu_seconds": time.process_time()}
        print(json.dumps({**told, "late_p95_ms": 1000 * late[int(0.95 * (len(late) - 1))]}), flush=True)


def main() -> None:
    """Serve until the input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plan", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=float, default=1.0, help="how much longer than usual a call takes")
    asked = parser.parse_args()
    asyncio.run(serve(Replies(planned(asked.plan), asked.seed, asked.times)))


if __name__ == "__main__":
    main()
