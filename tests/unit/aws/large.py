"""Searches that try to be too large for a state, and the flow that carries them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from goldpan.engine.payload import STATE_BYTES
from goldpan.kinds.repositories.ports import Dependencies, PlanningSource

from tests.support.factories import NOW, StillClock
from tests.unit.aws.doors import Door, door
from tests.unit.aws.flow import Flow, Held
from tests.unit.aws.hostile import (
    ONE_TO_EIGHTEEN,
    SOURCES,
    HostileModel,
    HostileSource,
    filled,
    strange_words,
)
from tests.unit.aws.remembering import Tables

LARGEST = {"shortlist_size": 40, "readme_chars": 4000, "max_enriched": 60, "max_candidates": 100, "llm_concurrency": 40}
WIDEST = {"query": "React animation library", "mode": "exploratory", "max_results": 25, "max_llm_calls": 60}
PRICES = {filled("水", 98) + str(number): {"input": 1.5, "output": 2.5} for number in range(10)}
WORDS = strange_words(8)
EXPANDING = [filled(ONE_TO_EIGHTEEN, 57) + f"x{number:02}" for number in range(32)]
Wrap = Callable[[str, Door], Door]
"""What is put around a door, by the name of its function."""


@dataclass(frozen=True)
class Case:
    """A search that tries to be too large."""

    request: Mapping[str, Any]
    source: HostileSource = field(default_factory=HostileSource)
    model: HostileModel | None = None


def largest(config: Mapping[str, Any] | None = None, **fields: object) -> dict[str, Any]:
    """Make a request that asks for as much as it may."""
    return {**WIDEST, **fields, "config": {**LARGEST, **(config or {})}}


def as_it_is(_function: str, call: Door) -> Door:
    """Leave a door as it is."""
    return call


def run(case: Case, wrap: Wrap = as_it_is, tables: Tables | None = None) -> tuple[Any, list[Held]]:
    """Run a search through the definition; the first door only plans, as it does when it is deployed."""
    clock, tables = StillClock(), tables or Tables()
    there = Dependencies(clock, {"github": case.source}, case.model, answers=tables.answers)
    planned = Dependencies(clock, {"github": PlanningSource(case.source.searches_a_question)}, case.model)
    doors = {"query_translator": planned, "scout": there, "screener": there}
    opened = {function: wrap(function, door(function, dependencies)) for function, dependencies in doors.items()}
    names = {"QueryTranslatorFunction": "query_translator", "ScoutFunction": "scout", "ScreenerFunction": "screener"}
    doors_by_id = {logical: opened[name] for logical, name in names.items()}
    flow = Flow({**doors_by_id, **tables.actions()}, f"{NOW:%Y-%m-%dT%H:%M:%S.000Z}")
    return flow.run({"request": case.request}), flow.held


def too_large(held: list[Held]) -> list[Held]:
    """Give what Step Functions would not carry."""
    return [moment for moment in held if moment.size > STATE_BYTES]


CASES: dict[str, Case] = {
    "a usual question": Case({"query": "React animation library"}),
    "all that was shortlisted beside its outcome": Case(
        largest(), HostileSource(unit="水", name=80, readme=filled("a", 1000), entries=0, topics=0), HostileModel("水")
    ),
    "evidence of long words": Case(
        largest(query=" ".join(WORDS)),
        HostileSource(readme=" ".join(WORDS), entries=0, topics=0),
        HostileModel("水", WORDS),
    ),
    "a model that fails with many words": Case(
        largest(query=" ".join(WORDS)),
        HostileSource(readme=" ".join(WORDS), entries=0, topics=0),
        HostileModel("水", WORDS, failure=filled("\x01", 160)),
    ),
    "keywords that grow when they are made comparable": Case(
        largest(sources=SOURCES), model=HostileModel(keywords=EXPANDING[:12], expanded=EXPANDING[12:])
    ),
    "a question of single characters": Case(largest(query=" ".join(chr(0x20000 + n) for n in range(250)))),
    "a question that grows when it is made comparable": Case(
        largest(
            query="".join(f"{chr(0x3300 + n % 88)}{chr(0x3300 + n * 7 % 88)} " for n in range(166)), sources=SOURCES
        )
    ),
    "long names": Case(largest(), HostileSource(name=3000)),
    "long facts": Case(largest(), HostileSource(unit="𠮷", fact=1000)),
    "a failure for every repository": Case(largest(), HostileSource(unit="𠮷", failures=2000)),
    "blanks around the question": Case(largest(query="React animation" + " " * 100_000)),
    "a source named over and over": Case(largest(sources=["github"] * 9000)),
    "a request that is as large as a key takes": Case(
        largest({"llm_prices": PRICES}, query="水" * 500, sources=["github"] * 850, mode="focused"),
        HostileSource(unit="水"),
        HostileModel("水"),
    ),
    "prices of many models": Case(largest({"llm_prices": PRICES}), HostileSource(unit="水"), HostileModel("水")),
    "numbers with many digits": Case(
        largest({"relevance_weight": "0.9" + "0" * 90_000}), HostileSource(unit="水"), HostileModel("水")
    ),
}
