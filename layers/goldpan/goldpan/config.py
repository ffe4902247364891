"""The tuning of a search: every field changes something; null, where it is allowed, switches a rule off."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, WrapValidator, model_validator

if TYPE_CHECKING:
    from pydantic import ValidatorFunctionWrapHandler

Weight = Annotated[float, Field(ge=0, le=1)]
MAX_EXCERPT = 4000
"""The maximum characters of a README that a search may use; sources drop the rest, because caching it costs."""


class Frozen(BaseModel):
    """Base of all contracts: immutable, and without unknown fields."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", hide_input_in_errors=True, defer_build=True, allow_inf_nan=False
    )


def pattern_in_words(requirement: str) -> WrapValidator:
    """Say what a text must be, in place of the pattern of the field before, where it does not match that."""

    def validate(value: object, match: ValidatorFunctionWrapHandler) -> object:
        try:
            return match(value)
        except ValidationError as error:
            if any(row["type"] == "string_pattern_mismatch" for row in error.errors()):
                raise ValueError(requirement) from None
            raise

    return WrapValidator(validate)


class CoarseFilter(Frozen):
    """The rules that drop a repository before it is scored; null switches one off, unknown facts pass."""

    min_stars: Annotated[int, Field(ge=0, le=10_000_000)] | None = 50
    pushed_within_months: Annotated[int, Field(ge=1, le=1200)] | None = 12
    require_readme: bool | None = True
    max_age_years: Annotated[int, Field(ge=1, le=100)] | None = None
    exclude_archived: bool | None = True
    exclude_trivial_forks: bool | None = True


class DimensionWeights(Frozen):
    """The share of each dimension in the overall score; the six sum to 1."""

    maturity: Weight = 0.2
    activity: Weight = 0.2
    documentation: Weight = 0.15
    community: Weight = 0.15
    ease_of_use: Weight = 0.15
    maintenance: Weight = 0.15

    @model_validator(mode="after")
    def _sum_to_one(self) -> Self:
        total = math.fsum(self.model_dump().values())
        if not math.isclose(total, 1, abs_tol=1e-6):
            raise ValueError(f"the six weights must sum to 1, these sum to {total:g}")
        return self


class StrategyWeights(Frozen):
    """The weight of each strategy's vote in reciprocal rank fusion; a strategy of weight 0 is not run."""

    stars: Weight = 1.0
    recency: Weight = 0.5
    expanded: Weight = 0.8
    known: Weight = 1.0

    @model_validator(mode="after")
    def _one_must_run(self) -> Self:
        if not any(self.model_dump().values()):
            raise ValueError("at least one strategy needs a weight above 0")
        return self


class TokenPrice(Frozen):
    """What a model costs, in US dollars for a million tokens."""

    input: Annotated[float, Field(ge=0, le=1_000_000)]
    output: Annotated[float, Field(ge=0, le=1_000_000)]


class PipelineConfig(Frozen):
    """All overrides of one search."""

    coarse_filter: CoarseFilter = CoarseFilter()
    dimension_weights: DimensionWeights = DimensionWeights()
    strategy_weights: StrategyWeights = StrategyWeights()
    max_searches: Annotated[int, Field(ge=1, le=15)] = 15
    """Searches of one question over all strategies of a source."""
    max_candidates: Annotated[int, Field(ge=10, le=100)] = 100
    max_enriched: Annotated[int, Field(ge=1, le=60)] = 40
    shortlist_size: Annotated[int, Field(ge=1, le=40)] = 25
    readme_chars: Annotated[int, Field(ge=0, le=MAX_EXCERPT)] = 500
    """How much of a README the language model is shown."""
    star_intent: Literal["preferred", "strict"] = "preferred"
    """Whether the upper end of a range that a word such as "lightweight" asks for changes the order, or drops."""
    relevance_weight: Annotated[float, Field(ge=0.5, le=1)] = 0.95
    """The share of relevance in the order; the rest is the overall score."""
    relevance_threshold: Weight | None = 0.3
    """Papers that the language model gives less are weaker matches; what the rules scored is not held to it."""
    llm_timeout_seconds: Annotated[float, Field(gt=0, le=20)] = 8.0
    target_seconds: Annotated[float, Field(ge=2, le=27)] | None = 9.0
    """When scoring stops, counted from the start of the search, so that nine of ten commands end within 12 s."""
    papers_target_seconds: Annotated[float, Field(ge=2, le=27)] | None = 19.0
    """The same for papers, whose batches are scored one after the other; nine of ten questions are answered in 20 s."""
    llm_concurrency: Annotated[int, Field(ge=1, le=40)] = 10
    llm_prices: Annotated[dict[Annotated[str, Field(max_length=100)], TokenPrice], Field(max_length=10)] = {}
    """Prices by model name, where they differ from the built-in table."""
