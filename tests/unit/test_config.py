"""Every field of the configuration changes something that can be seen."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from goldpan.config import DimensionWeights, PipelineConfig
from goldpan.kinds.answer import Answer
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
RATED = repository(forks=40, created_at=OLD, pushed_at=YOUNG, contributors=30, latest_release_at=YOUNG)
FEW = [PLAIN, repository("example-org/starred", stars=120)]


@dataclass
class Run:
    """A search with a configuration: its answer, and the calls of its model and its source."""

    answer: Answer
    model: QueuedModel
    source: ListedSource


def _shortlisted(run: Run) -> object:
    return run.answer.repositories.shortlisted


def _strategies(run: Run) -> object:
    return {row.strategy for row in run.answer.sources}


DIMENSIONS = tuple(DimensionWeights.model_fields)
SHIFTED = {name: {other: 0.5 if other == name else 0.1 for other in DIMENSIONS} for name in DIMENSIONS}
OBSERVED: dict[str, tuple[dict[str, Any], Callable[[Run], object]]] = {
    "coarse_filter.min_stars": ({"min_stars": None}, _shortlisted),
    "coarse_filter.pushed_within_months": ({"pushed_within_months": None}, _shortlisted),
    "coarse_filter.require_readme": ({"require_readme": None}, _shortlisted),
    "coarse_filter.max_age_years": ({"max_age_years": 1}, _shortlisted),
    "coarse_filter.exclude_archived": ({"exclude_archived": None}, _shortlisted),
    "coarse_filter.exclude_trivial_forks": ({"exclude_trivial_forks": None}, _shortlisted),
    "strategy_weights.stars": ({"stars": 0}, _strategies),
    "strategy_weights.recency": ({"recency": 0}, _strategies),
    "strategy_weights.expanded": ({"expanded": 0}, _strategies),
    "max_searches": ({"max_searches": 4}, lambda run: len(run.source.asked)),
    "max_candidates": ({"max_candidates": 10, "shortlist_size": 40}, _shortlisted),
    "max_enriched": ({"max_enriched": 5}, lambda run: run.source.enriched),
    "shortlist_size": ({"shortlist_size": 3}, _shortlisted),
    "readme_chars": ({"readme_chars": 50}, lambda run: max(len(prompt.user) for prompt in run.model.prompts)),
    "star_intent": ({"star_intent": "strict"}, _shortlisted),
    "relevance_weight": ({"relevance_weight": 1.0}, lambda run: run.answer.repositories.results[0].stars),
    "target_seconds": ({"target_seconds": 2.0}, lambda run: max(run.model.seconds)),
    "llm_timeout_seconds": ({"llm_timeout_seconds": 1.0}, lambda run: max(run.model.seconds)),
    **{
        f"dimension_weights.{name}": (weights, lambda run: run.answer.repositories.results[0].scores.overall)
        for name, weights in SHIFTED.items()
    },
    "llm_prices": ({"llm_prices": {"queued": {"input": 1, "output": 2}}}, lambda run: run.answer.usage.cost_usd),
}


def _fields(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _fields(inner, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def _run(config: dict[str, Any], found: list[Any], query: str) -> Run:
    model, source = QueuedModel(), ListedSource(found)
    return Run(answer(source, model, config=config, query=query), model, source)


def test_no_field_is_without_an_observation() -> None:
    """A field that is added must be observed here."""
    elsewhere = {
        "llm_concurrency", "strategy_weights.known", "relevance_threshold", "papers_target_seconds",
    }  # by the tests of papers, or integration  # fmt: skip
    assert set(_fields(PipelineConfig)) == {*OBSERVED, *elsewhere}


@pytest.mark.parametrize("name", OBSERVED)
def test_a_field_changes_something(name: str) -> None:
    """Another value of the field gives another answer, other calls or other searches."""
    override, seen = OBSERVED[name]
    section = name.partition(".")[0] if "." in name else None
    query = "lightweight React animation library" if name == "star_intent" else "React animation library"
    special = {"coarse_filter": [*ODD, PLAIN], "relevance_weight": FEW, "dimension_weights": [RATED]}
    special["star_intent"] = [PLAIN, repository("example-org/starred", stars=900)]
    found = special.get(section or name, MANY)
    config = {section: override} if section else override
    assert seen(_run({}, found, query)) != seen(_run(config, found, query))
