"""Reads the answers of OpenAI-compatible endpoints for embeddings, and packs their vectors."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from goldpan.contracts.validation_errors import describe_requirement
from goldpan.errors import Unavailable
from goldpan.infra.encoder.port import LARGEST, Vector

MAX_DIMENSIONS = 8192
"""Twice as many as any known model has; also the bound within which sums of products of bytes are exact in 32 bits."""


class _Embedding(BaseModel):
    model_config = ConfigDict(strict=True)

    index: int
    embedding: Annotated[list[FiniteFloat], Field(min_length=1, max_length=MAX_DIMENSIONS)]


class _Response(BaseModel):
    """The fields of an answer that are read."""

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
        message = f"the embeddings have {found} dimensions, expected {expected}"
        raise Unavailable(message)
    return [pack(row.embedding) for row in rows]


def pack(components: list[float]) -> Vector:
    """Scale components so that the largest is 127 or -127, and round them; all zero stays all zero."""
    largest = max(map(abs, components))
    if not largest:
        return bytes(len(components))
    factor = LARGEST / largest
    return bytes([round(component * factor) & 0xFF for component in components])
