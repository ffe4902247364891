"""An OpenAI-compatible endpoint on a loopback port, for completions or embeddings, and the client of a model."""

import json
import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self, Unpack
from zlib import crc32

from goldpan.infra.encoder.port import Encoder, Vector, quantised
from goldpan.infra.http import Http
from goldpan.infra.llm.openai import OpenAIModel
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.settings import LLMEndpoint
from pydantic import SecretStr

from tests.support.llm_dialects import openai_error
from tests.support.loopback import wire
from tests.support.loopback.fault import Aim, Exchange, LoopbackFault, delivered, edited
from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response
from tests.support.memory_stores import MemoryRateLimiter

Answers = Callable[[dict[str, Any]], str]
Encode = Callable[[Sequence[str]], Sequence[Sequence[float]]]
DIMENSIONS, EMBEDDING_MODEL = 64, "own-model"
MAX_TEXTS = 2048


def hashed_words(texts: Sequence[str]) -> list[list[float]]:
    """Encode texts as counts of their words, so that texts that share words are similar."""
    vectors = []
    for text in texts:
        counts = [0.0] * DIMENSIONS
        for word in text.lower().split():
            counts[crc32(word.strip(".,").encode()) % DIMENSIONS] += 1
        length = math.hypot(*counts) or 1.0
        vectors.append([count / length for count in counts])
    return vectors


class OpenAIEndpoint(LoopbackServer):
    """An endpoint with one path."""

    def __init__(self, path: str, key: str, latency: float = 0.0) -> None:
        super().__init__(latency=latency)
        self._path, self._key = f"/v1/{path}", key

    @property
    def base_url(self) -> str:
        """The address that a client is configured with."""
        return f"{self.url}/v1"

    def answer(self, request: RecordedRequest) -> Response:
        """Answer without a fault."""
        if (request.method, request.path) != ("POST", self._path):
            return Response.of_json(404, openai_error(f"Invalid URL ({request.method} {request.path})"))
        said = request.headers.get("authorization")
        if said != f"Bearer {self._key}":
            return Response.of_json(401, openai_error(f"Incorrect API key provided: {said}.", code="invalid_api_key"))
        return self.served(request.body)

    @abstractmethod
    def served(self, body: Any) -> Response:
        """Answer the body of a request that has the key."""


class LoopbackLLM(OpenAIEndpoint):
    """A context manager that serves chat completions, each the result of a function of the request's body."""

    server_name = "loopback-llm"

    def __init__(self, answers: Answers, *, key: str = "good-key", latency: float = 0.0) -> None:
        super().__init__("chat/completions", key, latency)
        self._answers = answers

    def served(self, body: Any) -> Response:
        """Complete a chat."""
        if refusal := _objection(body):
            return Response.of_json(400, openai_error(refusal))
        return Response.of_json(200, _completion(int(self.now().timestamp()), body, self._answers(body)))


class LoopbackEmbeddings(OpenAIEndpoint):
    """A context manager that serves embeddings of one model."""

    server_name = "loopback-embeddings"

    def __init__(self, *, key: str = "good-key", encode: Encode = hashed_words) -> None:
        super().__init__("embeddings", key)
        self._encode = encode

    @property
    def inputs(self) -> list[list[str]]:
        """The texts of each request."""
        return [request.body["input"] for request in self.requests]

    def served(self, body: Any) -> Response:
        """Encode texts."""
        if body["model"] != EMBEDDING_MODEL:
            return Response.of_json(404, openai_error(f'model "{body["model"]}" not found, try pulling it first'))
        texts = body["input"]
        if not texts or len(texts) > MAX_TEXTS or not all(texts):
            return Response.of_json(400, openai_error("'$.input' is invalid. Please check the API reference."))
        if body.get("encoding_format") != "float":
            return Response.of_json(400, openai_error("base64 encoding is not currently supported"))
        vectors = self._encode(texts)
        data = [{"object": "embedding", "index": at, "embedding": list(row)} for at, row in enumerate(vectors)]
        usage = {"prompt_tokens": sum(map(len, texts)) // 4, "total_tokens": sum(map(len, texts)) // 4}
        return Response.of_json(200, {"object": "list", "data": data, "model": EMBEDDING_MODEL, "usage": usage})


def _objection(body: Any) -> str | None:
    """Return why the API refuses the body of a request, None if it accepts it."""
    if not isinstance(body, dict):
        return "We could not parse the JSON body of your request."
    if (body.get("response_format") or {}).get("type") == "json_object" and "json" not in _prompt(body).lower():
        return "'messages' must contain the word 'json', to use 'response_format' of type 'json_object'."
    return None


def _completion(created: int, body: dict[str, Any], content: str) -> dict[str, Any]:
    """Write a chat.completion object, which bills a quarter of the characters."""
    asked, answered = math.ceil(len(_prompt(body)) / 4), math.ceil(len(content) / 4)
    message = {"role": "assistant", "content": content}
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


CHANGES: dict[str, Callable[[str], str | None]] = {
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


def model_at(
    base_url: str, http: Http, name: str = "own", *, key: str = "good-key", limiter: RateLimiter | None = None
) -> OpenAIModel:
    """Make the client; processes that share a limiter share the pauses of the model."""
    endpoint = LLMEndpoint(key_name="LLM_API_KEY", key=SecretStr(key), base_url=base_url, model=name)
    return OpenAIModel(endpoint, lambda: http, limiter or MemoryRateLimiter())


Refuse = Callable[[Sequence[str]], None]


class HashedEncoder(Encoder):
    """Counts the texts that it encodes; `refuse` may raise for the texts of a call."""

    dimensions = DIMENSIONS

    def __init__(
        self,
        name: str = "hashed",
        synonyms: Mapping[str, str] | None = None,
        refuse: Refuse = lambda _: None,
        *,
        is_summed: bool = False,
    ) -> None:
        self.name, self.refuse, self.texts = name, refuse, list[str]()
        self._synonyms, self.sums_words = synonyms or {}, is_summed

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vector of each text."""
        self.refuse(texts)
        self.texts += texts
        replaced = [" ".join(self._synonyms.get(word, word) for word in text.lower().split()) for text in texts]
        return [quantised(row) for row in hashed_words(replaced)]
