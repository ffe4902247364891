"""An OpenAI-compatible language model on a loopback port, which refuses the requests that the real one refuses."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response


@dataclass(frozen=True)
class Reply:
    """What the model answers, and the tokens that it bills; by default a quarter of the characters."""

    content: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


Answers = Callable[[dict[str, Any]], str | Reply]


class LoopbackLLM(LoopbackServer):
    """A context manager that serves chat completions, each the result of a function of the request's body."""

    server_name = "loopback-llm"

    def __init__(self, answers: Answers, *, key: str = "good-key", latency: float = 0.0) -> None:
        super().__init__(latency=latency)
        self._answers, self._key = answers, key

    @property
    def base_url(self) -> str:
        """The address that an OpenAI client is configured with."""
        return f"{self.url}/v1"

    def answer(self, request: RecordedRequest) -> Response:
        """Answer without a fault."""
        if (request.method, request.path) != ("POST", "/v1/chat/completions"):
            return Response.of_json(404, _error(f"Invalid URL ({request.method} {request.path})"))
        if request.headers.get("authorization") != f"Bearer {self._key}":
            return Response.of_json(401, _error("Incorrect API key provided."))
        if refusal := _objection(request.body):
            return Response.of_json(400, _error(refusal))
        answer = self._answers(request.body)
        reply = answer if isinstance(answer, Reply) else Reply(answer)
        return Response.of_json(200, _completion(int(self.now().timestamp()), request.body, reply))


def _error(message: str) -> dict[str, Any]:
    """Write an error in OpenAI's form."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}


def _objection(body: Any) -> str | None:
    """Return why the API refuses the body of a request, None if it accepts it."""
    if not isinstance(body, dict):
        return "We could not parse the JSON body of your request."
    if not isinstance(body.get("model"), str):
        return "you must provide a model parameter"
    if not body.get("messages"):
        return "Missing required parameter: 'messages'."
    if (body.get("response_format") or {}).get("type") == "json_object" and "json" not in _prompt(body).lower():
        return "'messages' must contain the word 'json', to use 'response_format' of type 'json_object'."
    return None


def _completion(created: int, body: dict[str, Any], reply: Reply) -> dict[str, Any]:
    """Write a reply as a chat.completion object."""
    asked = _tokens(_prompt(body)) if reply.prompt_tokens is None else reply.prompt_tokens
    answered = _tokens(reply.content) if reply.completion_tokens is None else reply.completion_tokens
    message = {"role": "assistant", "content": reply.content}
    return {
        "id": "chatcmpl-loopback",
        "object": "chat.completion",
        "created": created,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": asked, "completion_tokens": answered, "total_tokens": asked + answered},
    }


def _prompt(body: dict[str, Any]) -> str:
    return "\n".join(str(message["content"]) for message in body["messages"])


def _tokens(text: str) -> int:
    return math.ceil(len(text) / 4)
