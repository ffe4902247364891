"""Every field of the configuration changes something that can be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from goldpan.config import DimensionWeights, PipelineConfig
from goldpan.contracts import Answer
from pydantic import BaseModel

from tests.support.factories import ListedSource, QueuedModel, answer, repository

OLD, YOUNG = "2015-01-01T00:00:00Z", "2026-01-01T00:00:00Z"
MANY = [
    repository(f"example-org/motion-{n}", stars=100 + n, readme="word " * 300, pushed_at="2026-08-01T00:00:00Z")
    for n in range(60)
]
ODD = [
    repository("example-org/poor", stars=3),
    repository("example-org/stale", pushed_at="2020-01-01T00:00:00Z"),
    repository("example-org/old", created_at=OLD),
    repository("example-org/bare", has_readme=False),
    repository("example-org/archived", archived=True),
    repository("example-org/fork", fork=True, forks=1, stars=60, parent_stars=9000),
]
PLAIN = repository(stars=90, created_at=OLD, recent_commits=300, contributors=500, watchers=1000, releases=100)
FEW = [PLAIN, repository("example-org/starred", stars=120)]
Seen = Callable[[Answer, QueuedModel, ListedSource], object]


def _names(given: Answer, _m: QueuedModel, _s: ListedSource) -> object:
    return [item.repo for item in given.repositories.results] if given.repositories else None


def _overall(given: Answer, _m: QueuedModel, _s: ListedSource) -> object:
    return [item.scores.overall for item in given.repositories.results] if given.repositories else None


def _order_key(given: Answer, _m: QueuedModel, _s: ListedSource) -> object:
    return [item.stars for item in given.repositories.results] if given.repositories else None


def _shortlisted(given: Answer, _m: QueuedModel, _s: ListedSource) -> object:
    return given.repositories.shortlisted if given.repositories else None


def _strategies(given: Answer, _m: QueuedModel, _s: ListedSource) -> object:
    return [(row.strategy, row.source) for row in given.sources]


def _prompt_length(_g: Answer, model: QueuedModel, _s: ListedSource) -> object:
    return max(len(prompt.user) for prompt in model.prompts)


def _call_seconds(_g: Answer, model: QueuedModel, _s: ListedSource) -> object:
    return max(model.seconds)


def _cost(given: Answer, _m: QueuedModel, _s: ListedSource) -> object:
    return given.usage.cost_usd


def _searches(_g: Answer, _m: QueuedModel, source: ListedSource) -> object:
    return len(source.asked)


DIMENSIONS = tuple(DimensionWeights.model_fields)
SHIFTED = {name: {other: 0.5 if other == name else 0.1 for other in DIMENSIONS} for name in DIMENSIONS}
OBSERVED: dict[str, tuple[dict[str, Any], Seen]] = {
    "coarse_filter.min_stars": ({"min_stars": None}, _shortlisted),
    "coarse_filter.pushed_within_months": ({"pushed_within_months": None}, _shortlisted),
    "coarse_filter.require_readme": ({"require_readme": None}, _shortlisted),
    "coarse_filter.max_age_years": ({"max_age_years": 1}, _shortlisted),
    "coarse_filter.exclude_archived": ({"exclude_archived": None}, _shortlisted),
    "coarse_filter.exclude_trivial_forks": ({"exclude_trivial_forks": None}, _shortlisted),
    "strategy_weights.stars": ({"stars": 0}, _strategies),
    "strategy_weights.recency": ({"recency": 0}, _strategies),
    "strategy_weights.expanded": ({"expanded": 0}, _strategies),
    "max_searches": ({"max_searches": 4}, _searches),
    "max_candidates": ({"max_candidates": 10, "shortlist_size": 40}, _shortlisted),
    "max_enriched": ({"max_enriched": 5}, _shortlisted),
    "shortlist_size": ({"shortlist_size": 3}, _shortlisted),
    "readme_chars": ({"readme_chars": 50}, _prompt_length),
    "relevance_weight": ({"relevance_weight": 1.0}, _order_key),
    "target_seconds": ({"target_seconds": 2.0}, _call_seconds),
    "llm_timeout_seconds": ({"llm_timeout_seconds": 1.0}, _call_seconds),
    "llm_prices": ({"llm_prices": {"queued": {"input": 1, "output": 2}}}, _cost),
}
ELSEWHERE = {
    *(f"dimension_weights.{name}" for name in SHIFTED),  # test_a_dimensions_weight_moves_the_overall_score
    "llm_concurrency",  # counted over real sockets, in tests/integration
}


def _fields(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _fields(inner, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def _run(config: dict[str, Any], found: list[Any]) -> tuple[Answer, QueuedModel, ListedSource]:
    model, source = QueuedModel(), ListedSource(found)
    return answer(source, model, config=config), model, source


def test_no_field_is_without_an_observation() -> None:
    """A field that is added must be observed here."""
    assert set(_fields(PipelineConfig)) == {*OBSERVED, *ELSEWHERE}


@pytest.mark.parametrize("name", OBSERVED)
def test_a_field_changes_something(name: str) -> None:
    """Another value of the field gives another answer, other calls or other searches."""
    override, seen = OBSERVED[name]
    section = name.partition(".")[0] if "." in name else None
    found = (
        [*ODD, repository("example-org/plain")]
        if section == "coarse_filter"
        else FEW
        if name == "relevance_weight"
        else MANY
    )
    config = {section: override} if section else override
    assert seen(*_run({}, found)) != seen(*_run(config, found))


@pytest.mark.parametrize("name", SHIFTED)
def test_a_dimensions_weight_moves_the_overall_score(name: str) -> None:
    """Each of the six weights is read."""
    facts = {"created_at": OLD, "pushed_at": "2026-08-01T00:00:00Z", "contributors": 30, "latest_release_at": YOUNG}
    found = [repository(forks=40, **facts)]
    even = {"dimension_weights": dict.fromkeys(DIMENSIONS, 1 / 6)}
    assert _overall(*_run(even, found)) != _overall(*_run({"dimension_weights": SHIFTED[name]}, found))
