"""The Lambda Runtime API (2018-06-01) on a loopback port, as AWS documents it for the runtime of one function."""

from __future__ import annotations

import re
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any

from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

VERSION = "/2018-06-01/runtime"
MAX_RESPONSE = 6 * 1024 * 1024 + 100
_OUTCOME = re.compile(rf"{VERSION}/invocation/(?P<identity>[^/]+)/(?P<kind>response|error)")


@dataclass(frozen=True)
class KindResult:
    """How an invocation ended: with a result, or with the error that the caller is told."""

    result: Any = None
    error: dict[str, Any] | None = None
    at: float = field(default_factory=time.perf_counter)


@dataclass
class Invocation:
    """One event on its way through the runtime."""

    event: object
    seconds: float
    arn: str
    identity: str = field(default_factory=lambda: str(uuid.uuid4()))
    ended: Future[KindResult] = field(default_factory=Future)
    begun: float = 0.0

    def headers(self) -> dict[str, str]:
        """Tell the runtime what it is called with, and until when it may work."""
        trace = f"Root=1-{int(time.time()):08x}-{uuid.uuid4().hex[:24]};Parent={uuid.uuid4().hex[:16]};Sampled=1"
        return {
            "lambda-runtime-aws-request-id": self.identity,
            "lambda-runtime-deadline-ms": str(int(1000 * (time.time() + self.seconds))),
            "lambda-runtime-invoked-function-arn": self.arn,
            "lambda-runtime-trace-id": trace,
        }


class RuntimeAPI(LoopbackServer):
    """A context manager that hands events to one runtime, one at a time, and takes what it reports."""

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

    @property
    def address(self) -> str:
        """The value of AWS_LAMBDA_RUNTIME_API."""
        return self.url.removeprefix("http://")

    def submit(self, invocation: Invocation) -> None:
        """Queue an event for the runtime."""
        self._waiting.put(invocation)

    def answer(self, request: RecordedRequest) -> Response:
        """Answer as the Runtime API does."""
        routes: dict[tuple[str, str], Callable[[RecordedRequest], Response]] = {
            ("GET", f"{VERSION}/invocation/next"): self._next,
            ("GET", f"{VERSION}/restore/next"): self._restore,
            ("POST", f"{VERSION}/init/error"): self._fail_start,
            ("POST", f"{VERSION}/restore/error"): self._fail_start,
        }
        route = routes.get((request.method, request.path))
        if route is not None:
            return route(request)
        found = _OUTCOME.fullmatch(request.path)
        if request.method == "POST" and found:
            return self._end(request, found["identity"], failed=found["kind"] == "error")
        return _refusal(404, "NotFound", f"no such path: {request.path}")

    def refuse(self, _request: RecordedRequest) -> Response:
        """Refuse a request; never called, for this server has no limit."""
        return _refusal(403, "Forbidden", "too many requests at the same time")

    def _next(self, _request: RecordedRequest) -> Response:
        self.idle.set()
        while not self._stopping.is_set():
            try:
                invocation = self._waiting.get(timeout=0.05)
            except Empty:
                continue
            self.idle.clear()
            self._running, invocation.begun = invocation, time.perf_counter()
            return Response.of_json(200, invocation.event, {"content-type": "application/json", **invocation.headers()})
        return _refusal(500, "ContainerError", "the environment is shutting down")

    def _restore(self, _request: RecordedRequest) -> Response:
        self.snapshot.set()
        while not self._stopping.is_set():
            if self.restored.wait(0.05):
                return Response(200)
        return _refusal(500, "ContainerError", "the environment is shutting down")

    def _fail_start(self, request: RecordedRequest) -> Response:
        self.start_error = dict(request.body)
        return _accepted()

    def _end(self, request: RecordedRequest, identity: str, *, failed: bool) -> Response:
        running, size = self._running, int(request.headers.get("content-length", "0"))
        if running is None:
            return _refusal(403, "InvalidStateTransition", "no event is being worked on")
        if running.identity != identity:
            return _refusal(400, "InvalidRequestID", f"not the event that is being worked on: {identity}")
        self._running = None
        if size > MAX_RESPONSE:
            message = f"Response payload size exceeded maximum allowed payload size ({MAX_RESPONSE} bytes)."
            running.ended.set_result(KindResult(error=_error("Function.ResponseSizeTooLarge", message)))
            return _refusal(413, "RequestEntityTooLarge", message)
        running.ended.set_result(KindResult(error=dict(request.body)) if failed else KindResult(request.body))
        return _accepted()


def _accepted() -> Response:
    return Response.of_json(202, {"status": "OK"})


def _refusal(status: int, kind: str, message: str) -> Response:
    return Response.of_json(status, {"errorType": kind, "errorMessage": message})


def _error(kind: str, message: str) -> dict[str, Any]:
    return {"errorType": kind, "errorMessage": message, "stackTrace": []}
