"""The faults of the loopback LLM."""

from __future__ import annotations

import json
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Self, Unpack

from tests.support.loopback import wire
from tests.support.loopback.fault import Aim, Exchange, LoopbackFault

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.loopback.wire import Response

ERRORS: dict[int, tuple[str, str, str | None]] = {
    400: ("The request was refused.", "invalid_request_error", None),
    401: ("Incorrect API key provided.", "invalid_request_error", "invalid_api_key"),
    402: ("Insufficient Balance", "unknown_error", "invalid_request_error"),
    429: ("Rate limit reached for requests.", "requests", "rate_limit_exceeded"),
    500: ("The server had an error while processing your request.", "server_error", None),
    503: ("The engine is currently overloaded, please try again later.", "server_error", None),
}


class LLMFault(LoopbackFault):
    """What can be wrong with a language model, or with the way to it."""

    @staticmethod
    def default_body(code: int) -> object:
        """Give OpenAI's error object for a status."""
        unknown = (HTTPStatus(code).phrase, "api_error", None)
        message, kind, name = ERRORS.get(code, unknown)
        return {"error": {"message": message, "type": kind, "param": None, "code": name}}

    @classmethod
    def keep_alive(cls, *, every: float = 0.2, lines: int | None = None, **aim: Unpack[Aim]) -> Self:
        """Send headers and blank lines while the model waits: for ever, or some and then the answer."""
        delivery = wire.blank_lines(every, lines)
        return cls("keep_alive", lambda exchange: replace(exchange.genuine(), delivery=delivery), **aim)

    @classmethod
    def blank(cls, **aim: Unpack[Aim]) -> Self:
        """Say nothing at all, and call it done."""
        return cls("blank", _said(lambda _: ""), **aim)

    @classmethod
    def null_content(cls, **aim: Unpack[Aim]) -> Self:
        """Send a message without content."""
        return cls("null_content", _said(lambda _: None), **aim)

    @classmethod
    def fenced(cls, **aim: Unpack[Aim]) -> Self:
        """Wrap the true answer in a Markdown code fence."""
        return cls("fenced", _said(lambda content: f"```json\n{content}\n```"), **aim)

    @classmethod
    def array(cls, **aim: Unpack[Aim]) -> Self:
        """Put the true answer into a top-level array."""
        return cls("array", _said(lambda content: f"[{content}]"), **aim)

    @classmethod
    def not_json(cls, **aim: Unpack[Aim]) -> Self:
        """Answer in prose."""
        prose = "Of course! I looked at each of them and would recommend the second one."
        return cls("not_json", _said(lambda _: prose), **aim)

    @classmethod
    def edited(cls, change: Callable[[Any], object], **aim: Unpack[Aim]) -> Self:
        """Change the JSON that the model answers with, such as its numbers, and send it in a sound message."""
        return cls("edited", _said(lambda content: json.dumps(change(json.loads(content)))), **aim)

    @classmethod
    def broken_off(cls, **aim: Unpack[Aim]) -> Self:
        """Announce the whole response, send half of it, and close."""
        return cls("broken_off", lambda exchange: replace(exchange.genuine(), delivery=wire.truncated), **aim)

    @classmethod
    def truncated(cls, **aim: Unpack[Aim]) -> Self:
        """Break the true answer off in its middle, because the tokens are used up."""
        half = _said(lambda content: content[: len(content) // 2], finish_reason="length")
        return cls("truncated", half, **aim)


def _said(change: Callable[[str], str | None], finish_reason: str | None = None) -> Callable[[Exchange], Response]:
    """Change what the model said, and leave an error alone."""

    def distort(exchange: Exchange) -> Response:
        response = exchange.genuine()
        body = json.loads(response.body)
        for choice in body.get("choices", []):
            choice["message"]["content"] = change(choice["message"]["content"] or "")
            choice["finish_reason"] = finish_reason or choice["finish_reason"]
        return replace(response, body=json.dumps(body, ensure_ascii=False).encode())

    return distort
