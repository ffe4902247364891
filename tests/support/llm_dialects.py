"""Endpoints that accept, refuse and think as the documentation of each provider describes, without a socket."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

ANSWER = '{"relevance": 0.5}'
ANSWER_TOKENS, THOUGHT_TOKENS, PROMPT_TOKENS = 30, 900, 500
STANDARD = {"model", "messages", "max_tokens", "max_completion_tokens", "temperature", "response_format"}
Body = Mapping[str, Any]
Objection = Callable[[Body], dict[str, Any] | None]


def _refused(message: str, param: str | None = None, code: str | None = None) -> dict[str, Any]:
    """Write an error as OpenAI does."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def openai_standard(*known: str) -> Objection:
    """Refuse fields that OpenAI's API does not have."""

    def objection(body: Body) -> dict[str, Any] | None:
        unknown = [name for name in body if name not in STANDARD | {*known}]
        return _refused(f"Unrecognized request argument supplied: {unknown[0]}") if unknown else None

    return objection


def openai_reasoning(*efforts: str) -> Objection:
    """Refuse what OpenAI's reasoning models refuse, one field at a time."""

    def objection(body: Body) -> dict[str, Any] | None:
        if "max_tokens" in body:
            message = (
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'"
            )
            return _refused(f"{message} instead.", "max_tokens", "unsupported_parameter")
        if body.get("temperature", 1) != 1:
            message = "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value"
            return _refused(f"{message} is supported.", "temperature", "unsupported_value")
        effort = body.get("reasoning_effort", efforts[0])
        if effort not in efforts:
            message = f"Unsupported value: 'reasoning_effort' does not support '{effort}' with this model."
            return _refused(message, "reasoning_effort", "unsupported_value")
        return openai_standard("reasoning_effort")(body)

    return objection


def vllm_with_context(size: int) -> Objection:
    """Refuse a completion that does not fit into the context of a model that vLLM serves."""

    def objection(body: Body) -> dict[str, Any] | None:
        asked = body.get("max_tokens", 0)
        if asked + PROMPT_TOKENS <= size:
            return None
        message = (
            f"'max_tokens' or 'max_completion_tokens' is too large: {asked}. This model's maximum context length is"
            f" {size} tokens and your request has {PROMPT_TOKENS} input tokens"
        )
        return {"object": "error", "message": message, "type": "BadRequestError", "param": None, "code": 400}

    return objection


def no_reasoning_off(body: Body) -> dict[str, Any] | None:
    """Refuse to disable the reasoning of a model that cannot do without, as OpenRouter does."""
    message = "Reasoning is mandatory for this endpoint and cannot be disabled."
    return {"error": {"message": message, "code": 400}} if "reasoning" in body else None


def only(*known: str) -> Objection:
    """Refuse all fields but these, as gateways with a strict schema do."""

    def objection(body: Body) -> dict[str, Any] | None:
        rows = [
            {"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs are not permitted"}
            for name in body
            if name not in known
        ]
        return {"detail": rows} if rows else None

    return objection


def no_temperature_for_json(body: Body) -> dict[str, Any] | None:
    """Refuse one of two fields that do not go together."""
    message = "temperature is not supported together with response_format"
    return {"error": {"message": message}} if "temperature" in body else None


def anything(_body: Body) -> None:
    """Ignore fields that are not known, as Ollama, vLLM and DeepSeek do."""


