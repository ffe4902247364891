"""A client that costs little: requests over a fixed number of connections, each kept open, one request at a time."""

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass
class HttpRun:
    """How the requests of a run ended."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """503 and 429 without Retry-After, other statuses from 500, and lost connections."""
    duration: float = 0.0
    last_body: bytes = b""

    @property
    def rate(self) -> float:
        """Requests a second."""
        return len(self.seconds) / self.duration


def post(body: object, accept: str = "*/*") -> bytes:
    """Write a POST of a search."""
    data = json.dumps(body).encode()
    head = f"POST /search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: {accept}\r\n"
    return f"{head}content-length: {len(data)}\r\n\r\n".encode() + data


def get(target: str) -> bytes:
    """Write a GET, with the header of a program that is no browser."""
    return f"GET {target} HTTP/1.1\r\nhost: localhost\r\nx-request-id: load\r\n\r\n".encode()


def run_requests(url: str, requests: Iterable[bytes], connections: int) -> HttpRun:
    """Send all requests over a number of connections."""
    run, waiting = HttpRun(), iter(requests)

    async def all_connections() -> None:
        await asyncio.gather(*(_connection(url, waiting, run) for _ in range(connections)))

    start = time.perf_counter()
    asyncio.run(all_connections())
    run.duration = time.perf_counter() - start
    return run


async def _connection(url: str, waiting: Iterator[bytes], run: HttpRun) -> None:
    address = urlsplit(url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    for request in waiting:
        start = time.perf_counter()
        try:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            status = int(head[9:12])
            run.last_body = await _body(head, reader)
        except (OSError, asyncio.IncompleteReadError) as error:
            run.problems.append(f"{type(error).__name__}: {error}")
            reader, writer = await asyncio.open_connection(address.hostname, address.port)
            continue
        run.seconds.append(time.perf_counter() - start)
        run.statuses[status] += 1
        if status >= 429 and not (status in {429, 503} and b"\r\nretry-after:" in head):
            run.problems.append(f"{status}: {run.last_body[:200]!r}")
    writer.close()
    await writer.wait_closed()


async def _body(head: bytes, reader: asyncio.StreamReader) -> bytes:
    length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
    if length is not None:
        return await reader.readexactly(int(length[1]))
    parts = list[bytes]()
    while size := int(await reader.readline(), 16):
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
    await reader.readexactly(2)
    return b"".join(parts)
