"""The settings of the deployed functions; the secrets among them are names of SSM parameters."""

from typing import Annotated

from pydantic import Field

from goldpan.infra.settings import EmbeddingEndpoint, EmbeddingSettings, Settings


class TranslatorSettings(Settings):
    """The tables that all functions share; query_translator needs these and the settings of the kinds."""

    cache_table: str
    budget_table: str


class ScoutSettings(TranslatorSettings):
    """The settings of scout, which alone reads libraries: their bucket, and the storage for copies."""

    library_bucket: str | None = None
    library_storage_mb: Annotated[int, Field(ge=512, le=10_240)] = 512
    """MiB; Lambda's limits: https://docs.aws.amazon.com/lambda/latest/dg/configuration-ephemeral-storage.html"""
    catalogue_update_hours: Annotated[int, Field(ge=0, le=168)] = 0
    """How often a schedule replaces the catalogue in that bucket; 0 for never, so that the embedded one is searched."""


class EncoderSettings(EmbeddingSettings):
    """What encodes the queries of libraries: an endpoint, or the layer with the sentence encoder by its ARN alone."""

    @property
    def has_layer(self) -> bool:
        """Whether `EMBEDDING_MODEL` is the ARN of the layer, which the template attaches to scout."""
        is_alone = self.embedding_base_url is None and self.embedding_api_key is None
        return is_alone and (self.embedding_model or "").startswith("arn:")

    def endpoint(self) -> EmbeddingEndpoint | None:
        """Return the endpoint, or None without one. Raises `Misconfigured` for an incomplete endpoint."""
        return None if self.has_layer else super().endpoint()


class RefreshSettings(Settings):
    """The settings of the function that refreshes the files that kinds search."""

    library_bucket: str


class ScreenerSettings(TranslatorSettings):
    """The settings of screener."""

    popularity_table: str
