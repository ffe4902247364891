"""The encoder of an endpoint for embeddings over real HTTP, and what it does with an endpoint that misbehaves."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.errors import CredentialRejected, Misconfigured, Refused, TimedOut, Unavailable
from goldpan.infra.encoder.endpoint import SECONDS, EndpointEncoder
from goldpan.infra.encoder.port import cosine_distances, matrix
from goldpan.infra.http_client import HttpClient
from goldpan.infra.settings import EmbeddingSettings

from tests.support.loopback.fault import LoopbackFault, edited
from tests.support.loopback.llm import DIMENSIONS, LoopbackEmbeddings
from tests.support.memory_stores import memory_connections


@pytest.fixture
def server() -> Iterator[LoopbackEmbeddings]:
    """Serve one model."""
    with LoopbackEmbeddings() as serving:
        yield serving


@pytest.fixture
def encoder(server: LoopbackEmbeddings) -> Iterator[EndpointEncoder]:
    """Make an encoder by the settings of an environment."""
    own = {"EMBEDDING_API_KEY": "good-key", "EMBEDDING_MODEL": "own-model", "EMBEDDING_BASE_URL": server.base_url}
    endpoint = EmbeddingSettings.from_environment(own).endpoint()
    assert endpoint
    with closing(HttpClient()) as http:
        yield EndpointEncoder(endpoint, memory_connections(http, WallClock()))


def test_texts_keep_their_places_whatever_the_order_of_the_answer(
    server: LoopbackEmbeddings, encoder: EndpointEncoder
) -> None:
    """More texts than fit into a request, a repeated and a blank one; the answer comes in another order."""
    server.inject(LoopbackFault("reversed", edited(lambda body: body["data"].reverse()), times=None))
    texts = [*(f"cats number{n}" for n in range(70)), "", "cats number3", "dogs"]
    vectors = encoder.encode(texts)
    assert (encoder.name, encoder.dimensions) == ("own-model", DIMENSIONS)
    assert [len(vector) for vector in vectors] == [DIMENSIONS] * len(texts)
    assert not any(vectors[70])
    assert vectors[3] == vectors[71] != vectors[4]
    (distances,) = cosine_distances(matrix(vectors[0], DIMENSIONS), matrix(b"".join(vectors), DIMENSIONS))
    assert distances[1] < distances[72] - 0.3
    assert [len(sent) for sent in server.inputs] == [32, 32, 7]
    encoder.encode(["x" * 50_000])
    assert len(server.inputs[-1][0]) == 4000


def test_a_question_is_encoded_once_for_all_libraries(server: LoopbackEmbeddings, encoder: EndpointEncoder) -> None:
    """A search compares it with each library, with and without its filters, each time until its own deadline."""
    [vector] = encoder.encode(["cats"])
    within = encoder.within(Deadline.after(5, WallClock()))
    assert within.encode(["cats "]) == encoder.encode(["cats"]) == [vector]
    assert within.encode(["dogs", "cats"])[1] == vector
    assert server.inputs == [["cats"], ["dogs"]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda body: body["data"].pop(), "1 embeddings came for 2 texts"),
        (lambda body: body["data"][1].update(index=0), "not each index once"),
        (lambda body: body["data"][1]["embedding"].pop(), "63 and 64 dimensions"),
        (lambda body: [row["embedding"].pop() for row in body["data"]], "63 dimensions, expected 64"),
        (lambda body: body["data"][0]["embedding"].__setitem__(3, float("nan")), "data.0.embedding.3: .*finite"),
        (lambda body: body["data"][0].update(embedding="AAAA"), "data.0.embedding"),
        (lambda body: body.pop("data"), "data: is required"),
    ],
)
def test_a_wrong_answer_is_no_vector(
    server: LoopbackEmbeddings, encoder: EndpointEncoder, change: Callable[[Any], None], said: str
) -> None:
    """Vectors that are missing, doubled, of another size or no numbers are detected, whatever the status says."""
    encoder.encode(["before"])
    server.inject(LoopbackFault("changed", edited(change), times=None))
    with pytest.raises(Unavailable, match=said):
        encoder.encode(["cats", "dogs"])


@pytest.mark.parametrize(
    ("fault", "error", "said"),
    [
        (LoopbackFault.status(401), CredentialRejected, "^EMBEDDING_API_KEY: "),
        (LoopbackFault.status(404), Misconfigured, "^EMBEDDING_MODEL: .* does not know own-model"),
        (LoopbackFault.status(413, body={"error": "batch is too long"}), Refused, "413.*too long"),
        (LoopbackFault.hang(), TimedOut, "deadline"),
    ],
)
def test_a_failure_says_who_corrects_it(
    server: LoopbackEmbeddings, encoder: EndpointEncoder, fault: LoopbackFault, error: type[Exception], said: str
) -> None:
    """The operator corrects a setting, the caller a text; everything else is a failed call within its time."""
    server.inject(fault)
    began = time.monotonic()
    with pytest.raises(error, match=said):
        encoder.within(Deadline.after(1.2, WallClock())).encode(["cats"])
    assert time.monotonic() - began < SECONDS
