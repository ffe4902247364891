"""What OpenAI-compatible endpoints want in addition to the messages: one table of families, and what a refusal teaches.

Sources: the API references of OpenAI (chat completions, reasoning), DeepSeek (thinking mode), OpenRouter (reasoning
tokens), Ollama (OpenAI compatibility), vLLM (reasoning outputs) and Azure OpenAI (v1), as of November 2026.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self
from urllib.parse import urlsplit

from goldpan.escaping import visible
from goldpan.infra.llm.port import Prompt

THINKING_ROOM = 4000
"""Tokens beyond those of the answer for a model that thinks first; only used tokens are paid."""
JSON_MODE: Mapping[str, object] = {"type": "json_object"}
EXACT: Mapping[str, object] = {"response_format": JSON_MODE, "temperature": 0}
LENGTHS = ("max_tokens", "max_completion_tokens")
SWITCHES = frozenset({"thinking", "reasoning", "reasoning_effort", "chat_template_kwargs"})
"""Fields that limit or disable thinking."""
_REFUSING = re.compile(
    r"unsupported|not (?:be )?(?:support|permit|allow|recogni)|unrecogni|unknown|unexpected|extra|invalid|cannot"
    r"|mandatory|does ?n[o']t|only|must|should|too (?:large|high|many)|exceed|context length",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(r"too (?:large|high|many)|exceed|context length|at most", re.IGNORECASE)


@dataclass(frozen=True)
class Dialect:
    """The fields of a request other than model and messages, as one family of endpoints wants them."""

    fields: Mapping[str, object] = field(default_factory=lambda: EXACT)
    lengths: tuple[str, ...] = LENGTHS
    """The names of the field that limits the completion: the first one is sent, the others have not been tried."""
    room: int = THINKING_ROOM
    """Tokens of the completion for thinking."""

    def body(self, model: str, prompt: Prompt) -> dict[str, object]:
        """Write the body of a request."""
        length = {self.lengths[0]: prompt.max_tokens + self.room} if self.lengths else {}
        messages = [{"role": "system", "content": prompt.system}, {"role": "user", "content": visible(prompt.user)}]
        return {"model": model, "messages": messages, **length, **self.fields}

    def with_room(self) -> Self:
        """Leave room for thinking, which the model did although the request disables it."""
        return replace(self, room=THINKING_ROOM)

    def without(self, param: str | None, words: str) -> Self | None:
        """Return the dialect without what a refusal names, by its field or in its words; None if it names nothing."""
        name = self._refused(param, words)
        if name is None:
            return None
        if name in self.lengths:
            return replace(self, room=0) if _TOO_LONG.search(words) else replace(self, lengths=self.lengths[1:])
        fields = {sent: value for sent, value in self.fields.items() if sent != name}
        return replace(self, fields=fields, room=THINKING_ROOM if name in SWITCHES else self.room)

    def _refused(self, param: str | None, words: str) -> str | None:
        sent = (*self.lengths[:1], *self.fields)
        if param in sent:
            return param
        if not _REFUSING.search(words):
            return None
        found = {name: re.search(rf"(?<!\w){name}(?!\w)", words, re.IGNORECASE) for name in sent}
        return min((at.start(), name) for name, at in found.items() if at)[1] if any(found.values()) else None


def _switched(room: int, **switch: object) -> Dialect:
    return Dialect({**EXACT, **switch}, room=room)


def _reasoning(effort: str) -> Dialect:
    """OpenAI's reasoning models refuse `max_tokens` and any temperature but their own."""
    fields = {"response_format": JSON_MODE, "reasoning_effort": effort}
    return Dialect(fields, ("max_completion_tokens", "max_tokens"), THINKING_ROOM)


_NAME = r" (?:\S*/)?"
"""Before the name of a model, which some endpoints write after its maker's."""
DIALECTS: tuple[tuple[str, Dialect], ...] = (
    (r"^(?:\S*\.)?openrouter\.ai(?::\d+)? ", _switched(0, reasoning={"effort": "none"})),
    (rf"{_NAME}gpt-oss", _switched(THINKING_ROOM, reasoning_effort="low")),  # its thinking cannot be disabled
    (r"^\S+:11434 ", _switched(0, reasoning_effort="none")),  # the port of Ollama
    (rf"{_NAME}o[1-9](?:-|$)", _reasoning("low")),
    (rf"{_NAME}gpt-5[.-]\d{{1,2}}(?!\d)", _reasoning("none")),
    (rf"{_NAME}gpt-5", _reasoning("minimal")),
    (rf"{_NAME}(?:gpt-[34]|chatgpt)", Dialect(room=0)),  # these do not think
    (r"deepseek", _switched(0, thinking={"type": "disabled"})),
    (r"qwen-?3", _switched(0, chat_template_kwargs={"enable_thinking": False})),  # vLLM and SGLang
)
"""Patterns of "host:port model", the first match counts; all others get `Dialect()`, with room to think."""


def dialect_of(base_url: str, model: str) -> Dialect:
    """Return what the endpoint and the model are known to want."""
    address = urlsplit(base_url)
    known_by = f"{address.netloc.rpartition('@')[2]} {model}".lower()
    return next((dialect for pattern, dialect in DIALECTS if re.search(pattern, known_by)), Dialect())
