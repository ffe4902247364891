"""What is held after a search: mostly of the next one."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import replace

from goldpan.engine import library

from tests.slow.faults.world import Seen, World

Then = Callable[[World, Seen], None]


def is_left_alone(world: World, _: Seen) -> None:
    """Hold that GitHub sees no call of the next search before its time, and that the asker is told so again."""
    again = world.ask()
    assert (again.status, again.github_calls) == (429, 0)
    assert again.retry_after


def is_asked_when_the_time_has_come(world: World, seen: Seen) -> None:
    """Hold that GitHub is left alone until its time, and asked after it."""
    is_left_alone(world, seen)
    world.github.clear_faults()
    time.sleep(int(seen.retry_after) + 0.1)
    later = world.ask(max_seconds=9)
    assert later.status == 200
    assert {row["status"] for row in later.body["sources"]} == {"ok"}


def recovers(world: World, _: Seen) -> None:
    """Hold that the next search is answered as if nothing had been, when the upstream is well again."""
    world.github.clear_faults()
    world.llm.clear_faults()
    again = world.ask(max_seconds=9)
    assert again.status == 200
    assert {row["status"] for row in again.body["sources"]} == {"ok"}
    assert again.body["errors"] == []


def as_without_a_model(world: World, seen: Seen) -> None:
    """Hold that the section is the very one that a search without a model gives."""
    bare = replace(world.runtime, dependencies=replace(world.runtime.dependencies, llm=None))
    told = library.search(world.request(), runtime=bare)
    assert seen.body["repositories"] == json.loads(told.to_json())["repositories"]


def as_without_a_model_and_recovers(world: World, seen: Seen) -> None:
    """Hold both."""
    as_without_a_model(world, seen)
    recovers(world, seen)


def scores(relevance: float, documentation: float, ease_of_use: float) -> Then:
    """Hold the numbers of every result."""

    def hold(_: World, seen: Seen) -> None:
        for result in seen.body["repositories"]["results"]:
            told = (result["relevance"], result["scores"]["documentation"], result["scores"]["ease_of_use"])
            assert told == (relevance, documentation, ease_of_use)

    return hold


def no_reason_says(pattern: str) -> Then:
    """Hold that no result gives a reason with these words."""

    def hold(_: World, seen: Seen) -> None:
        for result in seen.body["repositories"]["results"]:
            assert result["reasoning"]
            assert not re.search(pattern, result["reasoning"])

    return hold