@dataclass
class Endpoint:
    """An endpoint with one model; records the bodies of its requests, also of those that it refuses."""

    base_url: str
    model: str
    objection: Objection = anything
    thinks: Callable[[Body], bool] = lambda _: False  # for a request
    thought: str = "reasoning_content"  # the field of the message that has the thoughts, "<think>" for the content
    answer: str = ANSWER
    bodies: list[dict[str, Any]] = field(default_factory=list)

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a request."""
        body = json.loads(request.content)
        self.bodies.append(body)
        assert request.url.path.endswith("/chat/completions")
        refusal = self.objection(body)
        if refusal:
            return httpx2.Response(422 if "detail" in refusal else 400, json=refusal)
        return httpx2.Response(200, json=self._completion(body))

    def _completion(self, body: Body) -> dict[str, Any]:
        allowed = body.get("max_completion_tokens", body.get("max_tokens", 10_000))
        thoughts = THOUGHT_TOKENS if self.thinks(body) else 0
        is_cut = allowed < thoughts + ANSWER_TOKENS
        message: dict[str, Any] = {"role": "assistant", "content": None if is_cut else self.answer}
        if thoughts and self.thought == "<think>":
            draft = '<think>Perhaps {"relevance": 1}?'
            message["content"] = draft if is_cut else f"{draft}\n</think>\n\n{self.answer}"
        elif thoughts and self.thought:
            message[self.thought] = "Perhaps it fits."
        spent = min(allowed, thoughts + ANSWER_TOKENS)
        return {
            "choices": [{"index": 0, "message": message, "finish_reason": "length" if is_cut else "stop"}],
            "usage": {"prompt_tokens": PROMPT_TOKENS, "completion_tokens": spent},
        }


def _thinks_unless(name: str, off: object) -> Callable[[Body], bool]:
    return lambda body: body.get(name) != off


def _thinks_by_effort(body: Body) -> bool:
    return body.get("reasoning_effort", "medium") not in {"none", "minimal"}


OPENAI, OPENROUTER = "https://api.openai.com/v1", "https://openrouter.ai/api/v1"
AZURE, OLLAMA = "https://example.openai.azure.com/openai/v1/", "http://localhost:11434/v1"
VLLM, GATEWAY = "http://10.0.0.7:8000/v1", "https://gateway.example/v1"
GPT_5, GPT_51, O_SERIES = ("medium", "minimal", "low"), ("none", "low", "medium"), ("medium", "low", "high")
NO_DEEPSEEK_THOUGHT, NO_QWEN_THOUGHT = {"type": "disabled"}, {"enable_thinking": False}
DIALECTS: dict[str, tuple[Endpoint, int]] = {
    # by OpenAI's names
    "gpt-4.1": (Endpoint(OPENAI, "gpt-4.1-mini", openai_standard()), 1),
    "gpt-5": (Endpoint(OPENAI, "gpt-5-mini", openai_reasoning(*GPT_5), _thinks_by_effort, ""), 1),
    "gpt-5.1": (Endpoint(OPENAI, "gpt-5.1", openai_reasoning(*GPT_51), _thinks_by_effort, ""), 1),
    "gpt-5-pro": (Endpoint(OPENAI, "gpt-5-pro", openai_reasoning("high"), lambda _: True, ""), 2),
    "o4": (Endpoint(OPENAI, "o4-mini", openai_reasoning(*O_SERIES), lambda _: True, ""), 1),
    # the name of a deployment says nothing: two refusals
    "azure": (Endpoint(AZURE, "chat-prod", openai_reasoning(*GPT_5), _thinks_by_effort, ""), 3),
    "two names": (
        Endpoint(GATEWAY, "own", no_temperature_for_json, lambda body: "response_format" not in body, "<think>"),
        2,
    ),
    "deepseek": (
        Endpoint("https://api.deepseek.com", "deepseek-v4-pro", thinks=_thinks_unless("thinking", NO_DEEPSEEK_THOUGHT)),
        1,
    ),
    "deepseek behind a strict gateway": (
        Endpoint(GATEWAY, "deepseek-v4", only("model", "messages", "max_tokens"), lambda _: True),
        4,
    ),
    "deepseek behind a gateway that ignores the switch": (Endpoint(GATEWAY, "deepseek-v4", thinks=lambda _: True), 2),
    "ollama": (Endpoint(OLLAMA, "qwen3:8b", thinks=_thinks_unless("reasoning_effort", "none"), thought="reasoning"), 1),
    "ollama, gpt-oss": (Endpoint(OLLAMA, "gpt-oss:20b", thinks=lambda _: True, thought="reasoning"), 1),
    "vllm": (
        Endpoint(
            VLLM,
            "Qwen/Qwen3-8B",
            vllm_with_context(4096),
            _thinks_unless("chat_template_kwargs", NO_QWEN_THOUGHT),
            "reasoning",
        ),
        1,
    ),
    "vllm without a parser of thoughts": (Endpoint(VLLM, "own", thinks=lambda _: True, thought="<think>"), 1),
    "vllm with a small context": (Endpoint(VLLM, "own", vllm_with_context(2048)), 2),
    "openrouter": (
        Endpoint(
            OPENROUTER, "z-ai/glm-4.5", thinks=_thinks_unless("reasoning", {"effort": "none"}), thought="reasoning"
        ),
        1,
    ),
    "openrouter, thinking only": (Endpoint(OPENROUTER, "openai/o1", no_reasoning_off, lambda _: True, "reasoning"), 2),
    "prose around the answer": (
        Endpoint(VLLM, "own", answer=f"Sure! Here:\n```json\n{ANSWER}\n```\nAnything else?"),
        1,
    ),
}
"""An endpoint, to be copied, and how many requests the first call needs; each further call needs one."""
