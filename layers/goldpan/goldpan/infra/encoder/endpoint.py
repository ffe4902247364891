"""An encoder behind an OpenAI-compatible endpoint for embeddings: OpenAI, Ollama, vLLM, LM Studio and others.

Sources: the API references of OpenAI (embeddings: 2,048 texts and 300,000 tokens a request, 8,192 tokens a text, no
empty text) and of Ollama (OpenAI compatibility). `encoding_format` is always sent: some servers refuse base64, others
ignore the field.
"""

from collections import deque
from collections.abc import Callable, Sequence
from copy import copy
from functools import cache
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from goldpan.contracts.validation_errors import describe_requirement
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import Misconfigured, Unavailable
from goldpan.infra.encoder.port import Encoder, Vector, quantised
from goldpan.infra.settings import EmbeddingEndpoint
from goldpan.infra.source_client import SourceClient
from goldpan.infra.source_failures import NotFound

MAX_CHARS = 4000
"""Characters of a text that are sent; a character is rarely more than two tokens."""
BATCH_TEXTS = 32
"""Texts of a request: the default limit of the strictest known server (Text Embeddings Inference)."""
MAX_IN_FLIGHT, SECONDS = 4, 10.0
MAX_ASKED = 16
"""Texts encoded alone whose vectors are kept: a search compares a question with each library, and with its filters."""
PROBE = "dimensions"
MAX_DIMENSIONS = 8192
"""Twice as many as any known model has; also the bound within which sums of products of bytes are exact in 32 bits."""


def _open(endpoint: EmbeddingEndpoint, connections: Connections) -> SourceClient:
    key = endpoint.key.get_secret_value()
    return SourceClient(
        "embeddings",
        endpoint.base_url,
        connections,
        title="the endpoint for embeddings",
        key=key,
        key_variable="EMBEDDING_API_KEY",
        headers={"authorization": f"Bearer {key}"},
        max_in_flight=MAX_IN_FLIGHT,
    )


class EndpointEncoder(Encoder):
    """A model behind an endpoint for embeddings; safe between threads.

    Its name is that of the model, so that a library encoded at one address can be searched at another. `read` reads
    the address and the key when a text is first to be encoded; what it raises, every method may raise, and a later call
    reads again. Each request has `SECONDS`, and ends at the deadline of `within` at the latest.
    """

    def __init__(
        self, endpoint: EmbeddingEndpoint, connections: Connections, read: Callable[[], EmbeddingEndpoint] | None = None
    ) -> None:
        self.name, self._clock = endpoint.model, connections.clock
        self._opened = cache(lambda: _open(read() if read else endpoint, connections))  # shared by those of `within`
        self._deadline: Deadline | None = None
        self._sizes: list[int] = []  # the number of dimensions, once it is known; shared by the copies of `within`
        self._asked = deque[tuple[str, Vector]](maxlen=MAX_ASKED)  # the last questions; shared as well

    def within(self, deadline: Deadline) -> Self:
        """Return the same encoder, whose calls all end at a deadline."""
        bounded = copy(self)
        bounded._deadline = deadline  # noqa: SLF001 - its own copy
        return bounded

    @property
    def dimensions(self) -> int:  # type: ignore[override]
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

    def _encode(self, texts: Sequence[str]) -> list[Vector]:
        deadline = self._deadline.within(SECONDS) if self._deadline else Deadline.after(SECONDS, self._clock)
        body = {"model": self.name, "input": list(texts), "encoding_format": "float"}
        try:
            response = self._opened().send("/embeddings", {}, deadline, body=body)
        except NotFound as failure:
            message = f"EMBEDDING_MODEL: the endpoint for embeddings does not know {self.name}: {failure}"
            raise Misconfigured(message) from failure
        vectors = read_embeddings(response.json(), len(texts), next(iter(self._sizes), None))
        self._sizes[:] = [len(vectors[0])]
        return vectors


def _cut(text: str) -> str:
    return text[:MAX_CHARS].strip()


class _Embedding(BaseModel):
    model_config = ConfigDict(strict=True, defer_build=True)

    index: int
    embedding: Annotated[list[FiniteFloat], Field(min_length=1, max_length=MAX_DIMENSIONS)]


class _Response(BaseModel):
    """The fields of an answer that are read."""

    model_config = ConfigDict(defer_build=True)

    data: list[_Embedding]


def read_embeddings(value: object, count: int, dimensions: int | None) -> list[Vector]:
    """Return the vectors of an answer in the order of the texts, which their `index` gives.

    Raises `Unavailable` if there is not exactly one for each of `count` texts, if one holds something else than finite
    numbers, or if they do not all have the same dimensions, and those that are expected (None: any).
    """
    try:
        rows = sorted(_Response.model_validate(value).data, key=lambda row: row.index)
    except ValidationError as error:
        row = error.errors()[0]
        place = ".".join(map(str, row["loc"])) or "its body"
        message = f"the embeddings are not in the promised form ({place}: {describe_requirement(row)})"
        raise Unavailable(message) from None
    if [row.index for row in rows] != list(range(count)):
        named = ", ".join(str(row.index) for row in rows[:5]) or "none"
        message = f"{len(rows)} embeddings came for {count} texts, or not each index once (the first are {named})"
        raise Unavailable(message)
    sizes = {len(row.embedding) for row in rows}
    if len(sizes) > 1 or (dimensions and sizes != {dimensions}):
        found = " and ".join(map(str, sorted(sizes)))
        expected = dimensions or "the same for all texts"
        raise Unavailable(f"the embeddings have {found} dimensions, expected {expected}")
    return [quantised(row.embedding) for row in rows]
