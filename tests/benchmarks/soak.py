"""Runs 5,000 mixed misses at `goldpan serve`, then cached answers beside a bare handler that returns the same bytes.

The misses are new questions in every form, and invalid requests; GitHub answers at once. The bare
handler reads the same bodies on the same HTTP server; both alternate in blocks. Linux only, for its /proc.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import uvicorn
from goldpan.kinds.repositories.sources.github.settings import RATE_LIMITS
from goldpan_local.server.http_server import listen, run_server, url_of
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.benchmarks.frame import PLAIN_MALLOC, ROOT, Child, Limit, lift, report, run_main, table
from tests.benchmarks.upstream import QUESTIONS, TOKEN, marked

PARTS, BLOCKS = 5, 6
MEMORY_GROWTH, THREAD_GROWTH, BARE_SHARE = 0.02, 0.1, 0.5
SEARCHES, CACHED_CONNECTIONS = 16, 32
HEAD = ("misses", "requests", "median s", "slowest s", "requests/s", "MB", "threads", "statuses")
Sent = tuple[str, str, bytes | None, dict[str, str]]
"""A request, as `HTTPConnection.request` takes it."""


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


def post(body: object, accept: str = "*/*") -> Sent:
    """Make a POST of a search."""
    return "POST", "/search", json.dumps(body).encode(), {"content-type": "application/json", "accept": accept}


def run_requests(url: str, requests: Iterable[Sent], connections: int) -> HttpRun:
    """Send all requests over a number of connections."""
    run, waiting, start = HttpRun(), deque(requests), time.perf_counter()
    with ThreadPoolExecutor(connections) as pool:
        list(pool.map(lambda _: _send(url, waiting, run), range(connections)))
    run.duration = time.perf_counter() - start
    return run


def _send(url: str, waiting: deque[Sent], run: HttpRun) -> None:
    """Send the requests that no other connection has taken."""
    with closing(HTTPConnection(urlsplit(url).netloc)) as connection:
        while waiting:
            start = time.perf_counter()
            try:
                connection.request(*waiting.popleft())
                response = connection.getresponse()
                run.last_body = response.read()
            except IndexError:
                return
            except (OSError, HTTPException) as error:
                run.problems.append(f"{type(error).__name__}: {error}")
                connection.close()  # the next request opens it again
                continue
            run.seconds.append(time.perf_counter() - start)
            run.statuses[response.status] += 1
            if response.status >= 429 and not (response.status in {429, 503} and response.headers["retry-after"]):
                run.problems.append(f"{response.status}: {run.last_body[:200]!r}")


@dataclass(frozen=True)
class Served:
    """A server process."""

    process: subprocess.Popen[bytes]
    url: str

    def usage(self) -> tuple[float, int]:
        """Return its megabytes and its threads."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        megabytes, threads = (int(re.search(rf"{name}:\s+(\d+)", text)[1]) for name in ("VmRSS", "Threads"))  # type: ignore[index]
        return megabytes / 1024, threads


@contextmanager
def serving(*arguments: object, environment: Mapping[str, str] | None = None) -> Iterator[Served]:
    """Start a server, and kill it at the end; its log is a file, because to read it would cost the client time."""
    command = [sys.executable, "-m", "tests.benchmarks.soak", "serve", *map(str, arguments)]
    env = os.environ | {"GLIBC_TUNABLES": PLAIN_MALLOC} | dict(environment or {})
    with tempfile.NamedTemporaryFile("w+") as log, subprocess.Popen(command, cwd=ROOT, stderr=log, env=env) as process:
        try:
            while (found := re.search(r"listening on (http://\S+);", Path(log.name).read_text())) is None:
                if process.poll() is not None:
                    raise RuntimeError(Path(log.name).read_text())
                time.sleep(0.05)
            yield Served(process, found[1])
        finally:
            process.kill()


def misses(first: int, count: int) -> Iterator[Sent]:
    """Make requests for questions that were not asked before; of ten, one is invalid and three are not of GitHub."""
    for number in range(first, first + count):
        query = marked(QUESTIONS[0], number)
        match number % 10:
            case 0:
                yield post({"query": query, "max_results": 0})
            case 1 | 2:
                yield post({"query": query, "sources": ["catalogue"]})
            case 3:
                target = f"/search?q={query.replace(' ', '+')}&sources=catalogue&mode=focused"
                yield "GET", target, None, {"x-request-id": "load"}  # a header that no browser sends
            case 4 | 5:
                yield post({"query": query}, "text/event-stream")
            case _:
                yield post({"query": query})


