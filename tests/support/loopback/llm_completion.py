"""Chat completions in OpenAI's form: which requests are refused, and how an answer is written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What the model answers, and the tokens that it bills; by default a quarter of the characters."""

    content: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


def error_body(message: str) -> dict[str, Any]:
    """Write an error in OpenAI's form."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}


def objection(body: Any) -> str | None:
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


def completion(created: int, body: dict[str, Any], reply: Reply) -> dict[str, Any]:
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
