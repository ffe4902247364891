"""An encoder behind an OpenAI-compatible endpoint for embeddings: OpenAI, Ollama, vLLM, LM Studio and others.

Sources: the API references of OpenAI (embeddings: 2,048 texts and 300,000 tokens a request, 8,192 tokens a text, no
empty text) and of Ollama (OpenAI compatibility). `encoding_format` is always sent: some servers refuse base64, others
ignore the field.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Self

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import CallFailed, CredentialRejected, Misconfigured, Paused, RateLimited, Refused, Unavailable
from goldpan.infra.encoder.comparison import VectorComparison
from goldpan.infra.encoder.embeddings import read_embeddings
from goldpan.infra.encoder.port import Comparison, Vector
from goldpan.infra.http import HttpRequest, HttpResponse
from goldpan.infra.llm.refusals import FORBIDDEN, read_refusal
from goldpan.infra.rate_limits.limits import rate_limit_key
from goldpan.infra.redaction import redact, register_address, register_secret
from goldpan.infra.reserved_calls import ReservedCalls
from goldpan.infra.retry import call_with_retry
from goldpan.infra.settings import EmbeddingEndpoint

OK, NO_CREDIT, NOT_FOUND, TOO_MANY, SERVER_ERROR = 200, 402, 404, 429, 500
MAX_CHARS = 4000
"""Characters of a text that are sent; a character is rarely more than two tokens."""
BATCH_TEXTS = 32
"""Texts of a request: the default limit of the strictest known server (Text Embeddings Inference)."""
MAX_IN_FLIGHT = 4
MAX_ASKED = 16
"""Texts encoded alone whose vectors are kept: a search compares a question with each library, and with its filters."""
DEFAULT_WAIT = timedelta(minutes=1)
"""After a rate limit without Retry-After."""
PROBE = "dimensions"


@dataclass(frozen=True)
class _Opened:
    """An endpoint whose key is known, and the calls to it."""

    url: str
    key: str
    calls: ReservedCalls

    def limit_key(self, limit: str) -> str:
        return rate_limit_key(limit, self.url, self.key)


def _open(endpoint: EmbeddingEndpoint, connections: Connections) -> _Opened:
    key = endpoint.key.get_secret_value()
    register_secret(key)
    register_address(endpoint.base_url)
    calls = ReservedCalls(connections.http(), connections.rate_limiter, MAX_IN_FLIGHT, connections.clock)
    return _Opened(endpoint.base_url.rstrip("/") + "/embeddings", key, calls)


class EndpointEncoder:
    """A model behind an endpoint for embeddings; safe between threads.

    Its name is that of the model, so that a library encoded at one address can be searched at another. `endpoint` reads
    the address and the key when a text is first to be encoded; what it raises, every method may raise, and a later call
    reads again. Each request has `seconds`, and ends at the deadline of `within` at the latest.
    """

    def __init__(
        self, model: str, endpoint: Callable[[], EmbeddingEndpoint], connections: Connections, seconds: float = 10.0
    ) -> None:
        self.name, self._seconds = model, seconds
        self._rate_limiter, self._clock = connections.rate_limiter, connections.clock
        self._opened = cache(lambda: _open(endpoint(), connections))  # shared by the copies of `within`
        self._deadline: Deadline | None = None
        self._sizes: list[int] = []  # the number of dimensions, once it is known; shared by the copies of `within`
        self._asked = deque[tuple[str, Vector]](maxlen=MAX_ASKED)  # the last questions; shared as well

    @classmethod
    def of(cls, endpoint: EmbeddingEndpoint, connections: Connections, seconds: float = 10.0) -> Self:
        """Make the encoder of an endpoint whose key is known."""
        return cls(endpoint.model, lambda: endpoint, connections, seconds)

    def within(self, deadline: Deadline) -> Self:
        """Return the same encoder, whose calls all end at a deadline."""
        bounded = copy(self)
        bounded._deadline = deadline  # noqa: SLF001 - its own copy
        return bounded

    @property
    def dimensions(self) -> int:
        """The number of components of a vector; the first use may call the endpoint."""
        if not self._sizes:
            self._encode([PROBE])
        return self._sizes[0]

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vector of each text, in the same order; of a blank one all zero.

        Raises `CallFailed`, of which `Refused` is about the texts, or `Misconfigured` for a key, a model or an address
        that the endpoint does not accept.
        """
        found = dict(self._asked.copy())
        sent = list(dict.fromkeys(cut for text in texts if (cut := _cut(text)) and cut not in found))
        for start in range(0, len(sent), BATCH_TEXTS):
            batch = sent[start : start + BATCH_TEXTS]
            found |= zip(batch, self._encode(batch), strict=True)
        if len(texts) == 1:
            self._asked.extend((text, found[text]) for text in sent)
        return [found.get(_cut(text)) or bytes(self.dimensions) for text in texts]

    def compare(self, question: str) -> Comparison:
        """Return the comparison of many documents with one question."""
        return VectorComparison(self, question)

    def shares(self, question: str) -> dict[str, float]:
        """Return nothing: the vector is no sum over words."""
        del question
        return {}

    def _encode(self, texts: Sequence[str]) -> list[Vector]:
        deadline = Deadline.after(self._seconds, self._clock)
        if self._deadline is not None:
            deadline = self._deadline.within(self._seconds)
        return call_with_retry(lambda: self._send(texts, deadline), deadline, self._clock)

    def _send(self, texts: Sequence[str], deadline: Deadline) -> list[Vector]:
        opened = self._opened()
        headers = {"authorization": f"Bearer {opened.key}"}
        body = {"model": self.name, "input": list(texts), "encoding_format": "float"}
        key = opened.limit_key("embeddings")
        response = opened.calls.send(
            HttpRequest("POST", opened.url, headers, body=body),
            deadline,
            key=key,
            in_flight_key=opened.limit_key("embeddings:calls"),
        )
        failure = self._failure(response)
        if isinstance(failure, RateLimited):
            self._rate_limiter.block_until(key, failure.retry_at)
        if failure is not None:
            raise failure
        vectors = read_embeddings(response.json(), len(texts), next(iter(self._sizes), None))
        self._sizes[:] = [len(vectors[0])]
        return vectors

    def _failure(self, response: HttpResponse) -> CallFailed | Misconfigured | None:
        """Return the exception for an error response, None for a success."""
        if response.status == OK:
            return None
        now = self._clock.now()
        refusal = read_refusal(response.status, response.headers, response.body, _json_of(response), now)
        said = f"the endpoint for embeddings answered {refusal.status} ({refusal.words})"
        if refusal.is_of_the_key or refusal.status == FORBIDDEN:
            return CredentialRejected(f"EMBEDDING_API_KEY: {said}")
        if refusal.status == NOT_FOUND:
            return Misconfigured(f"EMBEDDING_MODEL: {redact(self._opened().url)} does not know {self.name}: {said}")
        if refusal.status in {NO_CREDIT, TOO_MANY}:
            return RateLimited(said, refusal.retry_at or now + DEFAULT_WAIT)
        if refusal.status < SERVER_ERROR:
            return Refused(said)
        return Paused(said, refusal.retry_at) if refusal.retry_at else Unavailable(said)


def _cut(text: str) -> str:
    return text[:MAX_CHARS].strip()


def _json_of(response: HttpResponse) -> object:
    try:
        return response.json()
    except Unavailable:  # an error page that is not JSON
        return None
