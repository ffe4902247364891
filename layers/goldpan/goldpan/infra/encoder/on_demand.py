"""An encoder that is made at its first use, and whose name is known before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldpan.engine.deadlines import Deadline
    from goldpan.infra.encoder.endpoint import EndpointEncoder
    from goldpan.infra.encoder.port import Comparison, Vector


class OnDemandEncoder:
    """An endpoint for embeddings whose key is read when a text is first to be encoded.

    So a search that encodes nothing reads no secret, and a secret that cannot be read costs a library only its vectors.
    Every method may raise what `make` raises; a later call then makes the encoder again.
    """

    def __init__(self, name: str, make: Callable[[], EndpointEncoder]) -> None:
        self.name, self._make = name, make

    def within(self, deadline: Deadline) -> OnDemandEncoder:
        """Return the same encoder, whose calls all end at a deadline."""
        return OnDemandEncoder(self.name, lambda: self._encoder.within(deadline))

    @property
    def dimensions(self) -> int:
        """The number of components of a vector."""
        return self._encoder.dimensions

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vector of each text, in the same order."""
        return self._encoder.encode(texts)

    def compare(self, question: str) -> Comparison:
        """Return the comparison of many documents with one question."""
        return self._encoder.compare(question)

    def shares(self, question: str) -> dict[str, float]:
        """Return nothing: the vector is no sum over words."""
        return self._encoder.shares(question)

    @cached_property
    def _encoder(self) -> EndpointEncoder:
        return self._make()
