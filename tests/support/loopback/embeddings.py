"""An OpenAI-compatible endpoint for embeddings on a loopback port, which refuses what the real ones refuse."""

import math
from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

Encode = Callable[[Sequence[str]], Sequence[Sequence[float]]]
DIMENSIONS = 64
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


class LoopbackEmbeddings(LoopbackServer):
    """A context manager that serves embeddings of one model; without a key it accepts any, as Ollama does."""

    server_name = "loopback-embeddings"

    def __init__(
        self, model: str = "own-model", *, key: str | None = "good-key", encode: Encode = hashed_words
    ) -> None:
        super().__init__()
        self._model, self._key, self._encode = model, key, encode

    @property
    def base_url(self) -> str:
        """The address that a client is configured with."""
        return f"{self.url}/v1"

    @property
    def inputs(self) -> list[list[str]]:
        """The texts of each request."""
        return [request.body["input"] for request in self.requests]

    def answer(self, request: RecordedRequest) -> Response:
        """Answer without a fault."""
        if (request.method, request.path) != ("POST", "/v1/embeddings"):
            return Response.of_json(404, _error(f"Invalid URL ({request.method} {request.path})"))
        if self._key and request.headers.get("authorization") != f"Bearer {self._key}":
            said = request.headers.get("authorization")
            return Response.of_json(401, _error(f"Incorrect API key provided: {said}.", "invalid_api_key"))
        if request.body["model"] != self._model:
            return Response.of_json(404, _error(f'model "{request.body["model"]}" not found, try pulling it first'))
        texts = request.body["input"]
        if not texts or len(texts) > MAX_TEXTS or not all(texts):
            return Response.of_json(400, _error("'$.input' is invalid. Please check the API reference."))
        if request.body.get("encoding_format") != "float":
            return Response.of_json(400, _error("base64 encoding is not currently supported"))
        vectors = self._encode(texts)
        data = [{"object": "embedding", "index": at, "embedding": list(row)} for at, row in enumerate(vectors)]
        usage = {"prompt_tokens": sum(map(len, texts)) // 4, "total_tokens": sum(map(len, texts)) // 4}
        return Response.of_json(200, {"object": "list", "data": data, "model": self._model, "usage": usage})


def _error(message: str, code: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code}}
