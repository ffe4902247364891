"""Opens the libraries of one machine, with the endpoint for embeddings if one is configured."""

from collections.abc import Mapping

from goldpan.engine.dependencies import Connections
from goldpan.infra.encoder.endpoint import EndpointEncoder
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.settings import EmbeddingSettings
from goldpan.kinds.papers.sources.library.opened import OpenLibraries
from goldpan.local.library_folder import FolderLibraries


def open_libraries(environment: Mapping[str, str], encoder: Encoder, connections: Connections) -> OpenLibraries:
    """Open the libraries in the folder of the environment. Raises `Misconfigured` for an incomplete endpoint."""
    endpoint = EmbeddingSettings.from_environment(environment).endpoint()
    if endpoint is not None:
        encoder = EndpointEncoder(endpoint, connections)
    return OpenLibraries(FolderLibraries(environment), encoder)
