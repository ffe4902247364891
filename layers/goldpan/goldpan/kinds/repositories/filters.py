"""The filters of a request for repositories."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from goldpan.config import Frozen
from goldpan.kinds.repositories.question.reading.licenses import resolve_license

MAX_VALUES = 10


def _iso_date(value: object) -> object:
    if isinstance(value, str | date):
        return value
    message = "must be a date such as 2025-01-31"
    raise ValueError(message)


def _known_license(name: str) -> str:
    if not resolve_license(name):
        message = "is unknown; allowed: an SPDX identifier such as MIT, or one of the families permissive and copyleft"
        raise ValueError(message)
    return name


def _as_topic(name: str) -> str:
    return "-".join(name.lower().split())


Stars = Annotated[int, Field(ge=0, le=10_000_000)]
Day = Annotated[date, Field(ge=date(1970, 1, 1), le=date(2999, 12, 31)), BeforeValidator(_iso_date)]
Language = Annotated[str, Field(max_length=50, pattern=r"^[A-Za-z0-9][A-Za-z0-9 +#.'*()/-]*$")]
License = Annotated[str, Field(max_length=50), AfterValidator(_known_license)]
Topic = Annotated[str, Field(max_length=50, pattern=r"^[A-Za-z0-9][A-Za-z0-9 -]*$"), AfterValidator(_as_topic)]
Excluded = Annotated[str, Field(max_length=50, pattern=r"^[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$")]


class Filters(Frozen):
    """What every result must be; a result whose fact is unknown stays, marked unverified."""

    language: Language | None = None
    """As GitHub names it, or an alternative name of the vocabulary."""
    license: License | None = None
    """An SPDX identifier, or a family such as "permissive"."""
    min_stars: Stars | None = None
    max_stars: Stars | None = None
    pushed_since: Day | None = None
    created_since: Day | None = None
    topics: Annotated[tuple[Topic, ...], Field(max_length=MAX_VALUES)] = ()
    """All of which the repository must have."""
    exclude: Annotated[tuple[Excluded, ...], Field(max_length=MAX_VALUES)] = ()
    """What the repository must not be, as "not X" in a question."""

    @model_validator(mode="after")
    def _range_not_empty(self) -> Self:
        if self.min_stars is not None and self.max_stars is not None and self.min_stars > self.max_stars:
            message = f"min_stars ({self.min_stars:,}) is above max_stars ({self.max_stars:,})"
            raise ValueError(message)
        return self
