"""Chat completions in OpenAI's form: what is refused, and how an answer is written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from tests.support.loopback.wire import Response


@dataclass(frozen=True)
class Reply:
    """What the model says, and what it bills for saying it; unset counts are guessed from the texts."""

    content: str | None
    finish_reason: str = "stop"
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


def error(status: int, message: str, *, kind: str, code: str | None, param: str | None = None) -> Response:
    """Write an error the way OpenAI does."""
    row = {"message": message, "type": kind, "param": param, "code": code}
    return Response.of_json(status, {"error": row})


def objection(body: Any) -> Response | None:
    """Refuse a request that the API does not accept, or say nothing."""
    if not isinstance(body, dict):
        return _invalid("We could not parse the JSON body of your request.")
    if not isinstance(body.get("model"), str):
        return _invalid("you must provide a model parameter")
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return _invalid("Missing required parameter: 'messages'.", param="messages")
    if body.get("stream"):
        return _invalid("Streaming is not available here.", param="stream")
    return _format_objection(body)


def _format_objection(body: dict[str, Any]) -> Response | None:
    kind = (body.get("response_format") or {"type": "text"}).get("type")
    if kind == "json_schema":
        return error(
            400,
            "This response_format type is unavailable now",
            kind="invalid_request_error",
            code="invalid_request_error",
        )
    if kind == "json_object" and "json" not in prompt(body).lower():
        message = (
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
        )
        return _invalid(message, param="messages")
    return None


def _invalid(message: str, param: str | None = None) -> Response:
    return error(400, message, kind="invalid_request_error", code=None, param=param)


def prompt(body: dict[str, Any]) -> str:
    """Join the texts of all messages."""
    return "\n".join(_text(message.get("content")) for message in body["messages"])


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content)
    return str(content or "")


def completion(number: int, created: int, body: dict[str, Any], reply: Reply) -> dict[str, Any]:
    """Write a reply as a chat.completion object."""
    asked = _tokens(prompt(body)) if reply.prompt_tokens is None else reply.prompt_tokens
    said = _tokens(reply.content or "") if reply.completion_tokens is None else reply.completion_tokens
    usage = {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
    message = {"role": "assistant", "content": reply.content}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reply.finish_reason}
    return {
        "id": f"chatcmpl-loopback-{number}",
        "object": "chat.completion",
        "created": created,
        "model": body["model"],
        "choices": [choice],
        "usage": usage,
    }


def _tokens(text: str) -> int:
    return math.ceil(len(text) / 4)
