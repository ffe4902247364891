"""The values that cross a border: the request, the answer, and what one stage hands to the next.

All are frozen; a stage returns a new value and mutates none. Times are UTC, RFC 3339 when written.
"""

from __future__ import annotations

import unicodedata
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError

from goldpan.config import Frozen, PipelineConfig
from goldpan.engine.validation_errors import describe_validation_error
from goldpan.errors import InvalidRequest

Kind = Literal["repositories", "papers"]
Mode = Literal["focused", "balanced", "exploratory"]
Source = Literal[
    "github", "catalogue", "openalex", "crossref", "arxiv", "semantic_scholar", "europe_pmc", "serpapi", "library"
]
Strategy = Literal["stars", "recency", "expanded"]
Status = Literal["ok", "empty", "truncated", "rate_limited", "timeout", "unavailable", "skipped"]
Basis = Literal["llm", "rules"]
Dimension = Literal["maturity", "activity", "documentation", "community", "ease_of_use", "maintenance"]
Unit = Annotated[float, Field(ge=0, le=1)]
Score = Annotated[float, Field(ge=0, le=10)] | None
MAX_ERROR = 300


def _plain_text(text: str) -> str:
    kinds = {unicodedata.category(character) for character in text}
    if kinds & {"Cc", "Cs"}:
        message = f"{'control characters' if 'Cc' in kinds else 'halves of characters'} are not allowed"
        raise ValueError(message)
    return text


def _trimmed(text: object) -> object:
    return text.strip() if isinstance(text, str) else text


def _without_repeats(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _one_or_more(names: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if names == ():
        message = "name at least one source, or leave it out for all that are configured"
        raise ValueError(message)
    return names and _without_repeats(names)


class SearchRequest(Frozen):
    """A question and how it is to be answered."""

    query: Annotated[str, Field(min_length=1, max_length=500), BeforeValidator(_trimmed), AfterValidator(_plain_text)]
    kinds: Annotated[tuple[Kind, ...], Field(min_length=1, max_length=2), AfterValidator(_without_repeats)] = (
        "repositories",
    )
    mode: Mode = "balanced"
    max_results: Annotated[int, Field(ge=1, le=25)] = 10
    max_seconds: Annotated[int, Field(ge=5, le=27)] = 25
    max_llm_calls: Annotated[int, Field(ge=0, le=60)] = 40
    sources: Annotated[tuple[Source, ...] | None, AfterValidator(_one_or_more)] = None
    config: PipelineConfig = PipelineConfig()


def parse_request(fields: object) -> SearchRequest:
    """Read a request from plain data; `InvalidRequest` names each bad field, its value and what is allowed."""
    try:
        return SearchRequest.model_validate(fields)
    except ValidationError as error:
        raise InvalidRequest(describe_validation_error(error, SearchRequest)) from error


class FoundBy(Frozen):
    """A strategy that found the item, and the item's rank in its batch, from 1."""

    strategy: str
    rank: int


class SourceStatus(Frozen):
    """What one strategy got from one source; a failed source never looks empty."""

    kind: Kind
    strategy: str
    source: Source
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
    """What the language model was asked and cost."""

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
    """Something that failed on the way, and when."""

    stage: str
    error: Annotated[str, AfterValidator(lambda text: text[:MAX_ERROR])]
    timestamp: datetime


class Scores(Frozen):
    """Six dimensions and their weighted mean, 0-10; null where no signal is known."""

    maturity: Score = None
    activity: Score = None
    documentation: Score = None
    community: Score = None
    ease_of_use: Score = None
    maintenance: Score = None
    overall: Score = None


class RadarPoint(Frozen):
    """One axis of the radar chart."""

    dimension: Dimension
    score: Score
    max: int = 10


class RankedRepository(Frozen):
    """One result: what it is, how well it fits and why."""

    repo: str
    name: str
    description: str | None
    url: str
    stars: int | None
    language: str | None
    relevance: Unit
    scores: Scores
    radar_chart_data: tuple[RadarPoint, ...]
    reasoning: str
    basis: Basis
    found_by: tuple[FoundBy, ...]
    caveats: tuple[str, ...] = ()


class RepositorySection(Frozen):
    """The ranked repositories."""

    total_candidates: int
    shortlisted: int
    results: tuple[RankedRepository, ...]


class KindResult(Frozen):
    """What one kind brings to the answer: its section, and all that is to be said of how it came about."""

    repositories: RepositorySection | None = None
    sources: tuple[SourceStatus, ...] = ()
    errors: tuple[StageError, ...] = ()
    warnings: tuple[str, ...] = ()
    usage: Usage = Usage()


class KindFailure(Frozen):
    """Why a kind brings no outcome: the name and the text of what ended it, as in `goldpan.errors`."""

    kind: str
    error: str
    message: str


class Link(Frozen):
    """A repository and a paper that name each other."""

    repository: str
    paper: str
    evidence: str


class ExecutionTime(Frozen):
    """Milliseconds spent in each function, and in all."""

    query_translator: int = 0
    scout: int = 0
    screener: int = 0
    total: int = 0


class Answer(Frozen):
    """The whole answer to one question."""

    query: str
    mode: Mode
    repositories: RepositorySection | None = None
    links: tuple[Link, ...] = ()
    sources: tuple[SourceStatus, ...] = ()
    errors: tuple[StageError, ...] = ()
    warnings: tuple[str, ...] = ()
    execution_time_ms: ExecutionTime = ExecutionTime()
    usage: Usage = Usage()
    cached: bool = False
    answered_at: datetime

    def to_json(self, indent: int | None = None) -> str:
        """Write the answer as the contract has it: a section that was not asked for is absent, other nulls stay."""
        absent = {"repositories"} if self.repositories is None else set[str]()
        return self.model_dump_json(indent=indent, exclude=absent)
