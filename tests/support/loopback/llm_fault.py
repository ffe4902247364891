"""The faults of the loopback language model."""

import json
from collections.abc import Callable
from typing import Any, Self, Unpack

from tests.support.loopback import wire
from tests.support.loopback.fault import Aim, Exchange, LoopbackFault, delivered, edited
from tests.support.loopback.wire import Response

CHANGES: dict[str, Callable[[str], str | None]] = {
    "blank": lambda _: "",
    "null": lambda _: None,
    "fenced": lambda content: f"```json\n{content}\n```",
    "array": lambda content: f"[{content}]",
    "prose": lambda _: "Of course! I looked at each of them and would recommend the second one.",
}


class LLMFault(LoopbackFault):
    """A fault of a language model, or of the connection to it."""

    @classmethod
    def keep_alive(cls, *, every: float = 0.2, lines: int | None = None, **aim: Unpack[Aim]) -> Self:
        """Send blank lines while the model works: without end, or some and then the response."""
        return cls("keep_alive", delivered(wire.blank_lines(every, lines)), **aim)

    @classmethod
    def content(cls, name: str, **aim: Unpack[Aim]) -> Self:
        """Change the text of the answer by one of the `CHANGES`."""
        return cls(name, _content(CHANGES[name]), **aim)

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
