"""GitHub or a language model for the load: repeats the recorded search for any mark, with a latency for each call.

It only looks the response up, so that it is not the bottleneck, and reports how late its responses were. The latency is
drawn from the mark and the position of the call in the search, so that both sides wait for the same.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from tests.benchmarks.load_recording import MARK, MARKS, Call, read_plan, without_mark
from tests.benchmarks.loopback_process import GITHUB_SECONDS, MODEL_MEDIAN, MODEL_P95, SIGMA

LIMITS = b"x-ratelimit-limit: 10000000\r\nx-ratelimit-remaining: 10000000\r\nx-ratelimit-reset: 4000000000\r\n"


@dataclass
class Replies:
    """The response to each request, and how late the responses were."""

    calls: list[Call]
    seed: int
    times: float
    unknown: int = 0
    late: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        written = (json.dumps(call.body, ensure_ascii=False, separators=(",", ":")).encode() for call in self.calls)
        self._positions = {without_mark(body): position for position, body in enumerate(written)}

    def reply(self, body: bytes) -> tuple[bytes, float]:
        """Return the response to a request, and its latency."""
        mark, position = MARKS.search(body), self._positions.get(without_mark(body))
        if mark is None or position is None:
            self.unknown += 1
            return _http(500, b'{"message": "no such call in the plan"}'), 0.0
        call, chance = self.calls[position], random.Random(f"{self.seed} {mark.group()!r} {position}")
        return _http(200, call.reply.encode().replace(MARK.encode(), mark.group())), self.times * _seconds(call, chance)


def _seconds(call: Call, chance: random.Random) -> float:
    """Draw the latency of a call; the model's slowest twentieth is cut, so that no deadline shortens either side."""
    if call.step in {"search", "enrich"}:
        return chance.uniform(*GITHUB_SECONDS)
    return min(MODEL_P95, chance.lognormvariate(math.log(MODEL_MEDIAN), SIGMA))


def _http(status: int, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
    return head.encode() + LIMITS + b"\r\n" + body


class Connection(asyncio.Protocol):
    """A connection that is kept open, with one request at a time."""

    def __init__(self, replies: Replies) -> None:
        self._replies, self._received = replies, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Receive a request, and schedule its response."""
        self._received += data
        head, end, body = self._received.partition(b"\r\n\r\n")
        lines = head.lower().split(b"\r\n")
        length = next((int(line[15:]) for line in lines if line.startswith(b"content-length:")), 0)
        if not end or len(body) < length:
            return
        self._received = b""
        reply, seconds = self._replies.reply(body)
        loop = asyncio.get_running_loop()
        loop.call_at(loop.time() + seconds, self._respond, reply, loop.time() + seconds)

    def _respond(self, reply: bytes, due: float) -> None:
        self._replies.late.append(asyncio.get_running_loop().time() - due)
        self._transport.write(reply)


async def serve(replies: Replies) -> None:
    """Print the port, and then for each line of input what happened since the last one."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(replies), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        late, replies.late = sorted(replies.late) or [0.0], []
        seen = {"answered": len(late), "unknown": replies.unknown}
        print(json.dumps({**seen, "late_p95_ms": 1000 * late[int(0.95 * (len(late) - 1))]}), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plan", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=float, default=1.0, help="how much longer than usual a call takes")
    options = parser.parse_args()
    asyncio.run(serve(Replies(read_plan(options.plan), options.seed, options.times)))
