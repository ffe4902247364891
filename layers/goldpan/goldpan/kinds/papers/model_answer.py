"""The form of the language model's answer to a question for papers."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from goldpan.kinds.papers.constraints import Year

MAX_WORDING = 100
"""Characters of one wording of a concept."""


def _without_none(value: object) -> object:
    """Read a missing list or object as an empty one, and leave out the nulls in it."""
    if isinstance(value, list):
        return [item for item in value if item is not None]
    if isinstance(value, dict):
        return {name: item for name, item in value.items() if item is not None}
    return value


def _listed(value: object) -> object:
    """Read one wording as a list of wordings."""
    return [value] if isinstance(value, str) else _without_none([] if value is None else value)


Wording = Annotated[str, Field(max_length=MAX_WORDING)]
Wordings = Annotated[list[Wording], Field(max_length=20), BeforeValidator(_listed)]


class _Form(BaseModel):
    model_config = ConfigDict(extra="ignore")


class ModelQuery(_Form):
    """A query of the model."""

    concepts: Annotated[list[Wordings], Field(min_length=1, max_length=10), BeforeValidator(_without_none)]


class Limits(_Form):
    """The years, venues and authors that the model read."""

    year_from: Year | None = None
    year_to: Year | None = None
    venues: Wordings = []
    authors: Wordings = []


class ModelAnswer(_Form):
    """The fields that are read from the language model's answer; all others are ignored."""

    topic: Annotated[str, Field(max_length=300)] = ""
    concepts: Annotated[Wordings, Field(min_length=1)]
    synonyms: Annotated[dict[str, Wordings], BeforeValidator(lambda value: _without_none(value or {}))] = {}
    methods: Wordings = []
    constraints: Annotated[Limits, BeforeValidator(lambda value: value or {})] = Limits()
    queries: Annotated[list[ModelQuery], Field(min_length=1, max_length=10), BeforeValidator(_without_none)]
    sources: Wordings = []
    excluded: Annotated[list[str], Field(max_length=20)] | None = None
    """What the question refuses; None if the model does not say."""
