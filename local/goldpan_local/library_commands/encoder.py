"""Opens the encoder of the libraries: an endpoint for embeddings if one is configured, else that of this machine."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from goldpan.errors import CallFailed, Misconfigured
from goldpan.infra.encoder.endpoint import EndpointEncoder
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.settings import EmbeddingSettings
from goldpan.kinds.papers.sources.library.vectors import encode_library
from goldpan.kinds.papers.sources.library.writer import LibraryWriter
from goldpan.local.bootstrap import LocalSettings, make_encoder, open_connections

from goldpan_local.progress import show_share


@contextmanager
def open_encoder(environment: Mapping[str, str]) -> Iterator[Encoder]:
    """Open the encoder that the environment names. Raises `Misconfigured`."""
    endpoint = EmbeddingSettings.from_environment(environment).endpoint()
    if endpoint is None:
        yield make_encoder(environment)
        return
    with open_connections(environment) as connections:
        yield EndpointEncoder(endpoint, connections)


def encode_new_papers(writer: LibraryWriter, environment: Mapping[str, str]) -> list[str]:
    """Give the papers that are new their vectors; return what is to be said if a service fails."""
    try:
        with open_encoder(environment) as encoder, show_share("Encoding") as report:
            encode_library(writer, encoder, report)
    except (CallFailed, Misconfigured) as error:
        return [f"the papers can be searched by words, but not all have vectors: {error}; the next import continues"]
    return []


def encodes_sentences(environment: Mapping[str, str]) -> bool:
    """Whether the encoder reads sentences.

    The shipped table of words does not: its vectors add only papers that have none of the words, after all others, so
    that a search for words goes without them.
    """
    local = LocalSettings.from_environment(environment).goldpan_encoder
    return local == "sentence" or EmbeddingSettings.from_environment(environment).endpoint() is not None
