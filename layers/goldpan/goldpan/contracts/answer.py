"""The answer, and the rows that every kind of result shares.

All models are frozen: a stage returns a new value and mutates none. Times are UTC, in RFC 3339 form when written.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, cast

from pydantic import AfterValidator, Field, SerializeAsAny, model_serializer, model_validator

from goldpan.config import Frozen
from goldpan.contracts.kinds import TABLE
from goldpan.contracts.request import Mode
from goldpan.known import Interpretation, SourceStatus

if TYPE_CHECKING:
    from pydantic import SerializerFunctionWrapHandler

FAILED_STATUSES = frozenset({"rate_limited", "timeout", "unavailable", "skipped"})
"""The statuses of a source that gave no answer at all."""
Basis = Literal["llm", "rules"]
Unit = Annotated[float, Field(ge=0, le=1)]
Score = Annotated[float, Field(ge=0, le=10)] | None
MAX_ERROR_CHARS = 300


class FoundBy(Frozen):
    """A strategy that found the item, and the item's rank in its batch, from 1."""

    strategy: str
    rank: int


class Amounts(Frozen):
    """Numbers of several things."""

    def __add__(self, other: Self) -> Self:
        """Add them field by field."""
        return type(self)(**{name: round(amount + getattr(other, name), 8) for name, amount in self})


class Usage(Amounts):
    """Language model calls, their tokens and their cost."""

    llm_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0


class StageError(Frozen):
    """A failure inside a stage that did not end the search, and its time."""

    stage: str
    error: Annotated[str, AfterValidator(lambda text: text[:MAX_ERROR_CHARS])]
    timestamp: datetime


class Section(Frozen):
    """The ranked results of one kind; every result has `relevance`, `reasoning`, `basis`, `found_by` and `caveats`."""

    total_candidates: int
    shortlisted: int
    dropped: dict[str, int] = {}
    """How many candidates each rule, constraint or filter dropped."""
    results: tuple[Any, ...]
    weaker: tuple[Any, ...] = ()
    """Those that fit less: they follow the last of the results, on the same page or on later ones."""
    offset: int = 0
    """How many results, weaker ones included, are on the pages before this one."""
    total: int = Field(default_factory=lambda data: len(data["results"]) + len(data["weaker"]))
    """How many there are on all pages, weaker ones included."""
    total_weaker: int = Field(default_factory=lambda data: len(data["weaker"]))
    """How many of these are weaker."""
    nothing_fits: bool = False
    """Whether even the best one is unlikely to be what was asked for: these are the nearest."""
    strategies: tuple[dict[str, object], ...] = ()
    """What was searched for in this and in earlier rounds, oldest first: `previous_strategies` of the next round."""

    @property
    def is_whole(self) -> bool:
        """Whether it has the results of all pages."""
        return len(self.results) + len(self.weaker) == self.total

    def page(self, offset: int, count: int) -> Self:
        """Return a page of a section with all results: of their list, in which the weaker ones are the last."""
        above, start, end = len(self.results), offset - self.offset, offset - self.offset + count
        weaker = self.weaker[max(0, start - above) : max(0, end - above)]
        return self.model_copy(update={"offset": offset, "results": self.results[start:end], "weaker": weaker})


def parse_section(kind: str, value: object) -> object:
    """Parse a section with the model of its kind; unknown kinds are left to the validation of the field."""
    if isinstance(value, Section) or kind not in TABLE.names():
        return value
    return TABLE.get(kind).section.model_validate(value)


class Link(Frozen):
    """A repository and a paper that name each other."""

    repository: str
    paper: str
    evidence: str


class ExecutionTime(Amounts):
    """Milliseconds spent in each function, and in total."""

    query_translator: int = 0
    scout: int = 0
    screener: int = 0
    total: int = 0


class BaseAnswer(Frozen):
    """The answer to one request; `goldpan.kinds.answer` declares an attribute for each kind."""

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
    def _collect_sections(cls, data: object) -> object:
        if not isinstance(data, dict) or "sections" in data:
            return data
        names = [name for name in data if name in TABLE.names()]  # in the order of the request, also from the cache
        rest = {name: value for name, value in data.items() if name not in names}
        return {**rest, "sections": {name: parse_section(name, data[name]) for name in names}}

    @model_serializer(mode="wrap")
    def _flatten_sections(self, handler: SerializerFunctionWrapHandler) -> dict[str, object]:
        fields: dict[str, object] = handler(self)
        sections = cast("dict[str, object]", fields.pop("sections", {}))
        first = {name: fields.pop(name) for name in ("query", "mode", "interpretation")}
        return {**first, **sections, **fields}

    def __getattr__(self, name: str) -> Section | None:
        """Return the section of a kind, or None if it was not requested or failed."""
        if name in TABLE.names():
            return self.sections.get(name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def to_json(self, indent: int | None = None) -> str:
        """Serialise the answer; a section that is None is absent, other nulls stay."""
        return self.model_dump_json(indent=indent)
