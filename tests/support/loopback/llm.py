"""An OpenAI-compatible language model on a loopback port."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.loopback.llm_completion import Reply, completion, error_body, objection
from tests.support.loopback.server import Latency, LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

Answers = Callable[[dict[str, Any]], str | Reply]


class LoopbackLLM(LoopbackServer):
    """A context manager that serves chat completions, each the result of a function of the request's body."""

    server_name = "loopback-llm"

    def __init__(self, answers: Answers, *, key: str = "good-key", latency: Latency | None = None) -> None:
        super().__init__(latency=latency)
        self._answers, self._key = answers, key

    @property
    def base_url(self) -> str:
        """The address that an OpenAI client is configured with."""
        return f"{self.url}/v1"

    def answer(self, request: RecordedRequest) -> Response:
        """Answer without a fault."""
        if (request.method, request.path) != ("POST", "/v1/chat/completions"):
            return Response.of_json(404, error_body(f"Invalid URL ({request.method} {request.path})"))
        if request.headers.get("authorization") != f"Bearer {self._key}":
            return Response.of_json(401, error_body("Incorrect API key provided."))
        if refusal := objection(request.body):
            return Response.of_json(400, error_body(refusal))
        answer = self._answers(request.body)
        reply = answer if isinstance(answer, Reply) else Reply(answer)
        return Response.of_json(200, completion(int(self.now().timestamp()), request.body, reply))
