"""The Lambda Runtime API (2018-06-01) on a loopback port, as AWS documents it, for the runtime of one function."""

import re
import threading
import time
import uuid
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any

from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

VERSION = "/2018-06-01/runtime"
_OUTCOME = re.compile(rf"{VERSION}/invocation/(?P<id>[^/]+)/(?P<kind>response|error)")


@dataclass(frozen=True)
class Outcome:
    """How an invocation ended: with a result, or with the error that its caller receives."""

    result: Any = None
    error: dict[str, Any] | None = None
    at: float = field(default_factory=time.perf_counter)


def failed(kind: str, message: str) -> Outcome:
    """Return an outcome that Lambda reports in place of the function."""
    return Outcome(error={"errorType": kind, "errorMessage": message})


@dataclass
class Invocation:
    """One event for the runtime."""

    event: object
    seconds: float
    arn: str
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    outcome: Future[Outcome] = field(default_factory=Future)
    started_at: float = 0.0

    def headers(self) -> dict[str, str]:
        """Return the id, the deadline and the trace of the invocation."""
        trace = "Root=1-66a0f000-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=1"
        return {
            "lambda-runtime-aws-request-id": self.id,
            "lambda-runtime-deadline-ms": str(int(1000 * (time.time() + self.seconds))),
            "lambda-runtime-invoked-function-arn": self.arn,
            "lambda-runtime-trace-id": trace,
        }


class RuntimeAPI(LoopbackServer):
    """A context manager that passes events to one runtime, one at a time, and receives what it reports."""

    server_name = "loopback-runtime-api"

    def __init__(self) -> None:
        super().__init__()
        self.snapshot = threading.Event()
        """Set once the runtime is ready for its snapshot."""
        self.restored = threading.Event()
        """To be set when the snapshot is restored."""
        self.idle = threading.Event()
        """Set while the runtime waits for an event."""
        self.start_error: dict[str, Any] | None = None
        """What the runtime reported instead of becoming idle."""
        self._waiting: SimpleQueue[Invocation] = SimpleQueue()
        self._running: Invocation | None = None

    def submit(self, invocation: Invocation) -> None:
        """Queue an event for the runtime."""
        self._waiting.put(invocation)

    def answer(self, request: RecordedRequest) -> Response:
        """Answer as the Runtime API does."""
        match request.method, request.path.removeprefix(VERSION):
            case "GET", "/invocation/next":
                return self._next()
            case "GET", "/restore/next":
                return self._restore()
            case "POST", "/init/error" | "/restore/error":
                self.start_error = dict(request.body)
                return Response.of_json(202, {"status": "OK"})
        found = _OUTCOME.fullmatch(request.path)
        if request.method == "POST" and found:
            return self._end(request, found["id"], is_error=found["kind"] == "error")
        return _refusal(404, "NotFound")

    def _next(self) -> Response:
        self.idle.set()
        while not self._stopping.is_set():
            with suppress(Empty):
                invocation = self._waiting.get(timeout=0.05)
                self.idle.clear()
                self._running, invocation.started_at = invocation, time.perf_counter()
                headers = {"content-type": "application/json", **invocation.headers()}
                return Response.of_json(200, invocation.event, headers)
        return _refusal(500, "ContainerError")

    def _restore(self) -> Response:
        self.snapshot.set()
        while not self._stopping.is_set():
            if self.restored.wait(0.05):
                return Response(200)
        return _refusal(500, "ContainerError")

    def _end(self, request: RecordedRequest, identity: str, *, is_error: bool) -> Response:
        running, self._running = self._running, None
        if running is None or running.id != identity:
            return _refusal(400, "InvalidRequestID")
        running.outcome.set_result(Outcome(error=dict(request.body)) if is_error else Outcome(request.body))
        return Response.of_json(202, {"status": "OK"})


def _refusal(status: int, kind: str) -> Response:
    return Response.of_json(status, {"errorType": kind, "errorMessage": "refused by the loopback server"})
