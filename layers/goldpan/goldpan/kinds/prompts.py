"""What the kinds ask the language model: their instructions, in their folders `prompts`, and questions as data."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from goldpan.contracts import SearchRequest
from goldpan.engine.feedback import MAX_PREVIOUS, asked_fields, previous_of, titles_of
from goldpan.infra.llm.port import Prompt

MAX_ATTEMPTS = 4
"""Calls for one translation: a new endpoint may refuse several fields, one after the other."""


@cache
def instructions(kind: str, *names: str) -> str:
    """Read the system prompt of a stage, and what a further file adds to it."""
    folder = Path(__file__).with_name(kind) / "prompts"
    return "\n\n".join((folder / f"{name}.md").read_text("utf-8").strip() for name in names)


def translation_prompt(
    system: str,
    request: SearchRequest,
    kind: str,
    show: Callable[[Mapping[str, object]], dict[str, object]],
    max_tokens: int,
    **further: object,
) -> Prompt:
    """Write the question and further fields as data, and the earlier rounds: what `show` says of each, and titles."""
    earlier = previous_of(request, kind)[-MAX_PREVIOUS:]
    previous = [show(one) | ({"titles": titles} if (titles := titles_of(one)) else {}) for one in earlier]
    message = asked_fields(request) | further | ({"previous": previous} if previous else {})
    return Prompt(
        system=system,
        user=json.dumps(message, ensure_ascii=False),
        max_tokens=max_tokens,
        attempts=min(MAX_ATTEMPTS, request.max_llm_calls),
        is_untrusted=bool(previous),
    )
