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


def openai_error(message: str, param: str | None = None, code: str | None = None) -> dict[str, Any]:
    """Write an error as OpenAI does."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def openai_standard(body: Body, *known: str) -> dict[str, Any] | None:
    """Refuse fields that OpenAI's API does not have."""
    unknown = [name for name in body if name not in STANDARD | {*known}]
    return openai_error(f"Unrecognized request argument supplied: {unknown[0]}") if unknown else None


def openai_reasoning(*efforts: str) -> Objection:
    """Refuse what OpenAI's reasoning models refuse, one field at a time; the first effort is their own."""
    own = {"temperature": (1,), "reasoning_effort": efforts}

    def objection(body: Body) -> dict[str, Any] | None:
        if "max_tokens" in body:
            message = "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
            return openai_error(f"Unsupported parameter: {message}", "max_tokens", "unsupported_parameter")
        for name, allowed in own.items():
            if (value := body.get(name, allowed[0])) not in allowed:
                message = f"Unsupported value: '{name}' does not support {value!r} with this model."
                return openai_error(message, name, "unsupported_value")
        return openai_standard(body, "reasoning_effort")

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
    extra = {"type": "extra_forbidden", "msg": "Extra inputs are not permitted"}

    def objection(body: Body) -> dict[str, Any] | None:
        rows = [{**extra, "loc": ["body", name]} for name in body if name not in known]
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
        assert str(request.url) == f"{self.base_url.rstrip('/')}/chat/completions"
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


def _always(_body: Body) -> bool:
    return True


def _unless(name: str, off: object) -> Callable[[Body], bool]:
    return lambda body: body.get(name) != off


def _by_effort(body: Body) -> bool:
    return body.get("reasoning_effort", "medium") not in {"none", "minimal"}


def _without_json(body: Body) -> bool:
    return "response_format" not in body


OPENAI, OPENROUTER = "https://api.openai.com/v1", "https://openrouter.ai/api/v1"
AZURE, OLLAMA = "https://example.openai.azure.com/openai/v1/", "http://localhost:11434/v1"
VLLM, GATEWAY, DEEPSEEK = "http://10.0.0.7:8000/v1", "https://gateway.example/v1", "https://api.deepseek.com"
GPT_5, GPT_51 = openai_reasoning("medium", "minimal", "low"), openai_reasoning("none", "low", "medium")
O_SERIES, STRICT = openai_reasoning("medium", "low", "high"), only("model", "messages", "max_tokens")
QWEN, GLM = _unless("chat_template_kwargs", {"enable_thinking": False}), _unless("reasoning", {"effort": "none"})
FENCED = f"Sure! Here:\n```json\n{ANSWER}\n```\nAnything else?"
DIALECTS: dict[str, tuple[int, Endpoint]] = {
    # by OpenAI's names
    "gpt-4.1": (1, Endpoint(OPENAI, "gpt-4.1-mini", openai_standard)),
    "gpt-5": (1, Endpoint(OPENAI, "gpt-5-mini", GPT_5, _by_effort, "")),
    "gpt-5.1": (1, Endpoint(OPENAI, "gpt-5.1", GPT_51, _by_effort, "")),
    "gpt-5-pro": (2, Endpoint(OPENAI, "gpt-5-pro", openai_reasoning("high"), _always, "")),
    "o4": (1, Endpoint(OPENAI, "o4-mini", O_SERIES, _always, "")),
    # the name of a deployment says nothing: two refusals
    "azure": (3, Endpoint(AZURE, "chat-prod", GPT_5, _by_effort, "")),
    "two names": (2, Endpoint(GATEWAY, "own", no_temperature_for_json, _without_json, "<think>")),
    "deepseek": (1, Endpoint(DEEPSEEK, "deepseek-v4-pro", thinks=_unless("thinking", {"type": "disabled"}))),
    "deepseek behind a strict gateway": (4, Endpoint(GATEWAY, "deepseek-v4", STRICT, _always)),
    "deepseek behind a gateway that ignores the switch": (2, Endpoint(GATEWAY, "deepseek-v4", thinks=_always)),
    "ollama": (1, Endpoint(OLLAMA, "qwen3:8b", anything, _unless("reasoning_effort", "none"), "reasoning")),
    "ollama, gpt-oss": (1, Endpoint(OLLAMA, "gpt-oss:20b", anything, _always, "reasoning")),
    "vllm": (1, Endpoint(VLLM, "Qwen/Qwen3-8B", vllm_with_context(4096), QWEN, "reasoning")),
    "vllm without a parser of thoughts": (1, Endpoint(VLLM, "own", anything, _always, "<think>")),
    "vllm with a small context": (2, Endpoint(VLLM, "own", vllm_with_context(2048))),
    "openrouter": (1, Endpoint(OPENROUTER, "z-ai/glm-4.5", anything, GLM, "reasoning")),
    "openrouter, thinking only": (2, Endpoint(OPENROUTER, "openai/o1", no_reasoning_off, _always, "reasoning")),
    "prose around the answer": (1, Endpoint(VLLM, "own", answer=FENCED)),
}
"""How many requests the first call needs, of an endpoint, to be copied; each further call needs one."""
