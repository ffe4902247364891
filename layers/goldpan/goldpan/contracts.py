"""The request, the answer, and the rows that every kind of result shares.

All models are frozen: a stage returns a new value and mutates none. Times are UTC, in RFC 3339 form when written.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_serializer,
    model_validator,
)

from goldpan.config import Frozen, PipelineConfig, pattern_in_words
from goldpan.engine.request_filters import (
    DEFAULT_SORT,
    MAX_COMPARED,
    parse_filters,
    parse_sort,
    require_comparable,
    require_continuing_kind,
    require_kind_with_library,
    require_library_alone,
)
from goldpan.engine.validation_errors import NO_NAMES, describe_validation_error
from goldpan.errors import InvalidRequest
from goldpan.kinds import registry

if TYPE_CHECKING:
    from pydantic import SerializerFunctionWrapHandler

Mode = Literal["focused", "balanced", "exploratory"]
Status = Literal["ok", "empty", "truncated", "rate_limited", "timeout", "unavailable", "skipped"]
FAILED_STATUSES = frozenset({"rate_limited", "timeout", "unavailable", "skipped"})
"""The statuses of a source that gave no answer at all."""
Basis = Literal["llm", "rules"]
Unit = Annotated[float, Field(ge=0, le=1)]
Score = Annotated[float, Field(ge=0, le=10)] | None
MAX_ERROR_CHARS = 300
MAX_ID_CHARS, MAX_IGNORED = 120, 30
ProjectId = Annotated[
    str,
    Field(pattern=r"^[a-z0-9-]{1,64}$"),
    pattern_in_words("must have 1 to 64 characters: lower-case letters, digits and hyphens"),
]
"""The name of a project, which is also that of its library."""
MAX_QUERY_CHARS, MAX_NAME_CHARS = 500, 200
MAX_STRATEGIES_BYTES = 16 * 1024
"""The maximum of all previous strategies as JSON: the state machine carries them beside the results."""


def _plain_text(text: str) -> str:
    categories = {unicodedata.category(character) for character in text}
    if categories & {"Cc", "Cs"}:
        message = f"{'control characters' if 'Cc' in categories else 'lone surrogates'} are not allowed"
        raise ValueError(message)
    return text


def _stripped(text: object) -> object:
    return text.strip() if isinstance(text, str) else text


Question = Annotated[str, Field(min_length=1, max_length=500), BeforeValidator(_stripped), AfterValidator(_plain_text)]


def _bounded_strategies(strategies: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
    if strategies and len(json.dumps(strategies).encode()) > MAX_STRATEGIES_BYTES:
        message = f"must have at most {MAX_STRATEGIES_BYTES:,} bytes as JSON"
        raise ValueError(message)
    return strategies


def _known_kinds(names: tuple[str, ...]) -> tuple[str, ...]:
    return registry.require_known(names, registry.kind_names())


def _known_sources(names: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if names is None:
        return None
    if not names:
        message = "name at least one source, or leave the field out for all configured sources"
        raise ValueError(message)
    known = {source for kind in registry.kinds_with_sources(names) for source in kind.sources}
    return registry.require_known(names, tuple(known) if known.issuperset(names) else registry.source_names())


def names_as_query(names: object) -> str:
    """Return the query of a comparison without a question: the names, as far as they fit."""
    listed = names if isinstance(names, list | tuple) else [names]
    return ", ".join(map(str, listed))[:MAX_QUERY_CHARS].rstrip() or "comparison"


def with_names_as_query(fields: Any) -> Any:
    """Return the fields of a request, those of a comparison without a question with the names as their query.

    This is no validator of the model, because pydantic would then read strict JSON as Python values.
    """
    if isinstance(fields, Mapping) and fields.get("compare") and fields.get("query") in (None, ""):
        return {**fields, "query": names_as_query(fields["compare"])}
    return fields


class SearchRequest(Frozen):
    """A question and how to answer it."""

    query: Question
    kinds: Annotated[tuple[str, ...], Field(min_length=1, max_length=10), AfterValidator(_known_kinds)] = (
        registry.DEFAULT_KIND,
    )
    mode: Mode = "balanced"
    max_results: Annotated[int, Field(ge=1, le=25)] = 10
    max_seconds: Annotated[int, Field(ge=5, le=27)] = 25
    max_llm_calls: Annotated[int, Field(ge=0, le=60)] = 40
    sources: Annotated[tuple[str, ...] | None, Field(max_length=20), AfterValidator(_known_sources)] = None
    filters: dict[str, Any] = {}
    """What every result must be, beside what the question says; each kind has filters of its own."""
    sort: str = DEFAULT_SORT
    """One of the orders of the requested kinds; a kind that does not have it orders by relevance."""
    ignore: Annotated[tuple[Annotated[str, Field(max_length=MAX_ID_CHARS)], ...], Field(max_length=MAX_IGNORED)] = ()
    """The ids of entries of an earlier answer's `interpretation` that are not to apply."""
    previous_strategies: Annotated[
        tuple[dict[str, Any], ...], Field(max_length=5), AfterValidator(_bounded_strategies)
    ] = ()
    """The strategies of earlier rounds of the same search, oldest first, for a kind that continues searches."""
    feedback: Question | None = None
    """What another round should do otherwise, in plain language, for a kind that continues searches."""
    project_id: ProjectId | None = None
    """The project whose library is searched beside the sources, for a kind that searches libraries."""
    library_only: bool = False
    """Whether the library of the project is all that its kind searches."""
    compare: Annotated[
        tuple[Annotated[str, Field(max_length=MAX_NAME_CHARS)], ...], Field(max_length=MAX_COMPARED)
    ] = ()
    """The ids of 2 to 4 results to compare instead of searching, for a kind that compares; the query may be absent."""
    config: PipelineConfig = PipelineConfig()

    @field_validator("compare")
    @classmethod
    def _require_comparable(cls, names: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        return require_comparable(names, info.data["kinds"]) if names and "kinds" in info.data else names

    @property
    def has_question(self) -> bool:
        """Whether it asks anything; a comparison may be of names alone."""
        return not self.compare or self.query != names_as_query(self.compare)

    @field_validator("filters")
    @classmethod
    def _parse_filters(cls, filters: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        return parse_filters(filters, info.data["kinds"]) if filters and "kinds" in info.data else filters

    @field_validator("sort")
    @classmethod
    def _parse_sort(cls, sort: str, info: ValidationInfo) -> str:
        return parse_sort(sort, info.data["kinds"]) if sort != DEFAULT_SORT and "kinds" in info.data else sort

    @field_validator("previous_strategies", "feedback")
    @classmethod
    def _require_continuing_kind(cls, given: Any, info: ValidationInfo) -> Any:
        if given and "kinds" in info.data:
            require_continuing_kind(info.data["kinds"])
        return given

    @field_validator("project_id", "library_only")
    @classmethod
    def _require_kind_with_library(cls, given: Any, info: ValidationInfo) -> Any:
        if given and "kinds" in info.data:
            require_kind_with_library(info.data["kinds"])
        return given

    @field_validator("library_only")
    @classmethod
    def _require_project(cls, library_only: bool, info: ValidationInfo) -> bool:  # noqa: FBT001 - a field
        if library_only and {"kinds", "sources", "project_id"} <= info.data.keys():
            require_library_alone(info.data["kinds"], info.data["sources"], info.data["project_id"])
        return library_only


def parse_request(fields: object, names: Mapping[str, str] = NO_NAMES) -> SearchRequest:
    """Parse a request from plain data.

    Raises `InvalidRequest` with every invalid field, its value and what is allowed; `names` gives fields other names.
    """
    try:
        return SearchRequest.model_validate(with_names_as_query(fields))
    except ValidationError as error:
        raise InvalidRequest(describe_validation_error(error, SearchRequest, names)) from error


class FoundBy(Frozen):
    """A strategy that found the item, and the item's rank in its batch, from 1."""

    strategy: str
    rank: int


class SourceStatus(Frozen):
    """What one strategy got from one source; a failed source never looks empty."""

    kind: str
    strategy: str
    source: str
    status: Status
    query: str = ""
    available: int | None = None
    fetched: int = 0
    kept: int = 0
    cached: bool = False
    age_s: int | None = None
    retry_at: datetime | None = None
    detail: str = ""


class Usage(Frozen):
    """Language model calls, their tokens and their cost."""

    llm_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        """Sum two usages."""
        return Usage(
            llm_calls=self.llm_calls + other.llm_calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost_usd=round(self.cost_usd + other.cost_usd, 8),
        )


class StageError(Frozen):
    """A failure inside a stage that did not end the search, and its time."""

    stage: str
    error: Annotated[str, AfterValidator(lambda text: text[:MAX_ERROR_CHARS])]
    timestamp: datetime


class Interpretation(Frozen):
    """One part of the question, and what it was read as; its id depends on the kind and the value alone."""

    id: str
    kind: Literal["term", "constraint", "exclusion", "likeness", "correction", "unread"]
    text: str
    value: str


class Section(Frozen):
    """The ranked results of one kind; every result has `relevance`, `reasoning`, `basis`, `found_by` and `caveats`."""

    total_candidates: int
    shortlisted: int
    dropped: dict[str, int] = {}
    """How many candidates each rule, constraint or filter dropped."""
    results: tuple[Any, ...]


def parse_section(kind: str, value: object) -> object:
    """Parse a section with the model of its kind; unknown kinds are left to the validation of the field."""
    if isinstance(value, Section) or kind not in registry.kind_names():
        return value
    return registry.get_kind(kind).models.section.model_validate(value)


class Link(Frozen):
    """A repository and a paper that name each other."""

    repository: str
    paper: str
    evidence: str


class ExecutionTime(Frozen):
    """Milliseconds spent in each function, and in total."""

    query_translator: int = 0
    scout: int = 0
    screener: int = 0
    total: int = 0


class Answer(Frozen):
    """The answer to one request.

    In JSON each section is a field of the answer, named by its kind. Attribute access works the same way:
    `answer.repositories` is `answer.sections["repositories"]`, or None if that kind was not requested.
    """

    query: str
    mode: Mode
    interpretation: tuple[Interpretation, ...] = ()
    """How the question was read, in the order of its kinds."""
    sections: dict[str, SerializeAsAny[Section]] = {}
    links: tuple[Link, ...] = ()
    sources: tuple[SourceStatus, ...] = ()
    errors: tuple[StageError, ...] = ()
    warnings: tuple[str, ...] = ()
    execution_time_ms: ExecutionTime = ExecutionTime()
    usage: Usage = Usage()
    cached: bool = False
    answered_at: datetime

    @model_validator(mode="before")
    @classmethod
    def _collect_sections(cls, data: Any) -> Any:
        if not isinstance(data, dict) or "sections" in data:
            return data
        names = [name for name in registry.kind_names() if name in data]
        rest = {name: value for name, value in data.items() if name not in names}
        return {**rest, "sections": {name: parse_section(name, data[name]) for name in names}}

    @model_serializer(mode="wrap")
    def _flatten_sections(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = handler(self)
        sections = fields.pop("sections", {})
        first = {name: fields.pop(name) for name in ("query", "mode", "interpretation")}
        return {**first, **sections, **fields}

    def __getattr__(self, name: str) -> Any:
        """Return the section of a kind, or None if it was not requested."""
        if name in registry.kind_names():
            return self.sections.get(name)
        message = f"{type(self).__name__!r} object has no attribute {name!r}"
        raise AttributeError(message)

    def to_json(self, indent: int | None = None) -> str:
        """Serialise the answer; a section that was not requested is absent, other nulls stay."""
        return self.model_dump_json(indent=indent)
