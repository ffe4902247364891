"""The faults of the loopback language model."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Self, Unpack

from tests.support.loopback import wire
from tests.support.loopback.fault import Aim, Exchange, LoopbackFault, delivered, edited
from tests.support.loopback.wire import Response


class LLMFault(LoopbackFault):
    """A fault of a language model, or of the connection to it."""

    @classmethod
    def keep_alive(cls, *, every: float = 0.2, lines: int | None = None, **aim: Unpack[Aim]) -> Self:
        """Send blank lines while the model works: without end, or some and then the response."""
        return cls("keep_alive", delivered(wire.blank_lines(every, lines)), **aim)

    @classmethod
    def blank(cls, **aim: Unpack[Aim]) -> Self:
        """Answer with an empty text."""
        return cls("blank", _content(lambda _: ""), **aim)

    @classmethod
    def null_content(cls, **aim: Unpack[Aim]) -> Self:
        """Send a message without content."""
        return cls("null_content", _content(lambda _: None), **aim)

    @classmethod
    def fenced(cls, **aim: Unpack[Aim]) -> Self:
        """Put the answer into a Markdown code fence."""
        return cls("fenced", _content(lambda content: f"```json\n{content}\n```"), **aim)

    @classmethod
    def array(cls, **aim: Unpack[Aim]) -> Self:
        """Put the answer into an array."""
        return cls("array", _content(lambda content: f"[{content}]"), **aim)

    @classmethod
    def not_json(cls, **aim: Unpack[Aim]) -> Self:
        """Answer in prose."""
        prose = "Of course! I looked at each of them and would recommend the second one."
        return cls("not_json", _content(lambda _: prose), **aim)

    @classmethod
    def edited(cls, change: Callable[[Any], object], **aim: Unpack[Aim]) -> Self:
        """Change the JSON that the model answers with."""
        return cls("edited", _content(lambda content: json.dumps(change(json.loads(content)))), **aim)

    @classmethod
    def truncated(cls, **aim: Unpack[Aim]) -> Self:
        """End the answer in its middle, because the tokens are used up."""
        return cls("truncated", _content(lambda content: content[: len(content) // 2], "length"), **aim)


def _content(change: Callable[[str], str | None], finish_reason: str | None = None) -> Callable[[Exchange], Response]:
    """Change the content of the message, and leave an error response unchanged."""

    def edit(body: dict[str, Any]) -> None:
        for choice in body.get("choices", []):
            choice["message"]["content"] = change(choice["message"]["content"] or "")
            choice["finish_reason"] = finish_reason or choice["finish_reason"]

    return edited(edit)