def run_misses(server: Served, count: int, connections: int) -> Iterator[tuple[HttpRun, float, int]]:
    """Run the misses in five parts; yields each with the memory at its end, and the most threads that it had."""
    size = count // PARTS
    with ThreadPoolExecutor(1) as pool:
        for part in range(PARTS):
            running, most = pool.submit(run_requests, server.url, misses(1 + part * size, size), connections), 0
            while wait([running], 0.5).not_done:  # one moment has as many threads as the searches of that moment
                most = max(most, server.usage()[1])
            yield running.result(), server.usage()[0], most


def run_cached(server: Served, count: int, folder: Path) -> tuple[float, float, list[str]]:
    """Return the cached answers a second, those of a bare handler, and the problems."""
    body = post({"query": marked(QUESTIONS[0], 9999)})
    first = [run_requests(server.url, [body], 1) for _ in range(2)][-1]
    (folder / "body.json").write_bytes(first.last_body)
    with serving("bare", folder / "body.json") as bare:
        rates: dict[str, list[float]] = {server.url: [], bare.url: []}
        problems = list(first.problems)
        for _ in range(BLOCKS):
            for url, seen in rates.items():
                run = run_requests(url, [body] * (count // BLOCKS), CACHED_CONNECTIONS)
                seen.append(run.rate)
                problems += run.problems
                if run.statuses.keys() != {200} or b'"cached":true' not in run.last_body:
                    problems.append(f"{url}: {run.statuses}")
    return median(rates[server.url]), median(rates[bare.url]), problems


def main(misses: int = 5000, connections: int = 24, cached: int = 6000) -> int:
    """Measure, print, and check the limits."""
    with tempfile.TemporaryDirectory() as folder, Child("upstream", "--at-once") as upstream:
        settings = {"GITHUB_API_URL": upstream.first, "GITHUB_TOKEN": TOKEN}
        settings["GOLDPAN_CACHE"] = str(Path(folder, "goldpan.sqlite"))
        with serving("goldpan", SEARCHES, environment=settings) as server:
            runs = list(run_misses(server, misses, connections))
            hits, bare, problems = run_cached(server, cached, Path(folder))
    problems += [problem for run, *_ in runs for problem in run.problems]
    (_, megabytes, threads), *rest = runs
    memory_growth = max(each for _, each, _ in rest) / megabytes - 1
    thread_growth = max(each for *_, each in rest) / threads - 1
    rows = [
        [part, len(run.seconds), median(run.seconds), max(run.seconds), run.rate, memory, most, dict(run.statuses)]
        for part, (run, memory, most) in enumerate(runs, 1)
    ]
    limits = [
        Limit("responses with a problem", len(problems), 0),
        Limit("growth of memory after the first part", memory_growth, MEMORY_GROWTH),
        Limit("growth of threads after the first part", thread_growth, THREAD_GROWTH),
        Limit("cached answers relative to the bare handler", hits / bare, least=BARE_SHARE),
    ]
    said = f"cached answers a second: {hits:.0f}, of the bare handler: {bare:.0f}"
    return report("\n".join([table(HEAD, rows), said, *problems[:20]]), limits)


def serve_bytes(body: bytes) -> None:
    """Serve the same bytes for each POST, after reading its body, with the same server and protocol."""

    async def search(http: Request) -> Response:
        await http.body()
        return Response(body, media_type="application/json")

    app = Starlette(routes=[Route("/search", search, methods=["POST"])])
    config = uvicorn.Config(
        app, http="h11", loop="asyncio", ws="none", lifespan="off", log_config=None, access_log=False
    )
    with listen("127.0.0.1", 0, 512) as listener:
        sys.stderr.write(f"listening on {url_of(listener)};\n")
        sys.stderr.flush()
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    if sys.argv[1:3] == ["serve", "bare"]:
        serve_bytes(Path(sys.argv[3]).read_bytes())
    elif sys.argv[1:2] == ["serve"]:
        lift(RATE_LIMITS, "github:graphql:token")
        run_server("127.0.0.1", 0, None, int(sys.argv[3]))
    else:
        run_main(main)
