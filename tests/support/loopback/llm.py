"""An OpenAI-compatible language model on a loopback port."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.support.loopback.llm_completion import Reply, completion, error, objection
from tests.support.loopback.server import Latency, LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

Answers = Callable[[dict[str, Any]], str | Reply]


class LoopbackLLM(LoopbackServer):
    """A context manager that answers chat completions with what a function of the request says."""

    server_name = "loopback-llm"

    def __init__(
        self,
        answers: Answers | None = None,
        *,
        key: str = "good-key",
        latency: Latency | None = None,
        limit: int | None = None,
    ) -> None:
        super().__init__(latency=latency, limit=limit)
        self._answers: Answers = answers or (lambda _: "{}")
        self._key = key
        self._lock = threading.Lock()
        self._completions = 0

    @property
    def base_url(self) -> str:
        """The address that an OpenAI client is configured with."""
        return f"{self.url}/v1"

    def answer(self, request: RecordedRequest) -> Response:
        """Answer as a healthy model does."""
        if (request.method, request.path) != ("POST", "/v1/chat/completions"):
            message = f"Invalid URL ({request.method} {request.path})"
            return error(404, message, kind="invalid_request_error", code=None)
        if request.headers.get("authorization") != f"Bearer {self._key}":
            message = "Incorrect API key provided."
            return error(401, message, kind="invalid_request_error", code="invalid_api_key")
        return objection(request.body) or self._completion(request.body)

    def refuse(self, _request: RecordedRequest) -> Response:
        """Refuse a request over the limit of simultaneous ones."""
        message = "Rate limit reached for requests."
        busy = error(429, message, kind="requests", code="rate_limit_exceeded")
        return replace(busy, headers={**busy.headers, "retry-after": "1"})

    def dress(self, _request: RecordedRequest, response: Response) -> Response:
        """Add an id to every answer."""
        return replace(response, headers={"x-request-id": f"req_{len(self.requests)}", **response.headers})

    def _completion(self, body: dict[str, Any]) -> Response:
        said = self._answers(body)
        reply = said if isinstance(said, Reply) else Reply(said)
        with self._lock:
            self._completions += 1
            number = self._completions
        return Response.of_json(200, completion(number, int(self.now().timestamp()), body, reply))
